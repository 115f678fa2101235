#!/usr/bin/env python3
"""Measures `fablegrade import` on a folder of collected files.

    tests/interchange.py --cli PROGRAM --corpus DIR [--table FILE] [--verbose]

DIR has a folder for each format and `expected/*.jsonl` with scores of the home systems. Every file is read; a crash, or a question
that is neither exact nor has a loss, fails the run. Shares are printed by format, then the agreement of questions called exact or
scores-exact with the expected scores. `--table` writes the shares between `<!-- shares -->` and `<!-- end shares -->` of FILE.
"""

import argparse
import collections
import json
import pathlib
import subprocess
import sys
import tempfile

GOOD = ("exact", "scores-exact")
WORDS = ("exact", "scores-exact", "approximate", "not-expressible")
# The least share of agreeing scores.
LEAST = 0.99


def fraction(value):
    """A number of the output: JSON, or a fraction as text."""
    if isinstance(value, str):
        above, _, below = value.partition("/")
        return int(above) / int(below or 1)
    return value


def run(program, *arguments):
    done = subprocess.run([program, "import", *arguments], capture_output=True, text=True, timeout=3600)
    if done.returncode not in (0, 1, 2) or "panicked" in done.stderr:
        sys.exit(f"import {' '.join(arguments)}: exit code {done.returncode}\n{done.stderr[-2000:]}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def is_test(question):
    """Tests are lists of items, not questions."""
    return any(entry["name"] == "kind" and entry["value"] == "test" for entry in question.get("metadata", []))


def shares(program, corpus, verbose):
    """Counts by folder and format."""
    table, failed = collections.OrderedDict(), []
    for folder in sorted(path for path in corpus.iterdir() if path.is_dir()):
        if folder.name in ("expected", "counts"):
            continue
        counts = collections.Counter()
        for line in run(program, str(folder), "--jsonl"):
            if "error" in line:
                counts["unreadable"] += 1
                continue
            if is_test(line):
                continue
            counts[line["exactness"]] += 1
            counts["single" if "spec" in line else "parts" if "parts" in line else "none"] += line["exactness"] in GOOD
            if line["exactness"] != "exact" and not line["loss"]:
                failed.append(f"{folder.name}/{line['file']}: {line['item']} is {line['exactness']} without a loss")
        table[folder.name] = counts
    return table, failed


def rows(path):
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def qti(corpus):
    """Candidate responses: the score is on the scale of the item."""
    for row in rows(corpus / "expected/qti_responses.jsonl"):
        name = next((name for name in row["outcomes"] if name.upper() == "SCORE"), None)
        if name is None:
            continue
        for item in {row["item"], row.get("also", row["item"])}:
            yield item, None, row["responses"], row["outcomes"][name] or 0, True


def clamped(percent):
    return max(0.0, min(1.0, percent / 100))


def number(text):
    try:
        return float(text)
    except (TypeError, ValueError):
        return None


def first_match(answers, row):
    value = number(row["response"])
    for other in answers:
        key, tolerance = number(other["response"]), number(other.get("tolerance")) or 0
        if value is not None and key is not None and abs(value - key) <= tolerance:
            return {**other, "response": row["response"]}
    return row


# The fractions that Moodle rounds: 33.33333 is a third.
THIRDS = [n / d for d in (3, 6, 7, 9) for n in range(1, d)]


def exact_share(value):
    return next((third for third in THIRDS if abs(third - value) < 1e-4), value)


def moodle(corpus):
    """One response a row, and for several answers the sum of those that earn something."""
    questions = collections.OrderedDict()
    for row in rows(corpus / "expected/moodle_expected.jsonl"):
        questions.setdefault((row["file"], row["index"], row["type"]), []).append(row)
    for (file, index, kind), answers in questions.items():
        question = f"q{index + 1}"
        if kind == "multichoice":
            for number, row in enumerate(answers, 1):
                yield file, question, {"*": [str(number)]}, clamped(row["fraction"]), False
            if answers[0]["single"].strip().lower() in ("false", "0"):
                right = [number for number, row in enumerate(answers, 1) if row["fraction"] > 0]
                total = sum(exact_share(clamped(row["fraction"])) for row in answers if row["fraction"] > 0)
                yield file, question, {"*": [str(number) for number in right]}, min(1.0, total), False
        elif kind == "truefalse":
            for row in answers:
                yield file, question, {"*": row["response"].lower()}, clamped(row["fraction"]), False
        elif kind in ("shortanswer", "numerical"):
            for row in answers:
                # The first answer whose tolerance has the number decides.
                row = first_match(answers, row) if kind == "numerical" else row
                typed = row["response"].replace("\\*", "*")
                if row["response"] == "*":
                    typed = "zzzz" if kind == "shortanswer" else "123456789"
                yield file, question, {"*": typed}, clamped(row["fraction"]), False
        elif kind == "ordering":
            order = [str(number) for number in range(1, len(answers) + 1)]
            if answers[0]["gradingtype"] == "ABSOLUTE_POSITION":
                # Read as a matching of places and items.
                order = [f"p{number} {number}" for number in order]
            yield file, question, {"*": order}, 1.0, False


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
    lines = ["| files | questions | exact | scores-exact | approximate | not expressible | exact scores | unreadable |", "|---|--:|--:|--:|--:|--:|--:|--:|"]
    for folder, counts in table.items():
        total = sum(counts[word] for word in WORDS)
        if not total and not counts["unreadable"]:
            continue
        good = sum(counts[word] for word in GOOD)
        cells = [folder, total, *(counts[word] for word in WORDS), f"{good / max(total, 1):.0%}", counts["unreadable"]]
        lines.append("| " + " | ".join(str(cell) for cell in cells) + " |")
    print("\n".join(lines))
    if options.table:
        text = options.table.read_text()
        before, _, rest = text.partition("<!-- shares -->\n")
        _, _, after = rest.partition("<!-- end shares -->")
        options.table.write_text(before + "<!-- shares -->\n" + "\n".join(lines) + "\n<!-- end shares -->" + after)
    good = True
    for name, cases in (("QTI candidate responses", qti), ("Moodle fractions", moodle)):
        good &= agreement(program, options.corpus, name, cases(options.corpus), options.verbose)
    for problem in failed:
        print(problem)
    sys.exit(0 if good and not failed else 1)


if __name__ == "__main__":
    main()
