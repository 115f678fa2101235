#!/usr/bin/env python3
"""How long `batch --bank` and `analyse` take for discrete questions, against parsing and printing the same lines.

    cargo build --release -p fablegrade-cli -p fablegrade-benches
    python3 benches/analysis.py --cli target/release/fablegrade --yardstick target/release/batch-speed [--lines N] [--rounds N]

Every side is a process that reads one file and writes nowhere; the sides take turns. Printed are medians: seconds of processor
time, lines for each of these seconds (what one core does on an idle machine, and nearly so on a busy one), the ratio to parsing
and printing the same file, and peak memory. Two jobs are also compared with one by the time on the wall, which needs two idle
cores.
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
    """Multiple choice, numeric, ordering and matching in turn."""
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
    shift = dice.choice([0, 0, 1, 2])
    match at % 4:
        case 0:
            return {"type": "multiple_choice", "selectedChoiceIds": ["abcd"[(at % 3 + shift) % 4]]}
        case 1:
            return {"type": "numeric", "value": at + 0.5 + shift}
        case 2:
            return {"type": "ordering", "order": [f"i{(step + shift) % 5}" for step in range(5)]}
    return {"type": "matching", "pairs": [{"left": f"l{pair}", "right": f"r{(pair + shift) % 3}"} for pair in range(3)]}


def write(folder: Path, lines: int) -> None:
    bank = [(f"question-{at:03}", question(at)) for at in range(ITEMS)]
    text = lambda value: json.dumps(value, separators=(",", ":"))  # noqa: E731
    with (folder / "bank.jsonl").open("w") as file:
        file.writelines(text({"item": item, "spec": spec}) + "\n" for item, spec in bank)
    dice = random.Random(42)
    with (folder / "attempts.jsonl").open("w") as named, (folder / "inline.jsonl").open("w") as inline:
        for sitting in range(lines // ANSWERS):
            for at in dice.sample(range(ITEMS), ANSWERS):
                item, spec = bank[at]
                submission = text(answer(at, dice))
                start = f'{{"id":"attempt-{sitting:06}-{at:03}",'
                named.write(f'{start}"item":"{item}","sitting":"sitting-{sitting:06}","submission":{submission}}}\n')
                inline.write(f'{start}"spec":{text(spec)},"submission":{submission}}}\n')


def run(command: list[str], output: Path | None = None) -> tuple[float, float, float]:
    """Seconds of processor time, seconds on the wall, peak memory in MiB."""
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
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder, arguments.lines)
        path = {kind: str(folder / f"{kind}.jsonl") for kind in ("bank", "attempts", "inline", "results")}
        bank = ["--bank", path["bank"]]
        run([arguments.cli, "batch", *bank, "--keep", path["attempts"]], folder / "results.jsonl")
        sides = {
            ("batch, specs in the lines", "inline"): ["batch", "--jobs", "1", path["inline"]],
            ("batch --bank", "attempts"): ["batch", *bank, "--jobs", "1", path["attempts"]],
            ("batch --bank --jobs 2", "attempts"): ["batch", *bank, "--jobs", "2", path["attempts"]],
            ("analyse", "results"): ["analyse", path["results"], *bank, "--json", "--jobs", "1"],
            ("analyse --jobs 2", "results"): ["analyse", path["results"], *bank, "--json", "--jobs", "2"],
        }
        commands = {side: [arguments.cli, *command] for side, command in sides.items()}
        if arguments.yardstick:
            for kind in ("inline", "attempts", "results"):
                commands[f"parse and print: {kind}", kind] = [arguments.yardstick, "--parse-and-print", path[kind]]
        measured = {side: [] for side in commands}
        for _ in range(arguments.rounds):
            for side, command in commands.items():
                measured[side].append(run(command))
    median = {side: [statistics.median(column) for column in zip(*rows, strict=True)] for side, rows in measured.items()}
    print(f"{'':28} {'seconds':>8} {'lines/s':>10} {'ratio':>6} {'MiB':>6}")
    for (name, kind), (processor, _, peak) in median.items():
        yardstick = median.get((f"parse and print: {kind}", kind))
        ratio = f"{processor / yardstick[0]:6.2f}" if yardstick else f"{'-':>6}"
        print(f"{name:28} {processor:8.2f} {arguments.lines / processor:10,.0f} {ratio} {peak:6.1f}")
    for one, two, kind in [("batch --bank", "batch --bank --jobs 2", "attempts"), ("analyse", "analyse --jobs 2", "results")]:
        print(f"{two}: {median[one, kind][1] / median[two, kind][1]:.2f} times as fast as one job, by the wall")


if __name__ == "__main__":
    main()
