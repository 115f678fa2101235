#!/usr/bin/env python3
"""Tests answer keys: compares every key with itself, with its neighbours and with mutations.

    benches/hunt/gold.py --cli target/release/fablegrade [--keys FILE] [--field NAME] [--mutations N] [--seed N] [--show N]

FILE has one JSON object per line, with the key in the field NAME, or tab-separated decisions as in
`fablegrade-math/tests/decisions` (the default: all of them). A key that is called different from itself is printed as a
defect (exit code 1). One that is undecided is printed too, unless the tables list the pair as open. Neighbours and mutations
(a digit, a sign or a relation changed) that are called equal are printed for inspection: most are coincidences of the data,
some are wrong "equal"s.
"""
import argparse
import json
import pathlib
import random
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CHANGES = {"+": "-", "-": "+", "<": ">", ">": "<", "[": "(", "]": ")", "x": "y", "n": "m"}


def keys(options):
    if options.keys:
        for line in open(options.keys, encoding="utf-8"):
            yield json.loads(line).get(options.field), False
        return
    for table in sorted((ROOT / "fablegrade-math/tests/decisions").glob("*.tsv")):
        for line in table.read_text(encoding="utf-8").splitlines():
            cells = line.split("\t")
            if len(cells) == 3 and not line.startswith("#"):
                yield cells[1], cells[0] == "open"


def mutated(text, chance):
    """Returns the text with one digit, sign or letter changed; commands stay unchanged."""
    commands = [range(*match.span()) for match in re.finditer(r"\\[a-zA-Z]+|\{[a-z]{2,}\}", text)]
    places = [
        at for at, letter in enumerate(text)
        if (letter.isascii() and letter.isdigit() or letter in CHANGES) and not any(at in command for command in commands)
    ]
    if not places:
        return None
    at = chance.choice(places)
    new = CHANGES.get(text[at]) or str((int(text[at]) + chance.randint(1, 8)) % 9 + 1)
    return None if new == text[at] else text[:at] + new + text[at + 1:]


def decide(cli, pairs):
    lines = "".join(json.dumps({"id": str(n), "a": a, "b": b}) + "\n" for n, (a, b) in enumerate(pairs))
    run = subprocess.run([cli, "equiv"], input=lines, capture_output=True, text=True, check=False)
    answers = {answer["id"]: answer for answer in map(json.loads, run.stdout.splitlines())}
    return [answers.get(str(n), {}) for n in range(len(pairs))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", default="target/release/fablegrade")
    parser.add_argument("--keys")
    parser.add_argument("--field", default="canonical")
    parser.add_argument("--mutations", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=20, help="pairs printed for a person")
    options = parser.parse_args()
    chance = random.Random(options.seed)
    found = [(key, is_open) for key, is_open in keys(options) if key]
    texts = [key for key, _ in found]
    own = decide(options.cli, [(text, text) for text in texts])
    defects = unread = undecided = 0
    for (text, is_open), answer in zip(found, own):
        if answer.get("error") or answer.get("how") == "error":
            unread += 1
        elif answer.get("equal") is False:
            defects += 1
            print(f"not equal to itself: {text}\n    {answer}")
        elif answer.get("equal") is None:
            undecided += 1
            if not is_open and options.show > 0:
                print(f"not decided to equal itself: {text}\n    {answer.get('evidence') or answer}")
    others = [(a, b, "neighbours") for a, b in zip(texts, texts[1:]) if a != b]
    for text in texts:
        for _ in range(options.mutations):
            change = mutated(text, chance)
            if change:
                others.append((text, change, "a mutation"))
    shown = 0
    for (a, b, kind), answer in zip(others, decide(options.cli, [(a, b) for a, b, _ in others])):
        if answer.get("equal"):
            shown += 1
            if shown <= options.show:
                print(f"{kind}, called equal ({answer.get('how')}): {a}  |  {b}")
    print(f"{len(texts)} keys ({unread} unread, {undecided} undecided beside themselves), {len(others)} other pairs, {shown} of them called equal")
    print(f"{len(texts) - defects} passed, {defects} failed")
    sys.exit(defects > 0)


if __name__ == "__main__":
    main()
