#!/usr/bin/env python3
"""Measures what `terry grade --jsonl` adds to a checker: milliseconds per output beyond the checker's own run.

    benches/terry_grade.py --cli PROGRAM [--runs N] [--limit MS] [--write FILE]

For each of N outputs, alternately sends one line to a process that has its checker ready and reads the answer, and starts the same
checker without a sandbox on the same two files. There are two tasks: one with a checker in Python, one in C++. On a busy machine, the
many processes of a sandbox wait for each other, so their total CPU time is shown in addition to the wall-clock time. With --limit, the
exit code is 1 if the CPU time beyond the checker's own exceeds the limit, or, on a quiet machine, if the median wall-clock time does.
The machine is quiet if the bare checker's wall-clock time is only a little more than its CPU time; --quiet requires this.
"""
import argparse
import json
import os
import pathlib
import platform
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
arguments.add_argument("--quiet", action="store_true", help="fail on a busy machine")
arguments.add_argument("--write")
options = arguments.parse_args()
# The interpreter of the system, which the sandbox also uses.
PYTHON = "/usr/bin/python3" if pathlib.Path("/usr/bin/python3").exists() else sys.executable
TASKS = root / "fablegrade-runner/tests/terry"


def bare_checker(task, folder):
    """Returns the command that runs the checker of a task without a sandbox."""
    shutil.copytree(task / "managers", folder / "managers")
    source = folder / "managers/checker.py"
    if source.exists():
        return [PYTHON, str(source)]
    program = folder / "checker"
    subprocess.run(["g++", "-O2", "-o", program, folder / "managers/checker.cpp"], check=True)
    return [str(program)]


def files_of(task, folder):
    """Returns an input from the task's own generator, and an output for it."""
    generator = task / "managers/generator.py"
    if generator.exists():
        made = subprocess.run([PYTHON, generator, "42", "0"], cwd=task / "managers", check=True, stdout=subprocess.PIPE)
        return made.stdout.decode(), "Case #1: 1\n"
    program = folder / "generator"
    subprocess.run(["g++", "-O2", "-o", program, task / "managers/generator.cpp"], check=True)
    return subprocess.run([program, "42", "0"], check=True, stdout=subprocess.PIPE).stdout.decode(), "1\n"


def processor(command, text=b""):
    """Returns the CPU time of a process and all its descendants, in milliseconds."""
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
        command = [options.cli, "terry", "grade", str(task), "--jsonl", "--jobs", "1"]
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
        # Starting a process takes some milliseconds of CPU time of its parent.
        "quiet": statistics.median(own for _, own in pairs) < 1.3 * alone + 4,
    }


rows = [measure("doubling"), measure("largest")]
quiet = all(row["quiet"] for row in rows)
state = "a quiet machine" if quiet else "a busy machine, where the clock says little"
lines = [
    "# Many outputs for one checker of terry",
    "",
    f"`benches/terry_grade.py --runs {options.runs}`: {platform.machine()}, {os.cpu_count()} cores, {state}. Beyond the checker's own time: "
    "what the sandbox, its start and the reading of the result add to each output.",
    "",
    "| checker | an output, median | the checker alone, median | beyond it, median | beyond it, CPU time | the first output, made ready |",
    "|---|---|---|---|---|---|",
]
for row, kind in zip(rows, ("Python", "C++")):
    lines.append(f"| {kind} (`{row['task']}`) | {row['graded']:.1f} ms | {row['own']:.1f} ms | {row['beyond']:.1f} ms "
                 f"| {row['processor']:.1f} ms | {row['first']:.0f} ms |")
lines += ["", "The goal is 60 ms."]
print("\n".join(lines))
if options.write:
    pathlib.Path(options.write).write_text("\n".join(lines) + "\n")
if options.quiet and not quiet:
    raise SystemExit("the machine is busy")
if options.limit:
    measured = [row["processor"] for row in rows] + [row["beyond"] for row in rows if quiet]
    if any(milliseconds > options.limit for milliseconds in measured):
        raise SystemExit(1)
