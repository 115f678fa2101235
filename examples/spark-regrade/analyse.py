#!/usr/bin/env python
"""Item analysis of a Parquet of results: the report of `fablegrade analyse --json`, byte for byte.

    spark-submit analyse.py RESULTS --bank BANK --out REPORT

RESULTS has the columns `item_id`, `sitting`, `submission` and, if they were graded before, `result` (JSON). BANK is a
JSON file `{item_id: spec}`. Each partition is summed by its worker, and only the exact sums are transferred, so the
partitions do not affect the report.
"""

from __future__ import annotations

import argparse
import json
from decimal import Decimal
from pathlib import Path

from fablegrade.analysis import Accumulator, sums_in_arrow
from fablegrade.arrow import Bank
from pyspark.sql import DataFrame, SparkSession


def analyse(results: DataFrame, bank: Bank) -> Accumulator:
    """Returns the sums over all sittings."""
    together = results.repartition("sitting").sortWithinPartitions("sitting")
    everything = Accumulator(bank)
    for row in together.mapInArrow(sums_in_arrow(bank), "sums binary").toLocalIterator():
        everything.merge(bytes(row["sums"]))
    return everything


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results")
    parser.add_argument("--bank", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    bank = Bank(json.loads(arguments.bank.read_text(encoding="utf-8"), parse_float=Decimal))
    spark = SparkSession.builder.appName("analyse").getOrCreate()
    everything = analyse(spark.read.parquet(arguments.results), bank)
    arguments.out.write_text(everything.to_json(), encoding="utf-8")
    print(f"{everything.sittings} sittings")
    spark.stop()


if __name__ == "__main__":
    main()
