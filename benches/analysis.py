#!/usr/bin/env python3
"""Measures how long `batch --bank` and `analyse` take for discrete questions, compared with parsing and printing the same lines.

    cargo build --release -p fablegrade-cli -p fablegrade-benches
    python3 benches/analysis.py --cli target/release/fablegrade --yardstick target/release/batch-speed [--lines N] [--rounds N]
        [--long N] [--write FILE]

Each side is a process that reads one file and discards its output; the sides take turns. Prints medians: CPU time in seconds,
lines per second of CPU time (the throughput of one core on an idle machine, and nearly so on a busy one), the ratio to parsing
and printing the same file, and peak memory. The wall-clock time of two jobs is also compared with that of one job, which needs two
idle cores.

The answers resemble those of an exam: half of them are correct. Wrong choices, orders and pairs are random. Half of the wrong
numbers are a common mistake, the other half any number of four digits. In the files "no line twice", every line has a unique id
after the answer, so no result can be reused. `--long` adds one run of `analyse` over that many results, to measure its memory.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

ITEMS = 200
ANSWERS = 20


def question(at: int) -> dict[str, object]:
    """Returns a question: multiple choice, numeric, ordering and matching in turn."""
    match at % 4:
        case 0:
            choices = [{"id": letter, "content": f"choice {letter} of {at}", "correct": letter == "abc"[at % 3]} for letter in "abcd"]
            return {"type": "multiple_choice", "choices": choices}
        case 1:
            return {"type": "numeric", "answer": {"value": at + 0.5, "tolerance": {"mode": "relative", "amount": 0.01}}}
        case 2:
            items = [{"id": f"i{step}", "content": f"step {step} of {at}"} for step in range(5)]
            return {"type": "ordering", "items": items, "correctOrder": [item["id"] for item in items]}
    sides = {side: [{"id": f"{side[0]}{pair}", "content": f"{side} {pair} of {at}"} for pair in range(3)] for side in ("left", "right")}
    return {"type": "matching", **sides, "correctPairs": [{"left": f"l{pair}", "right": f"r{pair}"} for pair in range(3)]}


def answer(at: int, dice: random.Random) -> dict[str, object]:
    right = dice.random() < 0.5
    match at % 4:
        case 0:
            return {"type": "multiple_choice", "selectedChoiceIds": ["abcd"[at % 3] if right else dice.choice("abcd")]}
        case 1:
            wrong = -(at + 0.5) if dice.random() < 0.5 else dice.randrange(10_000) / 10
            return {"type": "numeric", "value": at + 0.5 if right else wrong}
        case 2:
            steps = range(5) if right else dice.sample(range(5), 5)
            return {"type": "ordering", "order": [f"i{step}" for step in steps]}
    partners = range(3) if right else dice.sample(range(3), 3)
    return {"type": "matching", "pairs": [{"left": f"l{left}", "right": f"r{pair}"} for left, pair in enumerate(partners)]}


def write(folder: Path, lines: int) -> None:
    bank = [(f"question-{at:03}", question(at)) for at in range(ITEMS)]
    text = lambda value: json.dumps(value, separators=(",", ":"))  # noqa: E731
    with (folder / "bank.jsonl").open("w") as file:
        file.writelines(text({"item": item, "spec": spec}) + "\n" for item, spec in bank)
    dice = random.Random(42)
    with (folder / "attempts.jsonl").open("w") as named, (folder / "inline.jsonl").open("w") as inline, \
            (folder / "unlike.jsonl").open("w") as unlike:
        for sitting in range(lines // ANSWERS):
            for at in dice.sample(range(ITEMS), ANSWERS):
                item, spec = bank[at]
                submission = text(answer(at, dice))
                start = f'{{"id":"attempt-{sitting:06}-{at:03}",'
                named.write(f'{start}"item":"{item}","sitting":"sitting-{sitting:06}","submission":{submission}}}\n')
                inline.write(f'{start}"spec":{text(spec)},"submission":{submission}}}\n')
                own = f"00000000-0000-4000-8000-{sitting:06}{at:06}"
                unlike.write(f'{start}"item":"{item}","sitting":"sitting-{sitting:06}","submission":{submission},'
                             f'"context":{{"attemptId":"{own}"}}}}\n')


def run(command: list[str], output: Path | None = None) -> tuple[float, float, float]:
    """Returns the CPU time and the wall-clock time of a process in seconds, and its peak memory in MiB."""
    with open(output or os.devnull, "wb") as sink:
        started = time.monotonic()
        child = subprocess.Popen(command, stdout=sink)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise SystemExit(f"{command} failed")
    return used.ru_utime + used.ru_stime, time.monotonic() - started, used.ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", required=True)
    parser.add_argument("--yardstick", help="path of batch-speed; without it there are no ratios")
    parser.add_argument("--lines", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--long", type=int, default=0, help="results of one long run of analyse")
    parser.add_argument("--write", help="write the table to this file")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder, arguments.lines)
        kinds = ("bank", "attempts", "inline", "unlike", "results", "unlike-results")
        path = {kind: str(folder / f"{kind}.jsonl") for kind in kinds}
        bank = ["--bank", path["bank"]]
        run([arguments.cli, "batch", *bank, "--keep", path["attempts"]], folder / "results.jsonl")
        run([arguments.cli, "batch", *bank, "--keep", path["unlike"]], folder / "unlike-results.jsonl")
        sides = {
            ("batch, specs in the lines", "inline"): ["batch", "--jobs", "1", path["inline"]],
            ("batch --bank", "attempts"): ["batch", *bank, "--jobs", "1", path["attempts"]],
            ("batch --bank --jobs 2", "attempts"): ["batch", *bank, "--jobs", "2", path["attempts"]],
            ("batch --bank, no line twice", "unlike"): ["batch", *bank, "--jobs", "1", path["unlike"]],
            ("analyse", "results"): ["analyse", path["results"], *bank, "--json", "--jobs", "1"],
            ("analyse --jobs 2", "results"): ["analyse", path["results"], *bank, "--json", "--jobs", "2"],
            ("analyse, no line twice", "unlike-results"): ["analyse", path["unlike-results"], *bank, "--json", "--jobs", "1"],
        }
        commands = {side: [arguments.cli, *command] for side, command in sides.items()}
        if arguments.yardstick:
            for kind in ("inline", "attempts", "unlike", "results", "unlike-results"):
                commands[f"parse and print: {kind}", kind] = [arguments.yardstick, "--parse-and-print", path[kind]]
        measured = {side: [] for side in commands}
        for _ in range(arguments.rounds):
            for side, command in commands.items():
                measured[side].append(run(command))
        bytes_each = {kind: Path(path[kind]).stat().st_size / arguments.lines for kind in kinds}
        long = long_run(arguments, folder, bank) if arguments.long else None
    median = {side: [statistics.median(column) for column in zip(*rows, strict=True)] for side, rows in measured.items()}
    out = [
        "# Item banks and item analysis, against parsing and printing the same lines",
        "",
        f"`benches/analysis.py --lines {arguments.lines} --rounds {arguments.rounds}`: {ITEMS} discrete questions (multiple choice, numeric, ordering, "
        f"matching), {ANSWERS} answers per sitting; medians of processor seconds; load {os.getloadavg()[0]:.0f} on {os.cpu_count()} processors.",
        "",
        "| | bytes per line | seconds | lines per second | ratio to parse and print | peak MiB |",
        "|---|---|---|---|---|---|",
    ]
    for (name, kind), (processor, _, peak) in median.items():
        yardstick = median.get((f"parse and print: {kind}", kind))
        ratio = f"{processor / yardstick[0]:.2f}" if yardstick else "-"
        out.append(f"| {name} | {bytes_each[kind]:.0f} | {processor:.2f} | {arguments.lines / processor:,.0f} | {ratio} | {peak:.1f} |")
    out.append("")
    for one, two, kind in [("batch --bank", "batch --bank --jobs 2", "attempts"), ("analyse", "analyse --jobs 2", "results")]:
        by_wall = median[one, kind][1] / median[two, kind][1]
        out.append(f"- `{two}`: {by_wall:.2f} times as fast as one job, by the wall.")
    if long:
        out.append(long)
    report = "\n".join(out) + "\n"
    print(report)
    if arguments.write:
        Path(arguments.write).write_text(report)


def long_run(arguments: argparse.Namespace, folder: Path, bank: list[str]) -> str:
    """Runs `analyse` over many results, which are generated while it reads them: the small file is repeated, each time with other
    names of sittings."""
    times = arguments.long // arguments.lines
    pipe = folder / "long.jsonl"
    os.mkfifo(pipe)
    command = [arguments.cli, "analyse", str(pipe), *bank, "--json", "--jobs", "1"]
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    with pipe.open("wb") as file:
        lines = (folder / "results.jsonl").read_bytes()
        for time_ in range(times):
            file.write(lines.replace(b'"sitting-', b'"sitting-%d-' % time_))
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise SystemExit(f"{command} failed")
    seconds, count = used.ru_utime + used.ru_stime, times * arguments.lines
    return (f"- `analyse` over {count:,} results in one pass from a pipe: {count / seconds:,.0f} lines per second, peak "
            f"{used.ru_maxrss / 1024:.1f} MiB, of which {count // ANSWERS:,} sittings take about 20 to 40 bytes each.")


if __name__ == "__main__":
    main()
