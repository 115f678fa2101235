#!/usr/bin/env python
"""Regrades a Parquet of attempts under new versions of its questions and reports the changes.

    spark-submit regrade.py ATTEMPTS --new BANK [--old BANK] --out FOLDER [--overwrite]

ATTEMPTS has the columns `attempt_id`, `item_id`, `submission` (JSON) and, if there are any, `context` and `outcomes`. A bank
is a JSON file `{item_id: spec}`. The old results are graded with --old; without it, they are the columns `verdict` and
`score`.

Writes FOLDER/attempts (Parquet: `attempt_id`, `item_id`, then `verdict`, `score` and `error` with the prefixes `old_` and
`new_`, and `change`) and FOLDER/summary.json, and prints the summary. An answer that cannot be graded fills the column
`error` of its row and does not stop the job. Each row is graded independently, so partitions affect only the speed.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow
from fablegrade.arrow import Bank, grade_batches
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sql

VERDICT, SCORE, ERROR = "verdict", "score", "error"
SCHEMA = (
    "attempt_id string, item_id string, old_verdict string, old_score double, old_error string, "
    "new_verdict string, new_score double, new_error string"
)


class SideBySide:
    """A function from record batches of attempts to record batches with both verdicts; it pickles with its banks."""

    def __init__(self, old: Bank | None, new: Bank) -> None:
        self.old, self.new = old, new

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        for batch in batches:
            table = pyarrow.Table.from_batches([batch])
            if self.old is None:
                before = [table[VERDICT], table[SCORE], pyarrow.nulls(len(table), pyarrow.string())]
            else:
                graded = pyarrow.table(grade_batches(table, self.old, keep=[]))
                before = [graded[name] for name in (VERDICT, SCORE, ERROR)]
            after = pyarrow.table(grade_batches(table, self.new, keep=[]))
            columns = [table["attempt_id"], table["item_id"], *before, *(after[name] for name in (VERDICT, SCORE, ERROR))]
            names = [field.split()[0] for field in SCHEMA.split(", ")]
            yield from pyarrow.table(columns, names=names).combine_chunks().to_batches()


def regrade(attempts: DataFrame, old: Bank | None, new: Bank) -> DataFrame:
    """Old and new results, and `change`: `better`, `worse`, `other` (another verdict without a change of score), or null."""
    grown = sql.col("new_score") - sql.col("old_score")
    change = (
        sql.when(grown > 0, "better")
        .when(grown < 0, "worse")
        .when(~sql.col("old_verdict").eqNullSafe(sql.col("new_verdict")), "other")
    )
    return attempts.mapInArrow(SideBySide(old, new), SCHEMA).withColumn("change", change)


def summarise(graded: DataFrame) -> dict[str, Any]:
    """Counts of attempts and changes: in total, for each question with a change or an error, and by verdicts."""
    changed = sql.col("change").isNotNull()
    counts = [
        sql.count("*").alias("attempts"),
        sql.count_if(changed).alias("changed"),
        *(sql.count_if(sql.col("change") == word).alias(word) for word in ("better", "worse", "other")),
        sql.count_if(sql.col("new_error").isNotNull()).alias("errors"),
        sql.sum(sql.when(changed, sql.col("new_score") - sql.col("old_score"))).alias("score_gained"),
    ]
    ways = graded.where(changed).groupBy("item_id", "old_verdict", "new_verdict").count().orderBy("item_id", "old_verdict", "new_verdict")
    return {
        "all": graded.agg(*counts).first().asDict(),
        "questions": [row.asDict() for row in graded.groupBy("item_id").agg(*counts).where("changed > 0 or errors > 0").orderBy("item_id").collect()],
        "ways": [row.asDict() for row in ways.collect()],
    }


def table(rows: list[dict[str, Any]]) -> str:
    """Returns rows as a table for a terminal."""
    if not rows:
        return "  (none)"
    cells = [list(rows[0])] + [["-" if cell is None else f"{cell:g}" if isinstance(cell, float) else str(cell) for cell in row.values()] for row in rows]
    widths = [max(len(row[at]) for row in cells) for at in range(len(cells[0]))]
    return "\n".join("  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in cells)


def read_bank(path: Path) -> Bank:
    """Reads a bank, with every digit of its numbers; prints the errors of questions that cannot be graded."""
    bank = Bank(json.loads(path.read_text(encoding="utf-8"), parse_float=Decimal))
    for item, error in bank.errors.items():
        print(f"{path}: {item}: {error}", file=sys.stderr)
    return bank


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("attempts")
    parser.add_argument("--new", type=Path, required=True)
    parser.add_argument("--old", type=Path)
    parser.add_argument("--out", required=True)
    parser.add_argument("--overwrite", action="store_true")
    arguments = parser.parse_args()
    new = read_bank(arguments.new)
    old = read_bank(arguments.old) if arguments.old else None

    spark = SparkSession.builder.appName("regrade").getOrCreate()
    attempts = spark.read.parquet(arguments.attempts)
    missing = {"attempt_id", "item_id", "submission", *(() if old else (VERDICT, SCORE))} - set(attempts.columns)
    if missing:
        sys.exit(f"{arguments.attempts} lacks the columns {', '.join(sorted(missing))}")
    out = f"{arguments.out}/attempts"
    regrade(attempts, old, new).write.mode("overwrite" if arguments.overwrite else "errorifexists").parquet(out)
    # Reads the written rows, so nothing is graded twice.
    summary = summarise(spark.read.parquet(out))
    Path(arguments.out, "summary.json").write_text(json.dumps(summary, indent=1) + "\n", encoding="utf-8")
    print("\nall attempts\n" + table([summary["all"]]))
    print("\nquestions with a change\n" + table(summary["questions"]))
    print("\nchanges of verdicts\n" + table(summary["ways"]))
    spark.stop()


if __name__ == "__main__":
    main()
