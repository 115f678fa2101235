#!/usr/bin/env python3
"""Discrete questions through Fablegrade and Perseus' scoring package in one run: agreement with exact arithmetic, and speed.

    benches/peers/scoring.py [--cases N] [--rounds N] [--write FILE]

Both are processes that read JSON lines and print a verdict for each: `fablegrade batch --jobs 1`, and Node with
@khanacademy/perseus-score (pinned below; installed with npm into `--home`, default `.cache/peers`). Each line holds
question, key and answer in the system's own form. What is right is computed here with exact fractions. Speed is the time
of the second half of a doubled file, so that starting a process does not count; medians of the rounds.
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
arguments.add_argument("--rounds", type=int, default=5)
arguments.add_argument("--home", default=str(root / ".cache/peers"))
arguments.add_argument("--write")
options = arguments.parse_args()

WORKER = """
const score = require("@khanacademy/perseus-score");
const run = {radio: score.scoreRadio, numeric: score.scoreNumericInput, orderer: score.scoreOrderer, matcher: score.scoreMatcher};
const lines = require("fs").readFileSync(0, "utf8").split("\\n");
const out = [];
for (const line of lines) {
  if (!line) continue;
  const row = JSON.parse(line);
  const result = run[row.kind](row.input, row.rubric);
  out.push(JSON.stringify({id: row.id, type: result.type, earned: result.earned ?? null, total: result.total ?? null}));
}
process.stdout.write(out.join("\\n") + "\\n");
"""


def decimal(rng):
    """A decimal as authors and learners write it: up to three places."""
    places = rng.randrange(4)
    return fractions.Fraction(rng.randrange(-10**4, 10**4), 10**places), places


def text(value, places):
    digits = f"{abs(value.numerator) * 10**places // value.denominator:0{places + 1}}"
    sign = "-" if value < 0 else ""
    return sign + (digits if places == 0 else f"{digits[:-places]}.{digits[-places:]}")


def numeric(rng):
    value, places = decimal(rng)
    amount = fractions.Fraction(rng.randrange(1, 50), 10**places)
    # Half of the answers lie on the edge of what is accepted or one last digit beside it: where floats go wrong.
    step = rng.choice([0, amount, -amount, amount + fractions.Fraction(1, 10**places), -amount - fractions.Fraction(1, 10**places),
                       fractions.Fraction(rng.randrange(-60, 60), 10**places)])
    answer = value + step
    right = abs(answer - value) <= amount
    ours = {"type": "numeric", "answer": {"value": Raw(text(value, places)),
                                          "tolerance": {"mode": "absolute", "amount": Raw(text(amount, places))}}}, \
        {"type": "numeric", "value": Raw(text(answer, places))}
    theirs = "numeric", {"currentValue": text(answer, places)}, {
        "answers": [{"value": Raw(text(value, places)), "status": "correct", "maxError": Raw(text(amount, places)),
                     "strict": False, "simplify": "optional", "message": ""}], "coefficient": False}
    return "numeric, on the edge" if step else "numeric", right, ours, theirs


def choice(rng):
    ids = [f"c{at}" for at in range(rng.randrange(3, 7))]
    correct = set(rng.sample(ids, rng.randrange(1, len(ids))))
    picked = set(rng.sample(ids, rng.randrange(1, len(ids)))) if rng.random() < 0.6 else correct
    ours = {"type": "multiple_choice", "multipleSelect": True,
            "choices": [{"id": i, "content": f"choice {i}", "correct": i in correct} for i in ids]}, \
        {"type": "multiple_choice", "selectedChoiceIds": sorted(picked)}
    theirs = "radio", {"selectedChoiceIds": sorted(picked)}, {
        "choices": [{"id": i, "content": f"choice {i}", "correct": i in correct} for i in ids], "countChoices": False}
    return "multiple choice", picked == correct, ours, theirs


def ordering(rng):
    ids = [f"i{at}" for at in range(rng.randrange(3, 8))]
    order = ids[:] if rng.random() < 0.4 else rng.sample(ids, len(ids))
    items = rng.sample(ids, len(ids))
    ours = {"type": "ordering", "items": [{"id": i, "content": f"item {i}"} for i in items], "correctOrder": ids}, \
        {"type": "ordering", "order": order}
    theirs = "orderer", {"current": [f"item {i}" for i in order]}, {
        "options": [{"content": f"item {i}"} for i in items], "correctOptions": [{"content": f"item {i}"} for i in ids], "otherOptions": []}
    return "ordering", order == ids, ours, theirs


def matching(rng):
    count = rng.randrange(3, 7)
    left, right = [f"l{at}" for at in range(count)], [f"r{at}" for at in range(count)]
    paired = right[:] if rng.random() < 0.4 else rng.sample(right, count)
    ours = {"type": "matching", "left": [{"id": i, "content": i} for i in left], "right": [{"id": i, "content": i} for i in right],
            "correctPairs": [{"left": a, "right": b} for a, b in zip(left, right)]}, \
        {"type": "matching", "pairs": [{"left": a, "right": b} for a, b in zip(left, paired)]}
    theirs = "matcher", {"left": left, "right": paired}, {"left": left, "right": right, "labels": ["", ""], "orderMatters": False, "padding": True}
    return "matching", paired == right, ours, theirs


class Raw(str):
    """A number by its text."""


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


def main():
    rng = random.Random(20260301)
    cases = [rng.choice([numeric, choice, ordering, matching])(rng) for _ in range(options.cases)]
    home = pathlib.Path(options.home)
    home.mkdir(parents=True, exist_ok=True)
    if not (home / "node_modules/@khanacademy/perseus-score").exists():
        subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(home), PERSEUS], check=True)
    (home / "perseus_worker.cjs").write_text(WORKER)
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", root / "target"))
    subprocess.run(["cargo", "build", "--quiet", "--release", "-p", "fablegrade-cli"], cwd=root, check=True)
    ours = "".join(f'{{"id":{at},"spec":{dump(c[2][0])},"submission":{dump(c[2][1])}}}\n' for at, c in enumerate(cases)).encode()
    theirs = "".join(f'{{"id":{at},"kind":"{c[3][0]}","input":{dump(c[3][1])},"rubric":{dump(c[3][2])}}}\n' for at, c in enumerate(cases)).encode()
    systems = [
        ("fablegrade", [str(target / "release/fablegrade"), "batch", "--jobs", "1"], ours, root,
         lambda answer: {"correct": True, "incorrect": False, "partial": False}.get(answer.get("result", {}).get("verdict"))),
        ("perseus-score", ["node", "perseus_worker.cjs"], theirs, home,
         lambda answer: answer["earned"] == answer["total"] if answer["type"] == "points" else None),
    ]
    kinds = sorted({case[0] for case in cases})
    times = {name: [] for name, *_ in systems}
    counts = {}
    for _ in range(options.rounds):
        for name, command, data, where, read in systems:
            output, once = run(command, data, where)
            _, twice = run(command, data + data, where)
            times[name].append(twice - once)
            for line in output.decode().splitlines():
                answer = json.loads(line)
                counts.setdefault(name, {})[answer["id"]] = read(answer)
    ratios = [b / a for a, b in zip(times["fablegrade"], times["perseus-score"])]
    lines = [
        "# Discrete questions: Fablegrade and Perseus' scoring",
        "",
        f"{len(cases)} lines of question, key and answer, JSON in and JSON out, one core each, one run of {options.rounds} rounds that take "
        f"turns. {platform.machine()}, Node {subprocess.run(['node', '--version'], capture_output=True, text=True).stdout.strip()}, "
        f"{PERSEUS}. What is right is computed with exact fractions; every answer is a form that both accept.",
        "",
        "| questions | count | " + " | ".join(f"{name}: wrong (no answer)" for name, *_ in systems) + " |",
        "|---|---|" + "---|" * len(systems),
    ]
    for kind in kinds:
        rows = [at for at, case in enumerate(cases) if case[0] == kind]
        cells = []
        for name, *_ in systems:
            found = [counts[name].get(at) for at in rows]
            wrong = sum(f is not None and f != cases[at][1] for at, f in zip(rows, found))
            cells.append(f"{wrong} ({sum(f is None for f in found)})")
        lines.append(f"| {kind} | {len(rows)} | " + " | ".join(cells) + " |")
    lines += ["", f"Perseus takes {statistics.median(ratios):.1f} times as long a line (rounds from {min(ratios):.1f} to {max(ratios):.1f})."]
    report = "\n".join(lines) + "\n"
    print(report)
    if options.write:
        pathlib.Path(options.write).write_text(report)


main()
