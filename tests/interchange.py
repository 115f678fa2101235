#!/usr/bin/env python3
"""Measures `fablegrade import` on a folder of collected files.

    tests/interchange.py --cli PROGRAM --corpus DIR [--table FILE] [--verbose]

DIR has a folder per format and `expected/*.jsonl` with scores of the original systems. Every file is read. A crash, a
question that is neither exact nor has a loss, or an agreement below 99 % fails the run. Prints the shares by format, of
the questions that have a score in the original system (texts and surveys are counted separately), then the agreement
with the expected scores of questions called exact or scores-exact. `--table` writes the shares between
`<!-- shares -->` and `<!-- end shares -->` of FILE.
"""

import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

import qti_1

GOOD = ("exact", "scores-exact")
WORDS = ("exact", "scores-exact", "approximate", "not-expressible")
# The minimum share of scores that agree.
LEAST = 0.99


def fraction(value):
    """Returns a number of the output, which is a JSON number or a fraction as text."""
    if isinstance(value, str):
        above, _, below = value.partition("/")
        return int(above) / int(below or 1)
    return value


def run(program, *arguments):
    done = subprocess.run([program, "import", *arguments], capture_output=True, text=True, timeout=3600)
    if done.returncode not in (0, 1, 2) or "panicked" in done.stderr:
        sys.exit(f"import {' '.join(arguments)}: exit code {done.returncode}\n{done.stderr[-2000:]}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def kind(question):
    """`test` for a list of items, `text` for what asks nothing, `survey` for what earns nothing in its own system; else
    nothing."""
    return next((entry["value"] for entry in question.get("metadata", []) if entry["name"] == "kind"), None)


def is_text(question):
    """Returns whether an item is a description or a page, which asks nothing."""
    graded = "spec" in question or "parts" in question
    return not graded and all(loss["severity"] != "changes-score" for loss in question["loss"])


def variant_of(question):
    """Returns the id of the question of which this is a variant."""
    return next((entry["value"] for entry in question.get("metadata", []) if entry["name"] == "variant-of"), None)


def shares(program, corpus, verbose):
    """Returns counts by folder and format."""
    table, failed = collections.OrderedDict(), []
    for folder in sorted(path for path in corpus.iterdir() if path.is_dir()):
        if folder.name in ("expected", "counts"):
            continue
        counts = collections.Counter()
        # A question is as exact as the worst of its variants.
        worst, single = {}, {}
        for line in run(program, str(folder), "--jsonl"):
            if "error" in line:
                counts["unreadable"] += 1
                continue
            if kind(line) == "test":
                continue
            if line["exactness"] != "exact" and not line["loss"]:
                failed.append(f"{folder.name}/{line['file']}: {line['item']} is {line['exactness']} without a loss")
            if is_text(line) or kind(line) in ("text", "survey"):
                counts["unscored"] += 1
                continue
            question = (line["file"], variant_of(line) or line["item"])
            if question not in worst or WORDS.index(line["exactness"]) > WORDS.index(worst[question]):
                worst[question] = line["exactness"]
            single[question] = single.get(question, True) and "spec" in line
        counts.update(worst.values())
        counts["single"] = sum(single[question] for question, word in worst.items() if word in GOOD)
        table[folder.name] = counts
    return table, failed


def rows(path):
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def qti(corpus):
    """Yields candidate responses with their scores, on the scale of the item."""
    for row in rows(corpus / "expected/qti_responses.jsonl"):
        name = next((name for name in row["outcomes"] if name.upper() == "SCORE"), None)
        if name is None:
            continue
        for item in {row["item"], row.get("also", row["item"])}:
            yield item, None, row["responses"], row["outcomes"][name] or 0, True


def qti12(corpus):
    """Yields responses with scores from a second evaluation of the conditions of version 1."""
    for path, item, given, share in (case for folder in ("qti12", "generated") for case in qti_1.expected(corpus / folder)):
        yield str(path.relative_to(corpus)), item, given, share, False


def clamped(percent):
    return max(0.0, min(1.0, percent / 100))


# The fractions that Moodle rounds: 33.33333 is a third.
THIRDS = [n / d for d in (3, 6, 7, 9) for n in range(1, d)]


def exact_share(value):
    return next((third for third in THIRDS if abs(third - value) < 1e-4), value)


def moodle(corpus):
    """Yields one response per row, and for several answers the sum of those that earn something."""
    questions = collections.OrderedDict()
    for row in rows(corpus / "expected/moodle_expected.jsonl"):
        questions.setdefault((row["file"], row["index"], row["type"]), []).append(row)
    for (file, index, kind), answers in questions.items():
        question = f"q{index + 1}"
        if kind == "multichoice":
            for number, row in enumerate(answers, 1):
                yield file, question, {"*": [str(number)]}, clamped(row["fraction"]), False
            # `False` with a capital letter means yes.
            if answers[0]["single"].strip() in ("false", "0", ""):
                right = [number for number, row in enumerate(answers, 1) if row["fraction"] > 0]
                total = sum(exact_share(clamped(row["fraction"])) for row in answers if row["fraction"] > 0)
                yield file, question, {"*": [str(number) for number in right]}, min(1.0, total), False
        elif kind == "truefalse":
            for row in answers:
                yield file, question, {"*": row["response"].lower()}, clamped(row["fraction"]), False
        elif kind in ("shortanswer", "numerical"):
            for row in answers:
                if kind == "numerical" and row is not first_number(answers, row["response"]):
                    # The first answer that fits decides, and an earlier one accepts this number.
                    continue
                typed = row["response"].replace("\\*", "*")
                if row["response"] == "*":
                    typed = "zzzz" if kind == "shortanswer" else "123456789"
                yield file, question, {"*": typed}, clamped(row["fraction"]), False
        elif kind == "ordering":
            order = [str(number) for number in range(1, len(answers) + 1)]
            yield file, question, {"*": order}, 1.0, False
        elif kind == "matching":
            yield from pairs_of_moodle(file, question, answers)
        elif kind in ("gapselect", "ddwtos"):
            yield from gaps_of_moodle(corpus, file, index, answers)
        elif kind == "cloze":
            yield from blanks_of_moodle(file, question, answers)


def first_number(answers, text):
    """Returns the first answer whose interval contains a number."""
    try:
        value = float(text)
    except ValueError:
        return next(row for row in answers if row["response"] == text)
    for row in answers:
        if row["response"] == "*" or abs(float(row["response"]) - value) <= float(row.get("tolerance") or 0) * (1 + 1e-9):
            return row
    return None


def pairs_of_moodle(file, question, answers):
    """Yields all correct pairs together, and each pair alone."""
    texts = list(dict.fromkeys(row["response"][1] for row in answers))
    stems = [row["response"][1] for row in answers if row["response"][0].strip()]
    pairs = [[f"l{number}", f"r{texts.index(text) + 1}"] for number, text in enumerate(stems, 1)]
    if 2 <= len(pairs) <= 10:
        yield file, question, {"*": pairs}, 1.0, False
        for pair in pairs:
            yield file, question, {"*": [pair]}, 1 / len(pairs), False


def gaps_of_moodle(corpus, file, index, answers):
    """Yields the choices of the gaps by their numbers in the text, each alone."""
    question = xml.etree.ElementTree.parse(corpus / file).getroot()
    question = question if question.tag == "question" else question.findall("question")[index]
    numbers = re.findall(r"\[\[(\d+)\]\]", question.findtext("questiontext/text"))
    together = len({row["group"] for row in answers}) == 1 and 2 <= len(numbers) <= 10
    for place, number in enumerate(numbers, 1):
        given = {"*": [[f"g{place}", number]]} if together else {str(place): [number]}
        yield file, f"q{index + 1}", given, 1 / len(numbers), False


def blanks_of_moodle(file, question, answers):
    """Yields each alternative of each blank, with the other blanks empty."""
    blanks = collections.OrderedDict()
    for row in answers:
        blanks.setdefault(row["at"], []).append(row)
    total = sum(float(rows[0]["weight"]) for rows in blanks.values())
    for place, rows_of_blank in enumerate(blanks.values(), 1):
        for number, row in enumerate(rows_of_blank, 1):
            typed = row["response"].split(":")[0] if row["sub"] in ("NUMERICAL", "NM") else row["response"]
            if row["sub"].startswith("M") and row["sub"] != "MW":
                typed = [str(number)]
            elif typed == "*":
                typed = "123456789"
            yield file, question, {str(place): typed}, float(row["weight"]) * clamped(row["fraction"]) / total, False


def stack(corpus):
    """Yields the authors' tests of questions with one input and one tree. Answers are LaTeX as the original system
    prints it."""
    for row in rows(corpus / "expected/stack_tests.jsonl"):
        scores = [tree["score"] for tree in row["expected"] if tree.get("score") is not None]
        given = {name: printed(value) for name, value in row.get("resolved_inputs", {}).items()}
        if len(scores) == len(row["expected"]) == len(row["input_types"]) == 1 and given:
            name = f"{row['question']} [seed {row['seed']}]".strip() if row["random"] else row["question"]
            # The collection truncates long answers.
            if all(text.count("{") == text.count("}") and not text.endswith("\\,") for text in given.values()):
                yield row["file"], name, given, scores[0], False


def printed(value):
    """Returns an answer as LaTeX, with multiplication dots instead of thin spaces between digits, and matrices as
    environments."""
    text = value.get("latex") or value.get("maxima") or ""
    matrix = re.fullmatch(r"matrix\((\[.*\])\)", text)
    if matrix:
        rows_of_matrix = [row.replace(",", " & ") for row in re.findall(r"\[([^\]]*)\]", matrix[1])]
        return "\\begin{pmatrix}" + " \\\\ ".join(rows_of_matrix) + "\\end{pmatrix}"
    return re.sub(r"(?<=\d)\\,(?=\d)", r"\\cdot ", text)


def perseus(corpus):
    """Yields answers made from the key, and wrong ones; answers that are invalid in Perseus are left out."""
    def response(widget, kind, given):
        if kind in ("numeric-input", "input-number"):
            return {widget: given["currentValue"]}
        if kind == "radio":
            return {widget: given.get("selectedChoiceIds")}
        if kind == "dropdown":
            return {widget: str(given["value"])}
        if kind in ("orderer", "sorter"):
            return {widget: given["current" if kind == "orderer" else "options"]}
        if kind == "matcher":
            return {widget: [list(pair) for pair in zip(given["left"], given["right"])]}
        if kind == "categorizer":
            return {widget: [[str(item), str(category)] for item, category in enumerate(given["values"])]}
        if kind == "label-image":
            return {f"{widget}/{marker['label']}": marker["selected"] for marker in given["markers"]}
        return {widget: given} if kind == "expression" else {}

    def identifiers(node, name):
        """Returns the ids of the choices of a widget, wherever the widget is in the item."""
        if isinstance(node, dict):
            if name in node.get("widgets", {}):
                choices = node["widgets"][name]["options"].get("choices", [])
                return [choice.get("id") or f"radio-choice-{index}" for index, choice in enumerate(choices)]
            node = list(node.values())
        found = (identifiers(child, name) for child in node) if isinstance(node, list) else ()
        return next((ids for ids in found if ids), None)

    for row in rows(corpus / "expected/perseus_expected.jsonl"):
        score = row["item_score"] or {}
        given = response(row["widget"], row["type"], row["input"])
        if row["type"] == "radio" and given[row["widget"]]:
            # Recorded by identifier or by index.
            ids = identifiers(json.loads((corpus / row["item"]).read_text()), row["widget"])
            chosen = given[row["widget"]]
            given = {row["widget"]: [one if one in ids else ids[int(one.rsplit("-", 1)[1])] for one in chosen]}
        if score.get("type") == "points" and score["total"] and given and None not in given.values():
            yield row["item"], None, given, score["earned"] / score["total"], False


def gift(program, corpus):
    """Compares GIFT files with another parser's output next to them: the kinds of the questions and the correct choices."""
    types = {"MC": ("multiple_choice", "widget"), "TF": ("multiple_choice",), "Short": ("widget",), "Matching": ("matching",),
             "Numerical": ("numeric", "widget"), "Essay": ("free_text",), "Description": (None,)}
    read, alike, total = collections.defaultdict(list), 0, 0
    if not (corpus / "gift").is_dir():
        return True
    for line in run(program, str(corpus / "gift"), "--jsonl"):
        if "file" in line and "error" not in line:
            read[line["file"]].append(line)
    for file, lines in sorted(read.items()):
        twin = (corpus / "gift" / file).with_suffix(".json")
        if not twin.exists():
            continue
        questions = [question for question in json.loads(twin.read_text()) if question["type"] != "Category"]
        total += max(len(questions), len(lines))
        for question, line in zip(questions, lines):
            spec = line.get("spec", {"type": None})
            same = spec["type"] in types[question["type"]]
            if same and spec["type"] == "multiple_choice" and question["type"] == "MC" and not spec.get("multipleSelect"):
                same = [choice["correct"] for choice in spec["choices"]] == [choice["isCorrect"] for choice in question["choices"]]
            if same and question["type"] == "TF":
                same = [choice["correct"] for choice in spec["choices"]] == [question["isTrue"], not question["isTrue"]]
            alike += same
            if not same:
                print(f"  {file}: {line['item']} is read otherwise")
    if total:
        print(f"GIFT beside another parser: {alike} of {total} questions read the same")
    return total == 0 or alike / total >= LEAST


def agreement(program, corpus, name, cases, verbose):
    """Grades expected responses; counts agreements of questions that claim exact scores."""
    by_folder = collections.defaultdict(list)
    cases = list(cases)
    for number, (file, *_rest) in enumerate(cases):
        by_folder[file.split("/", 1)[0]].append(number)
    counts = collections.Counter()
    for folder, numbers in sorted(by_folder.items()):
        if not (corpus / folder).is_dir():
            continue
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as responses:
            for number in numbers:
                file, question, given, _wanted, _raw = cases[number]
                line = {"item": file.split("/", 1)[1], "case": number, "responses": given}
                if question:
                    line["question"] = question
                responses.write(json.dumps(line) + "\n")
            responses.flush()
            for answer in run(program, str(corpus / folder), "--responses", responses.name):
                file, _question, given, wanted, raw = cases[answer["case"]]
                if answer["exactness"] not in GOOD:
                    counts["not claimed"] += 1
                    continue
                if "score" not in answer:
                    counts["graded by people"] += 1
                    continue
                score = answer["score"] * (fraction(answer.get("maxScore", 1)) if raw else 1)
                if abs(score - wanted) < 1e-4:
                    counts["agree"] += 1
                else:
                    counts["differ"] += 1
                    if verbose:
                        print(f"  {file}: {json.dumps(given)}: {wanted} there, {score} here")
    total = counts["agree"] + counts["differ"]
    if total:
        print(f"{name}: {counts['agree']} of {total} scores agree ({counts['agree'] / total:.2%}), {counts['not claimed']} not claimed")
    return total == 0 or counts["agree"] / total >= LEAST


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cli", required=True)
    parser.add_argument("--corpus", required=True, type=pathlib.Path)
    parser.add_argument("--table", type=pathlib.Path)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    program = str(pathlib.Path(options.cli).resolve())
    table, failed = shares(program, options.corpus, options.verbose)
    heads = ["files", "questions", "exact", "scores-exact", "approximate", "not expressible", "exact scores", "as one spec", "without a score", "unreadable"]
    lines = ["| " + " | ".join(heads) + " |", "|---" + "|--:" * (len(heads) - 1) + "|"]
    for folder, counts in table.items():
        total = sum(counts[word] for word in WORDS)
        if not total and not counts["unreadable"] and not counts["unscored"]:
            continue
        good = sum(counts[word] for word in GOOD)
        cells = [folder, total, *(counts[word] for word in WORDS), f"{good / max(total, 1):.0%}", f"{counts['single'] / max(total, 1):.0%}", counts["unscored"], counts["unreadable"]]
        lines.append("| " + " | ".join(str(cell) for cell in cells) + " |")
    print("\n".join(lines))
    if options.table:
        text = options.table.read_text()
        before, _, rest = text.partition("<!-- shares -->\n")
        _, _, after = rest.partition("<!-- end shares -->")
        options.table.write_text(before + "<!-- shares -->\n" + "\n".join(lines) + "\n<!-- end shares -->" + after)
    good = True
    for name, cases in (
        ("QTI candidate responses", qti),
        ("QTI 1.2 conditions", qti12),
        ("Moodle fractions", moodle),
        ("STACK tests of authors", stack),
        ("Perseus answers", perseus),
    ):
        good &= agreement(program, options.corpus, name, cases(options.corpus), options.verbose)
    good &= gift(program, options.corpus)
    for problem in failed:
        print(problem)
    sys.exit(0 if good and not failed else 1)


if __name__ == "__main__":
    main()
