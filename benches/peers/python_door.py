#!/usr/bin/env python3
"""What the Python door costs over the Rust call, as ratios and differences of one run.

    cargo build --release -p fablegrade-benches
    .cache/python/bin/python benches/peers/python_door.py [--rounds 7] [--rows 200000] [--write benches/results/python.md]

Needs fablegrade's release wheel and pyarrow (fablegrade-py/test brings both). The Rust program and Python take turns on the
same answers; of each pair of turns the ratio is taken, of the ratios the median. Machines with other work on them make single
times worth little and ratios noisy: the spread is shown.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import platform
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow
from fablegrade import Grader, __version__
from fablegrade.arrow import Bank, grade_batches

ROOT = Path(__file__).resolve().parents[2]
LETTERS = "abcd"

SPECS: dict[str, dict[str, Any]] = {
    "multiple_choice": {
        "type": "multiple_choice",
        "choices": [{"id": letter, "content": f"choice {letter}", "correct": letter == "b"} for letter in LETTERS],
    },
    "numeric": {"type": "numeric", "answer": {"value": 7.5, "tolerance": {"mode": "relative", "amount": 0.01}}},
    "ordering": {
        "type": "ordering",
        "items": [{"id": f"i{at}", "content": f"step {at}"} for at in range(5)],
        "correctOrder": [f"i{at}" for at in range(5)],
    },
    "matching": {
        "type": "matching",
        "left": [{"id": f"l{at}", "content": f"left {at}"} for at in range(3)],
        "right": [{"id": f"r{at}", "content": f"right {at}"} for at in range(3)],
        "correctPairs": [{"left": f"l{at}", "right": f"r{at}"} for at in range(3)],
    },
}


def answer(item: str, dice: random.Random) -> dict[str, Any]:
    match item:
        case "multiple_choice":
            return {"type": item, "selectedChoiceIds": [dice.choice(LETTERS)]}
        case "numeric":
            return {"type": item, "value": dice.randrange(700, 800) / 100}
        case "ordering":
            return {"type": item, "order": dice.sample([f"i{at}" for at in range(5)], 5)}
        case _:
            shift = dice.randrange(3)
            return {"type": item, "pairs": [{"left": f"l{at}", "right": f"r{(at + shift) % 3}"} for at in range(3)]}


def best(call: Callable[[], object], calls: int = 4_000, rounds: int = 7) -> float:
    """Nanoseconds of one call, the best of several rounds; the loop's own cost is taken off."""
    found = float("inf")
    turns = [None] * calls
    for _ in range(rounds):
        started = time.perf_counter_ns()
        for _ in turns:
            pass
        empty = time.perf_counter_ns() - started
        started = time.perf_counter_ns()
        for _ in turns:
            call()
        found = min(found, (time.perf_counter_ns() - started - empty) / calls)
    return found


def arrow_rate(table: pyarrow.Table, bank: Bank) -> float:
    """Attempts per second, the best of three; the answer is read to its end."""
    found = 0.0
    for _ in range(3):
        started = time.perf_counter()
        rows = sum(batch.num_rows for batch in pyarrow.RecordBatchReader.from_stream(grade_batches(table, bank)))
        found = max(found, rows / (time.perf_counter() - started))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--rust", default=str(Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release/door-speed"))
    parser.add_argument("--write", type=Path)
    options = parser.parse_args()

    dice = random.Random(42)
    rows = [(item, json.dumps(answer(item, dice), separators=(",", ":"))) for item in dice.choices(list(SPECS), k=options.rows)]
    first = {item: text for item, text in reversed(rows)}
    table = pyarrow.table({"item_id": [item for item, _ in rows], "submission": [text for _, text in rows]})
    bank = Bank(SPECS)
    graders = {item: Grader(spec) for item, spec in SPECS.items()}
    values = {item: json.loads(text) for item, text in first.items()}
    texts = {item: text.encode() for item, text in first.items()}

    over: dict[str, dict[str, list[float]]] = {way: {item: [] for item in SPECS} for way in ("rust", "bytes", "dict", "dict to bytes")}
    ratios: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        specs, attempts = Path(folder, "specs.json"), Path(folder, "attempts.tsv")
        specs.write_text(json.dumps(SPECS))
        attempts.write_text("".join(f"{item}\t{text}\n" for item, text in rows))
        gc.disable()
        for _ in range(options.rounds):
            rust = json.loads(subprocess.run([options.rust, specs, attempts], check=True, capture_output=True).stdout)
            for item, grader in graders.items():
                over["rust"][item].append(rust["grade"][item])
                over["bytes"][item].append(best(lambda: grader.grade(texts[item])) - rust["grade"][item])
                over["dict"][item].append(best(lambda: grader.grade(values[item])))
                over["dict to bytes"][item].append(best(lambda: grader.grade(values[item]).to_json()))
            ratios.append(arrow_rate(table, bank) / rust["batch"])
            print(f"arrow/rust {ratios[-1]:.2f}", file=sys.stderr)

    def cell(times: list[float]) -> str:
        return f"{statistics.median(times) / 1000:.2f} ({min(times) / 1000:.2f}-{max(times) / 1000:.2f})"

    lines = [
        "# The Python door over the Rust call",
        "",
        f"fablegrade {__version__}, release wheel, Python {platform.python_version()}, pyarrow {pyarrow.__version__}, {platform.machine()}; "
        f"{options.rounds} rounds in which Rust and Python take turns, median (least-greatest). `benches/peers/python_door.py`.",
        "",
        "Microseconds of one `Grader.grade`:",
        "",
        "| question | the Rust call | JSON bytes, over the Rust call (goal: at most 2) | dict (goal: at most 6) | dict in, JSON out |",
        "|---|---|---|---|---|",
        *(
            f"| {item} | " + " | ".join(cell(over[way][item]) for way in ("rust", "bytes", "dict", "dict to bytes")) + " |"
            for item in SPECS
        ),
        "",
        f"`fablegrade.arrow.grade_batches` over {options.rows} attempts at these questions, on one thread, against the same loop in Rust "
        f"(submission's text in, canonical JSON out): **{100 * statistics.median(ratios):.0f} %** of its rate "
        f"({100 * min(ratios):.0f}-{100 * max(ratios):.0f} %; goal: at least 80 %).",
    ]
    text = "\n".join(lines) + "\n"
    print(text)
    if options.write:
        options.write.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
