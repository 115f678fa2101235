#!/usr/bin/env python3
"""Counts the instructions of each hot path with callgrind, and compares them with the committed counts.

    benches/instructions.py [--write] [--only PREFIX]

Each scenario of `benches/src/scenarios.rs` runs 20 and 120 times; the difference is the count for 100 runs. Unlike time, the count
does not depend on other load on the machine, so a slower hot path is also detected on a busy machine. Counts are compared only for the
compiler with which they were made; with another one they are only printed. A path may take up to 5 % more instructions than its count.
If it takes 5 % less, update the count with `--write`.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parent.parent
committed = root / "benches/results/instructions.json"
SLACK = 0.05
RATIO_LIMIT = 1.5

arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument("--write", action="store_true")
arguments.add_argument("--only", default="")
options = arguments.parse_args()

target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", root / "target"))
program = target / "optimised/repeat"
build = "cargo build --quiet --profile optimised -p fablegrade-benches --no-default-features --bin repeat"
subprocess.run(build.split(), cwd=root, check=True)
compiler = subprocess.run(["rustc", "--version"], capture_output=True, text=True, check=True).stdout.strip()
names = subprocess.run([program], capture_output=True, text=True, check=True).stdout.split()


def instructions(name, count):
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, name, str(count)]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    return int(re.search(r"Collected : (\d+)", output)[1])


def measure(name):
    return name, round((instructions(name, 120) - instructions(name, 20)) / 100)


with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    found = dict(pool.map(measure, [name for name in names if name.startswith(options.only)]))
known = json.loads(committed.read_text()) if committed.exists() else {"compiler": "", "instructions": {}}
same_compiler = known["compiler"] == compiler
good, bad, skipped = 0, 0, 0
for name, count in found.items():
    before = known["instructions"].get(name)
    change = f"{count / before - 1:+8.1%}" if before else "     new"
    verdict = ""
    if not before or not same_compiler:
        skipped += 1
    elif count > before * (1 + SLACK):
        bad += 1
        verdict = "  SLOWER"
    else:
        good += 1
        verdict = "  faster: --write" if count < before * (1 - SLACK) else ""
    print(f"{name:32} {count:12,} {change}{verdict}")
# The maximum cost of a line of a batch, relative to parsing and printing the same text.
for name in ("multiple_choice", "numeric", "ordering", "matching"):
    if f"line/{name}" in found:
        ratio = found[f"line/{name}"] / found[f"parse-and-print/{name}"]
        verdict = "" if ratio <= RATIO_LIMIT else "  TOO MUCH"
        good, bad = (good + 1, bad) if ratio <= RATIO_LIMIT else (good, bad + 1)
        print(f"line / parse-and-print, {name:16} {ratio:8.2f}{verdict}")
if options.write:
    known = {"compiler": compiler, "instructions": dict(sorted((known["instructions"] | found).items()))}
    committed.write_text(json.dumps(known, indent=1) + "\n")
elif not same_compiler:
    print(f"the committed counts were made by {known['compiler']!r}, this is {compiler!r}: not compared")
print(f"{good} passed, {bad} failed, {skipped} skipped")
sys.exit(1 if bad else 0)
