#!/usr/bin/env python3
"""Measures the cost of grading in a Spark job, compared with a kernel that writes as much without grading.

    .cache/python/bin/python benches/peers/spark.py [--rows 400000] [--rounds 5] [--processors 1] [--write benches/results/spark.md]

Needs fablegrade's release wheel, pyspark and pyarrow (fablegrade-py/test installs all of them). Both jobs read the same Parquet, pass
its batches to Python with `mapInArrow` and write Parquet with the same columns of the same lengths; the toy kernel writes the result
of the first row of a batch into all of its rows. They take turns; the result is the median of the ratios of each pair of turns.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pyspark
from fablegrade import __version__
from fablegrade.arrow import SPARK_RESULT, Bank, map_in_arrow
from pyspark.sql import SparkSession

sys.path.insert(0, str(Path(__file__).parent))
from python_binding import SPECS, answer  # noqa: E402

RESULT = json.dumps(
    {"attemptId": "00000000-0000-5000-8000-000000000000", "gradedBy": "auto", "score": 1, "verdict": "correct"},
    separators=(",", ":"),
)


def toy(batches: Iterable[Any]) -> Iterator[Any]:
    """Returns columns as long as those of results, without reading the answers."""
    for batch in batches:
        rows = batch.num_rows
        columns = [
            batch["attempt_id"],
            batch["item_id"],
            pyarrow.array(["correct"] * rows),
            pyarrow.array([1.0] * rows),
            # As in results, all rows are different.
            pyarrow.array([RESULT[:14] + f"{row:08x}" + RESULT[22:] for row in batch["attempt_id"].to_pylist()]),
            pyarrow.nulls(rows, pyarrow.string()),
        ]
        yield pyarrow.record_batch(columns, ["attempt_id", "item_id", "verdict", "score", "result", "error"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=400_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--processors", type=int, default=1)
    parser.add_argument("--write", type=Path)
    options = parser.parse_args()

    dice = random.Random(42)
    rows = [(item, json.dumps(answer(item, dice), separators=(",", ":"))) for item in dice.choices(list(SPECS), k=options.rows)]
    table = pyarrow.table({
        "attempt_id": range(options.rows),
        "item_id": [item for item, _ in rows],
        "submission": [text for _, text in rows],
    })
    spark = SparkSession.builder.master(f"local[{options.processors}]").appName("spark.py").config("spark.ui.enabled", "false").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    schema = f"attempt_id bigint, item_id string, {SPARK_RESULT}"
    kernels: dict[str, Callable[..., Any]] = {"toy": toy, "fablegrade": map_in_arrow(Bank(SPECS))}
    times: dict[str, list[float]] = {name: [] for name in kernels}
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "attempts.parquet")
        pyarrow.parquet.write_table(table, source, row_group_size=100_000)
        # The first round warms up and does not count.
        for turn in range(options.rounds + 1):
            for name, kernel in kernels.items():
                started = time.perf_counter()
                out = str(Path(folder, name))
                spark.read.parquet(str(source)).mapInArrow(kernel, schema).write.mode("overwrite").parquet(out)
                if turn:
                    times[name].append(time.perf_counter() - started)
        graded = pyarrow.parquet.read_table(str(Path(folder, "fablegrade")))
        assert graded.num_rows == options.rows and graded["error"].null_count == options.rows
    spark.stop()

    ratios = [graded / nothing for graded, nothing in zip(times["fablegrade"], times["toy"], strict=True)]
    lines = [
        "# A Spark job that grades, beside one that does nothing",
        "",
        f"fablegrade {__version__}, release wheel, Spark {pyspark.__version__}, Python {platform.python_version()}, pyarrow {pyarrow.__version__}, "
        f"{platform.machine()}; {options.rows} attempts at the questions of `benches/results/python.md`, Parquet to Parquet, "
        f"`local[{options.processors}]`; {options.rounds} rounds in which both take turns; load {os.getloadavg()[0]:.0f} on {os.cpu_count()} "
        "processors. `benches/peers/spark.py`.",
        "",
        "| job | seconds, median (least-greatest) |",
        "|---|---|",
        *(f"| {name} | {statistics.median(of):.2f} ({min(of):.2f}-{max(of):.2f}) |" for name, of in times.items()),
        "",
        f"The grading job takes **{statistics.median(ratios):.2f}** times as long ({min(ratios):.2f}-{max(ratios):.2f}; goal: at most 1.3).",
        "",
    ]
    text = "\n".join(lines)
    print(text)
    if options.write:
        options.write.write_text(text)


if __name__ == "__main__":
    main()
