#!/usr/bin/env python3
"""Measures how many times as fast two jobs are as one, compared with the machine's limit: two processes at once.

    cargo build --release -p fablegrade-cli
    python3 benches/two_jobs.py --cli target/release/fablegrade [--lines N] [--rounds N] [--vs OTHER] [--write FILE]

Each round runs, one after another, one job, two jobs, and two processes with one job each, over the whole file. Prints medians over
the rounds:

- *by the wall*: the wall-clock time of one job divided by that of two, which needs two idle processors;
- *machine*: twice the wall-clock time of one job divided by that of two processes at once, the maximum possible;
- *by the work*: twice the CPU time of one job divided by that of two. It equals the first ratio if both threads are always busy,
  and hardly depends on other load on the machine;
- how often the two jobs waited (voluntary context switches), and the same for one job.

With `--vs`, another build runs in the same rounds. Files are read from the page cache, and answers go to /dev/null.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from analysis import write


class Used(NamedTuple):
    """The cost of a run: wall-clock time and CPU time in seconds, and how often it waited."""

    wall: float
    processor: float
    waits: int


def run(command: list[str], times: int = 1) -> Used:
    """Runs several processes of a command at once; the CPU time and the waits are their sums."""
    with open(os.devnull, "wb") as sink:
        started = time.monotonic()
        children = [subprocess.Popen(command, stdout=sink) for _ in range(times)]
        processor, waits = 0.0, 0
        for child in children:
            _, status, used = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
            if child.returncode != 0:
                raise SystemExit(f"{command} failed")
            processor += used.ru_utime + used.ru_stime
            waits += used.ru_nvcsw
        return Used(time.monotonic() - started, processor, waits)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", required=True)
    parser.add_argument("--vs", help="another build of the command")
    parser.add_argument("--lines", type=int, default=4_000_000)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--write", help="write the table to this file")
    arguments = parser.parse_args()
    builds = [build for build in (arguments.cli, arguments.vs) if build]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder, arguments.lines)
        file = {kind: str(folder / f"{kind}.jsonl") for kind in ("bank", "attempts", "inline", "unlike", "results")}
        bank = ["--bank", file["bank"]]
        with open(file["results"], "wb") as results:
            subprocess.run([arguments.cli, "batch", *bank, "--keep", file["attempts"]], stdout=results, check=True)
        sides = {
            "batch --bank": ["batch", *bank, file["attempts"]],
            "batch, specs in the lines": ["batch", file["inline"]],
            "batch --bank, no line twice": ["batch", *bank, file["unlike"]],
            "analyse": ["analyse", file["results"], *bank, "--json"],
        }
        rows = {(side, build): [] for side in sides for build in builds}
        for _ in range(arguments.rounds):
            for (side, build), row in rows.items():
                command = [build, *sides[side], "--jobs"]
                row.append((run([*command, "1"]), run([*command, "2"]), run([*command, "1"], times=2)))
    out = [
        "# Two jobs beside one",
        "",
        f"`benches/two_jobs.py --lines {arguments.lines} --rounds {arguments.rounds}`; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors.",
        "",
        "| | by the wall (least to most) | machine | by the work | waits of two jobs, of one | lines per second, two jobs |",
        "|---|---|---|---|---|---|",
    ]
    for (side, build), row in rows.items():
        wall = sorted(one.wall / two.wall for one, two, _ in row)
        machine = statistics.median(2 * one.wall / both.wall for one, _, both in row)
        work = statistics.median(2 * one.processor / two.processor for one, two, _ in row)
        waits = [statistics.median(used.waits for used in column) for column in zip(*row, strict=True)]
        speed = statistics.median(arguments.lines / two.wall for _, two, _ in row)
        which = side if len(builds) == 1 else f"{side} ({'first' if build == builds[0] else 'other'} build)"
        out.append(
            f"| {which} | {statistics.median(wall):.2f} ({wall[0]:.2f} to {wall[-1]:.2f}) | {machine:.2f} | {work:.2f} "
            f"| {waits[1]:.0f}, {waits[0]:.0f} | {speed:,.0f} |"
        )
    report = "\n".join(out) + "\n"
    print(report)
    if arguments.write:
        Path(arguments.write).write_text(report)


if __name__ == "__main__":
    main()
