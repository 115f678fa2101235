#!/usr/bin/env python3
"""Compares Fablegrade and Perseus' scoring package on discrete questions in one run: agreement with exact arithmetic, and speed.

    benches/peers/scoring.py [--cases N] [--rounds N] [--write FILE]

Both are processes that read JSON Lines and print a verdict for each: `fablegrade batch --jobs 1`, and Node with
@khanacademy/perseus-score (pinned below; installed with npm into `--home`, default `.cache/peers`). In one part, each line has
a question with its key and an answer, in the system's own format, and questions do not repeat. In the other part, the lines have
answers to a bank of questions, as after an exam (`fablegrade batch --bank`; Perseus also gets its bank as a file). The correct verdicts
are computed here with exact fractions. Speed is the time for all lines minus the time for the first half, so starting a process does
not count; no line of the second half is in the first. Prints medians of the rounds.
"""
import argparse
import fractions
import json
import os
import pathlib
import platform
import random
import statistics
import subprocess
import sys
import time

root = pathlib.Path(__file__).resolve().parents[2]
PERSEUS = "@khanacademy/perseus-score@8.11.7"

arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument("--cases", type=int, default=20_000)
arguments.add_argument("--questions", type=int, default=400, help="size of the bank")
arguments.add_argument("--answers", type=int, default=400_000, help="lines of answers to the bank, in two halves")
arguments.add_argument("--rounds", type=int, default=5)
arguments.add_argument("--home", default=str(root / ".cache/peers"))
arguments.add_argument("--cli", help="the program; without it a release build is made")
arguments.add_argument("--write")
options = arguments.parse_args()

WORKER = """
const score = require("@khanacademy/perseus-score");
const run = {radio: score.scoreRadio, numeric: score.scoreNumericInput, orderer: score.scoreOrderer, matcher: score.scoreMatcher};
const bank = process.argv[2] ? JSON.parse(require("fs").readFileSync(process.argv[2], "utf8")) : null;
const lines = require("fs").readFileSync(0, "utf8").split("\\n");
const out = [];
for (const line of lines) {
  if (!line) continue;
  const row = JSON.parse(line);
  const {kind, rubric} = bank ? bank[row.item] : row;
  const result = run[kind](row.input, rubric);
  out.push(JSON.stringify({id: row.id, type: result.type, earned: result.earned ?? null, total: result.total ?? null}));
}
process.stdout.write(out.join("\\n") + "\\n");
"""


def decimal(rng):
    """Returns a decimal as authors and learners write it, with up to three decimal places."""
    places = rng.randrange(4)
    return fractions.Fraction(rng.randrange(-10**4, 10**4), 10**places), places


def text(value, places):
    digits = f"{abs(value.numerator) * 10**places // value.denominator:0{places + 1}}"
    sign = "-" if value < 0 else ""
    return sign + (digits if places == 0 else f"{digits[:-places]}.{digits[-places:]}")


def numeric(rng):
    value, places = decimal(rng)
    amount = fractions.Fraction(rng.randrange(1, 50), 10**places)
    last = fractions.Fraction(1, 10**places)

    def answer():
        # Most answers are at the bound of the accepted range, or differ from it in the last digit, where floats go wrong.
        step = rng.choice([0, amount, -amount, amount + last, -amount - last, fractions.Fraction(rng.randrange(-60, 60), 10**places)])
        given = text(value + step, places)
        kind = "numeric, on the edge" if step else "numeric"
        return kind, abs(step) <= amount, {"type": "numeric", "value": Raw(given)}, {"currentValue": given}

    spec = {"type": "numeric", "answer": {"value": Raw(text(value, places)),
                                          "tolerance": {"mode": "absolute", "amount": Raw(text(amount, places))}}}
    rubric = {"answers": [{"value": Raw(text(value, places)), "status": "correct", "maxError": Raw(text(amount, places)),
                           "strict": False, "simplify": "optional", "message": ""}], "coefficient": False}
    return spec, "numeric", rubric, answer


