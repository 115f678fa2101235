#!/usr/bin/env python3
"""Tests that decisions do not depend on how a pair is spelled.

    benches/hunt/spelling.py --cli target/release/fablegrade [--spellings N] [--seed N] [FILE or FOLDER ...]

Every file has one JSON object per line with the sides `canonical` and `latex` (folders: all their `.jsonl` files), or
tab-separated decisions as in `fablegrade-math/tests/decisions` (the default). Each pair is compared unchanged and in other
spellings: other names for its variables, spaces around signs, synonymous commands, brackets with or without `\\left` and `\\right`,
and swapped sides. A pair whose decision changes is printed, and the exit code is 1. `fablegrade-math/tests/spelling.rs` reorders
terms and factors.
"""
import argparse
import json
import pathlib
import random
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# Letters without a fixed meaning; those of each pair are permuted.
LETTERS = "abuvwxy"
TOKEN = re.compile(
    r"\\(?:text|mathrm|operatorname\*?|mathbb|mathbf|mathcal|begin|end|variable|mbox|unit|label)\s*\{[^{}]*\}"
    r"|\\[a-zA-Z]+\s*|\\.|[0-9]+(?:\.[0-9]+)?|[a-zA-Z]+|\s+|.",
    re.S,
)
SAME = {
    r"\frac": (r"\frac", r"\dfrac", r"\tfrac"), r"\dfrac": (r"\frac", r"\dfrac"), r"\le": (r"\le", r"\leq", r"\leqslant"),
    r"\leq": (r"\le", r"\leq"), r"\ge": (r"\ge", r"\geq", r"\geqslant"), r"\geq": (r"\ge", r"\geq"), r"\ne": (r"\ne", r"\neq"),
    r"\neq": (r"\ne", r"\neq"), r"\land": (r"\land", r"\wedge"), r"\lor": (r"\lor", r"\vee"), r"\to": (r"\to", r"\rightarrow"),
}


def tokens(text):
    return TOKEN.findall(text)


def names(parts):
    """Returns the letters that occur outside of commands."""
    return {letter for part in parts if part[0].isalpha() for letter in part}


def may_rename(parts):
    """Returns whether letters can be changed: words, and letters that belong together, would lose their meaning."""
    text = "".join(parts)
    return not re.search(r"\\(?:text|mathrm|operatorname|variable|mbox|vec|hat|mathbf|boxed|log|limits)|dx|dy|d[a-z]|[a-z]{4}|(?<![a-z])(?:and|or)(?![a-z])|'|`|[A-Z]", text)


def paired(parts):
    """Returns matching round brackets that can be written with `\\left`: both must be in the same group."""
    open_at, found = [[]], []
    for at, part in enumerate(parts):
        before = parts[at - 1].strip() if at else ""
        if part in ("{", r"\{"):
            open_at.append([])
        elif part in ("}", r"\}"):
            if len(open_at) < 2:
                return []
            open_at.pop()
        elif part in "()[]|" and before.lower().startswith((r"\left", r"\right", r"\mleft", r"\mright", r"\big")) or part in "[]|&":
            return []
        elif part == "(":
            open_at[-1].append(at)
        elif part == ")":
            if not open_at[-1]:
                return []
            found.append((open_at[-1].pop(), at))
    return found if len(open_at) == 1 and not open_at[0] else []


def respelled(pair, chance):
    sides = [tokens(side) for side in pair]
    if all(may_rename(side) for side in sides):
        own = sorted((names(sides[0]) | names(sides[1])) & set(LETTERS))
        others = chance.sample(own, len(own))
        table = str.maketrans("".join(own), "".join(others))
        sides = [[part.translate(table) if part[0].isalpha() else part for part in side] for side in sides]
    written = []
    for parts in sides:
        parts = list(parts)
        for first, last in paired(parts):
            if chance.random() < 0.4:
                parts[first], parts[last] = r"\left(", r"\right)"
        text = ""
        for at, part in enumerate(parts):
            bare = part.strip()
            part = chance.choice(SAME[bare]) + " " if bare in SAME else part
            spaced = bare in "=+<>" or bare in SAME and bare not in (r"\frac", r"\dfrac")
            # a sign in front of a number can belong to it, and `\ ` is not a space in all positions
            if bare and spaced and 0 < at < len(parts) - 1 and parts[at - 1][0] not in "_^\\&!<>=+:|" and parts[at + 1][0] not in "=<>&+:|":
                part = chance.choice(("", " ", "  ", " ")) + part + chance.choice(("", " ", "  "))
            text += part
        written.append(text)
    if chance.random() < 0.5:
        written.reverse()
    return tuple(written)


def pairs(places):
    files = []
    for place in places:
        place = pathlib.Path(place)
        files += sorted(place.rglob("*.jsonl")) + sorted(place.rglob("*.tsv")) if place.is_dir() else [place]
    for file in files:
        for line in file.read_text(encoding="utf-8").splitlines():
            if file.suffix == ".tsv":
                cells = line.split("\t")
                if len(cells) == 3 and not line.startswith("#"):
                    yield cells[1], cells[2]
                continue
            row = json.loads(line)
            if isinstance(row.get("canonical"), str) and isinstance(row.get("latex"), str):
                yield row["canonical"], row["latex"]


def decide(cli, asked):
    lines = "".join(json.dumps({"id": str(n), "a": a, "b": b}) + "\n" for n, (a, b) in enumerate(asked))
    run = subprocess.run([cli, "equiv", "--jsonl"], input=lines, capture_output=True, text=True, check=False)
    answers = {answer["id"]: answer for answer in map(json.loads, run.stdout.splitlines())}
    if len(answers) != len(asked):
        raise RuntimeError(f"{len(answers)} answers to {len(asked)} pairs: {run.stderr[-300:]}")
    return ["error" if "error" in answers[str(n)] else answers[str(n)]["equal"] for n in range(len(asked))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", default="target/release/fablegrade")
    parser.add_argument("--spellings", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("places", nargs="*", default=[str(ROOT / "fablegrade-math/tests/decisions")])
    options = parser.parse_args()
    chance = random.Random(options.seed)
    known = list(dict.fromkeys(pairs(options.places)))
    asked = [(at, respelled(pair, chance)) for at, pair in enumerate(known) for _ in range(options.spellings)]
    asked = list(dict.fromkeys((at, spelling) for at, spelling in asked if spelling not in (known[at], known[at][::-1])))
    own = decide(options.cli, known)
    broken = set()
    for (at, spelling), verdict in zip(asked, decide(options.cli, [spelling for _, spelling in asked])):
        if verdict != own[at] and at not in broken:
            broken.add(at)
            print(f"{known[at][0]}  |  {known[at][1]}  is {own[at]}\n    {spelling[0]}  |  {spelling[1]}  is {verdict}")
    print(f"{len(known)} pairs, {len(asked)} other spellings")
    print(f"{len(known) - len(broken)} passed, {len(broken)} failed")
    sys.exit(bool(broken))


if __name__ == "__main__":
    main()
