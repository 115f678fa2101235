#!/usr/bin/env python3
"""Measures the cost of the Python binding relative to the Rust call, as ratios and differences of one run.

    cargo build --release -p fablegrade-benches
    .cache/python/bin/python benches/peers/python_binding.py [--rounds 7] [--rows 100000] [--write benches/results/python.md]

Needs fablegrade's release wheel and pyarrow (fablegrade-py/test installs both). The Rust program and Python take turns on the same
answers; the result is the median of the ratios of each pair of turns. Times are the minimum of many turns of a millisecond or less,
so other load on the machine, which takes the processor away for longer, does not count.
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


def best(call: Callable[[], object], calls: int = 250, turns: int = 160) -> float:
    """Returns the nanoseconds of one call: the minimum of many short turns, without the cost of the loop."""
    found, empty = float("inf"), float("inf")
    loop = [None] * calls
    for _ in range(turns):
        started = time.perf_counter_ns()
        for _ in loop:
            pass
        between = time.perf_counter_ns()
        for _ in loop:
            call()
        ended = time.perf_counter_ns()
        empty = min(empty, between - started)
        found = min(found, ended - between)
    return (found - empty) / calls


ANSWERS = 2_000


def distinct(item: str) -> list[bytes]:
    """Returns answers that are all different, if the question has enough different answers."""
    dice = random.Random(7)
    made = (answer(item, dice) | ({"value": 7 + at / ANSWERS} if item == "numeric" else {}) for at in range(ANSWERS))
    return [json.dumps(one, separators=(",", ":")).encode() for one in made]


def many_over_loop(grader: Grader, answers: list[Any], turns: int = 40) -> dict[str, float]:
    """Returns how many times faster than a loop `grade_many` is, on one thread and on two, from the minimum times of alternating turns."""
    ways: dict[str, Callable[[], object]] = {
        "loop": lambda: [grader.grade(answer) for answer in answers],
        "one": lambda: grader.grade_many(answers, workers=1),
        "two": lambda: grader.grade_many(answers, workers=2),
    }
    least = dict.fromkeys(ways, float("inf"))
    for _ in range(turns):
        for way, call in ways.items():
            started = time.perf_counter()
            kept = call()
            least[way] = min(least[way], time.perf_counter() - started)
            del kept
    return {way: least["loop"] / least[way] for way in ("one", "two")}


SLICE, PASSES = 1_000, 5  # as in benches/src/binding_speed.rs


def arrow_rate(table: pyarrow.Table, bank: Bank) -> float:
    """Returns the attempts per second of a stream of small batches, from the minimum time of each batch over several passes."""
    batches = table.to_batches(max_chunksize=SLICE)
    least = [float("inf")] * len(batches)
    for _ in range(PASSES):
        stream = pyarrow.RecordBatchReader.from_batches(table.schema, iter(batches))
        reader = pyarrow.RecordBatchReader.from_stream(grade_batches(stream, bank))
        for at in range(len(batches)):
            started = time.perf_counter()
            graded = reader.read_next_batch()
            least[at] = min(least[at], time.perf_counter() - started)
            assert graded.num_rows == batches[at].num_rows
    return table.num_rows / sum(least)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--rust", default=str(Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release/binding-speed"))
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
    sets = {f"{item}, bytes": (graders[item], distinct(item)) for item in SPECS}
    sets["numeric, dict"] = (graders["numeric"], [json.loads(text) for text in sets["numeric, bytes"][1]])
    terms = [f"2x+{at}-{at}".encode() for at in range(ANSWERS)]
    formula = Grader({"type": "expression", "canonical": "x+x", "equivalence": "symbolic"})
    sets["expression, bytes"] = (formula, [b'{"type":"expression","latex":"' + term + b'"}' for term in terms])
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
        gc.enable()
        many = {name: many_over_loop(*one, turns=5 * options.rounds) for name, one in sets.items()}

    def cell(times: list[float]) -> str:
        return f"{statistics.median(times) / 1000:.2f} ({min(times) / 1000:.2f}-{max(times) / 1000:.2f})"

    lines = [
        "# The Python binding over the Rust call",
        "",
        f"fablegrade {__version__}, release wheel, Python {platform.python_version()}, pyarrow {pyarrow.__version__}, {platform.machine()}; "
        f"{options.rounds} rounds in which Rust and Python take turns, median (least-greatest); load {os.getloadavg()[0]:.0f} on "
        f"{os.cpu_count()} processors. `benches/peers/python_binding.py`.",
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
        f"`Grader.grade_many` over {ANSWERS} answers, as often as a loop of `grade` in the same time. Numbers and formulas are all distinct; "
        "the other questions have few answers, which repeat and are graded once:",
        "",
        "| question | on one thread (goal: at least 1.4) | on two (goal: at least 1.8) |",
        "|---|---|---|",
        *(f"| {name} | {ratio['one']:.2f} | {ratio['two']:.2f} |" for name, ratio in many.items()),
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
