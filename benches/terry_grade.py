#!/usr/bin/env python3
"""What `terry grade --jsonl` adds to a checker: milliseconds for each output beyond the checker's own run.

    benches/terry_grade.py --cli PROGRAM [--runs N] [--limit MS] [--write FILE]

In turns, for each of N outputs: one line to a process that has its checker ready and the answer read back, and the same checker
started bare on the same two files. Two tasks: a checker in Python and one in C++. A busy machine makes the many processes of a
sandbox wait for each other, so the processor time of all of them is shown beside the clock. With --limit the exit code is 1 where
the processor time beyond the checker's own is above it.
"""
import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

root = pathlib.Path(__file__).resolve().parents[1]
arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument("--cli", default="fablegrade")
arguments.add_argument("--runs", type=int, default=100)
arguments.add_argument("--limit", type=float)
arguments.add_argument("--write")
options = arguments.parse_args()
# The interpreter of the system, as the sandbox has it.
PYTHON = "/usr/bin/python3" if pathlib.Path("/usr/bin/python3").exists() else sys.executable
TASKS = root / "fablegrade-runner/tests/terry"


def bare_checker(task, folder):
    """The command that runs the checker of a task without a sandbox."""
    shutil.copytree(task / "managers", folder / "managers")
    source = folder / "managers/checker.py"
    if source.exists():
        return [PYTHON, str(source)]
    program = folder / "checker"
    subprocess.run(["g++", "-O2", "-o", program, folder / "managers/checker.cpp"], check=True)
    return [str(program)]


def files_of(task, folder):
    """An input of the task's own generator, and an output for it."""
    generator = task / "managers/generator.py"
    if generator.exists():
        made = subprocess.run([PYTHON, generator, "42", "0"], cwd=task / "managers", check=True, stdout=subprocess.PIPE)
        return made.stdout.decode(), "Case #1: 1\n"
    program = folder / "generator"
    subprocess.run(["g++", "-O2", "-o", program, task / "managers/generator.cpp"], check=True)
    return subprocess.run([program, "42", "0"], check=True, stdout=subprocess.PIPE).stdout.decode(), "1\n"


def processor(command, text=b""):
    """Milliseconds of the processor of a program and all it started."""
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    child.stdin.write(text)
    child.stdin.close()
    used = os.wait4(child.pid, 0)[2]
    child.returncode = 0
    return (used.ru_utime + used.ru_stime) * 1e3


def measure(name):
    task = TASKS / name
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        checker = bare_checker(task, folder)
        given, answer = files_of(task, folder)
        (folder / "input.txt").write_text(given)
        (folder / "output.txt").write_text(answer)
        command = [options.cli, "terry", "grade", str(task), "--jsonl", "--parallel", "1"]
        server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        line = json.dumps({"id": 0, "input": given, "output": answer}).encode() + b"\n"
        pairs, first = [], None
        for run in range(options.runs + 3):
            start = time.perf_counter()
            server.stdin.write(line)
            server.stdin.flush()
            said = json.loads(server.stdout.readline())
            graded = time.perf_counter() - start
            if "result" not in said or "failure" in said:
                raise SystemExit(f"{name}: {said}")
            start = time.perf_counter()
            subprocess.run([*checker, str(folder / "input.txt"), str(folder / "output.txt")], check=True,
                           stdout=subprocess.DEVNULL)
            own = time.perf_counter() - start
            first = first or graded
            if run >= 3:
                pairs.append((graded * 1e3, own * 1e3))
        server.stdin.close()
        server.wait()
        files = [str(folder / "input.txt"), str(folder / "output.txt")]
        alone = sum(processor([*checker, *files]) for _ in range(options.runs)) / options.runs
        many = (processor(command, line * (options.runs + 1)) - processor(command, line)) / options.runs
    beyond = sorted(graded - own for graded, own in pairs)
    return {
        "task": name,
        "first": first * 1e3,
        "graded": statistics.median(graded for graded, _ in pairs),
        "own": statistics.median(own for _, own in pairs),
        "beyond": statistics.median(beyond),
        "processor": many - alone,
    }


rows = [measure("doubling"), measure("largest")]
lines = [
    "| checker | an output, median | the checker alone, median | beyond it, median | beyond it, processor time | the first output, made ready |",
    "|---|---|---|---|---|---|",
]
for row, kind in zip(rows, ("Python", "C++")):
    lines.append(f"| {kind} (`{row['task']}`) | {row['graded']:.1f} ms | {row['own']:.1f} ms | {row['beyond']:.1f} ms "
                 f"| {row['processor']:.1f} ms | {row['first']:.0f} ms |")
print("\n".join(lines))
if options.write:
    pathlib.Path(options.write).write_text("\n".join(lines) + "\n")
if options.limit and any(row["processor"] > options.limit for row in rows):
    raise SystemExit(1)
