#!/usr/bin/env python3
"""Compares the program's verdicts with a collection of cases, which can be next to the project, and fails if agreement
drops.

    tests/agreement.py [--cli target/release/fablegrade] [--collection ../shared]

The collection has its own runner (`accept.py --json`). Each part has a minimum share of agreement and a maximum number
of wrong "equal" (or "correct") verdicts. Without a collection, nothing is measured, and a message says so.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parent.parent
arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument("--cli", default=str(root / "target/release/fablegrade"))
arguments.add_argument("--collection", default=str(root.parent / "shared"))
options = arguments.parse_args()

# part: (minimum share of agreement, maximum number of wrong "equal" or "correct", or None)
LINE = {
    "graded.peers": (1.0, None),
    "graded.decisions": (1.0, None),
    "matchers": (1.0, None),
    "schema": (1.0, None),
    "expressions.core": (0.99, 0),
    "expressions.mutants": (1.0, 0),
    "expressions.latex2sympy": (0.85, 0),
    # Relations are equal if they hold at the same points, and a relation is equal to the set of its solutions. Some suites
    # of this part compare the form, or the truth of closed statements, instead (docs/expressions.md names them).
    "expressions.structured": (0.93, None),
    "fresh": (0.993, 0),
    "fresh.probes": (0.94, 0),
    "relations": (0.99, 0),
    "lint.defects": (0.9, None),
    "lint.good": (1.0, None),
    "lint.unusual": (0.9, None),
    "verify.responses": (0.985, 0),
    "verify.conventions": (0.97, 0),
    "flowmcp.documents": (1.0, None),
    "flowmcp.aggregate": (1.0, None),
    "formspec.determine": (1.0, None),
    "judgehost.documents": (1.0, None),
    "kattis.default_validator": (1.0, None),
}

runner = pathlib.Path(options.collection) / "accept.py"
if not runner.exists():
    print("no case collection beside the project: nothing measured")
    sys.exit(0)
only = sorted({part.split(".")[0] for part in LINE})
output = subprocess.run(
    [sys.executable, str(runner), "--cli", options.cli, "--json", "--only", *only],
    check=True, capture_output=True, text=True,
).stdout
report = json.loads(output)
below = 0
for part, (least, wrong) in LINE.items():
    found = report.get(part)
    if not found or not found["n"]:
        print(f"{part:28} not measured")
        below += 1
        continue
    share = found["right"] / found["n"]
    equal = re.search(r"wrong-(?:equal|correct) (\d+)", found["note"] or "")
    bad = share < least or (wrong is not None and (equal is None or int(equal.group(1)) > wrong))
    below += bad
    mark = "BELOW" if bad else "ok"
    print(f"{mark:6} {part:28} {found['right']:5}/{found['n']:<5} {100 * share:6.2f} %  (least {100 * least:g} %)  {found['note']}")
    if bad:
        print("       ", " ".join(map(str, found["bad"][:60])))
sys.exit(1 if below else 0)