def choice(rng):
    ids = [f"c{at}" for at in range(rng.randrange(3, 7))]
    correct = set(rng.sample(ids, rng.randrange(1, len(ids))))

    def answer():
        picked = set(rng.sample(ids, rng.randrange(1, len(ids)))) if rng.random() < 0.6 else correct
        selected = {"selectedChoiceIds": sorted(picked)}
        return "multiple choice", picked == correct, {"type": "multiple_choice", **selected}, selected

    choices = [{"id": i, "content": f"choice {i}", "correct": i in correct} for i in ids]
    spec = {"type": "multiple_choice", "multipleSelect": True, "choices": choices}
    return spec, "radio", {"choices": choices, "countChoices": False}, answer


def ordering(rng):
    ids = [f"i{at}" for at in range(rng.randrange(3, 8))]
    items = rng.sample(ids, len(ids))

    def answer():
        order = ids[:] if rng.random() < 0.4 else rng.sample(ids, len(ids))
        return "ordering", order == ids, {"type": "ordering", "order": order}, {"current": [f"item {i}" for i in order]}

    content = lambda ids: [{"content": f"item {i}"} for i in ids]  # noqa: E731
    spec = {"type": "ordering", "items": [{"id": i, "content": f"item {i}"} for i in items], "correctOrder": ids}
    return spec, "orderer", {"options": content(items), "correctOptions": content(ids), "otherOptions": []}, answer


def matching(rng):
    count = rng.randrange(3, 7)
    left, right = [f"l{at}" for at in range(count)], [f"r{at}" for at in range(count)]
    pairs = lambda paired: [{"left": a, "right": b} for a, b in zip(left, paired)]  # noqa: E731

    def answer():
        paired = right[:] if rng.random() < 0.4 else rng.sample(right, count)
        return "matching", paired == right, {"type": "matching", "pairs": pairs(paired)}, {"left": left, "right": paired}

    side = lambda ids: [{"id": i, "content": i} for i in ids]  # noqa: E731
    spec = {"type": "matching", "left": side(left), "right": side(right), "correctPairs": pairs(right)}
    return spec, "matcher", {"left": left, "right": right, "labels": ["", ""], "orderMatters": False, "padding": True}, answer


class Raw(str):
    """A number that is written as its text."""


def dump(value):
    if isinstance(value, Raw):
        return str(value)
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(k)}:{dump(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(dump, value)) + "]"
    return json.dumps(value)


def run(command, data, where):
    started = time.perf_counter()
    output = subprocess.run(command, input=data, capture_output=True, cwd=where)
    seconds = time.perf_counter() - started
    if not output.stdout:
        sys.exit(f"{command[0]} gave no answers:\n{output.stderr.decode()[-2000:]}")
    return output.stdout, seconds


def question(rng):
    return rng.choice([numeric, choice, ordering, matching])(rng)


def inline(rng, count):
    """Returns lines with question and answer for both systems, and the correct verdicts."""
    ours, theirs, cases = [], [], []
    for at in range(count):
        spec, kind, rubric, answer = question(rng)
        label, right, submission, given = answer()
        ours.append(f'{{"id":{at},"spec":{dump(spec)},"submission":{dump(submission)}}}\n')
        theirs.append(f'{{"id":{at},"kind":"{kind}","input":{dump(given)},"rubric":{dump(rubric)}}}\n')
        cases.append((label, right))
    return ours, theirs, cases


def from_bank(rng, questions, count):
    """Returns lines with answers to the questions for both systems, and the correct verdicts."""
    ours, theirs, cases = [], [], []
    for at in range(count):
        item = rng.randrange(len(questions))
        label, right, submission, given = questions[item][3]()
        ours.append(f'{{"id":{at},"item":"q{item}","submission":{dump(submission)}}}\n')
        theirs.append(f'{{"id":{at},"item":"q{item}","input":{dump(given)}}}\n')
        cases.append((label, right))
    return ours, theirs, cases


def compare(systems, cases, ours, theirs, home):
    """Returns the verdicts of both, and how many times longer the second takes."""
    half = len(ours) // 2
    times, counts = {name: [] for name, *_ in systems}, {}
    for _ in range(options.rounds):
        for (name, command, where, read), lines in zip(systems, (ours, theirs)):
            _, once = run(command, "".join(lines[:half]).encode(), where)
            output, both = run(command, "".join(lines).encode(), where)
            times[name].append(both - once)
            for line in output.decode().splitlines():
                answer = json.loads(line)
                counts.setdefault(name, {})[answer["id"]] = read(answer)
    found = {name: [counts[name].get(at) for at in range(len(cases))] for name, *_ in systems}
    ratios = [b / a for a, b in zip(times["fablegrade"], times["perseus-score"])]
    rate = (len(ours) - half) / statistics.median(times["fablegrade"])
    return found, ratios, rate


def table(systems, cases, found):
    lines = [
        "| questions | count | " + " | ".join(f"{name}: wrong (no answer)" for name, *_ in systems) + " |",
        "|---|---|" + "---|" * len(systems),
    ]
    for kind in sorted({case[0] for case in cases}):
        rows = [at for at, case in enumerate(cases) if case[0] == kind]
        cells = []
        for name, *_ in systems:
            wrong = sum(found[name][at] is not None and found[name][at] != cases[at][1] for at in rows)
            cells.append(f"{wrong} ({sum(found[name][at] is None for at in rows)})")
        lines.append(f"| {kind} | {len(rows)} | " + " | ".join(cells) + " |")
    return lines


def main():
    rng = random.Random(20260301)
    home = pathlib.Path(options.home)
    home.mkdir(parents=True, exist_ok=True)
    if not (home / "node_modules/@khanacademy/perseus-score").exists():
        subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(home), PERSEUS], check=True)
    (home / "perseus_worker.cjs").write_text(WORKER)
    program = options.cli
    if not program:
        target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", root / "target"))
        subprocess.run(["cargo", "build", "--quiet", "--release", "-p", "fablegrade-cli"], cwd=root, check=True)
        program = str(target / "release/fablegrade")
    mine = lambda answer: {"correct": True, "incorrect": False, "partial": False}.get(answer.get("result", {}).get("verdict"))  # noqa: E731
    other = lambda answer: answer["earned"] == answer["total"] if answer["type"] == "points" else None  # noqa: E731
    both = lambda ours, theirs: [("fablegrade", [program, "batch", "--jobs", "1", *ours], root, mine),  # noqa: E731
                                 ("perseus-score", ["node", "perseus_worker.cjs", *theirs], home, other)]
    ours, theirs, cases = inline(rng, options.cases)
    systems = both([], [])
    found, ratios, rate = compare(systems, cases, ours, theirs, home)
    lines = [
        "# Discrete questions: Fablegrade and Perseus' scoring",
        "",
        f"JSON in and JSON out, one core each, one run of {options.rounds} rounds that take turns. {platform.machine()}, Node "
        f"{subprocess.run(['node', '--version'], capture_output=True, text=True).stdout.strip()}, {PERSEUS}. What is right is "
        "computed with exact fractions; every answer is a form that both accept. `benches/peers/scoring.py`.",
        "",
        f"## Question, key and answer in each of {options.cases} lines",
        "",
        *table(systems, cases, found),
        "",
        f"Perseus takes {statistics.median(ratios):.1f} times as long a line (rounds from {min(ratios):.1f} to {max(ratios):.1f}).",
        "",
    ]
    questions = [question(rng) for _ in range(options.questions)]
    bank, their_bank = home / "bank.jsonl", home / "perseus-bank.json"
    bank.write_text("".join(f'{{"item":"q{at}","spec":{dump(spec)}}}\n' for at, (spec, *_) in enumerate(questions)))
    their_bank.write_text("{" + ",".join(f'"q{at}":{{"kind":"{kind}","rubric":{dump(rubric)}}}'
                                         for at, (_, kind, rubric, _) in enumerate(questions)) + "}")
    ours, theirs, cases = from_bank(rng, questions, options.answers)
    systems = both(["--bank", str(bank)], [str(their_bank)])
    found, ratios, rate = compare(systems, cases, ours, theirs, home)
    lines += [
        f"## {options.answers} answers to a bank of {options.questions} questions",
        "",
        *table(systems, cases, found),
        "",
        f"Perseus takes {statistics.median(ratios):.1f} times as long a line (rounds from {min(ratios):.1f} to {max(ratios):.1f}); "
        f"Fablegrade grades {rate:,.0f} lines per second on one core.",
    ]
    report = "\n".join(lines) + "\n"
    print(report)
    if options.write:
        pathlib.Path(options.write).write_text(report)


main()
