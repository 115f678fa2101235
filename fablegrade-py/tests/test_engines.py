"""Tests each adapter with its real engine; the results are those of a table that is graded here."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import polars
import pyarrow as pa
import pytest

from fablegrade.arrow import Bank, grade_batches, map_batches, map_in_arrow
from test_arrow import SPECS, attempts

ROWS = 5_000
WRITTEN = ["verdict", "score", "result", "error"]


def table() -> pa.Table:
    return attempts(ROWS).drop_columns(["when"])


def expected() -> list[dict[str, Any]]:
    return pa.table(grade_batches(table(), SPECS)).to_pylist()


def in_order(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(rows, key=lambda row: row["attempt_id"])


def test_polars_frame() -> None:
    frame = polars.from_arrow(table())
    assert isinstance(frame, polars.DataFrame)
    assert polars.DataFrame(grade_batches(frame, SPECS)).to_dicts() == expected()


def test_polars_lazily_batch_by_batch() -> None:
    bank = Bank(SPECS)
    lazy = polars.from_arrow(table()).lazy().filter(polars.col("attempt_id") % 2 == 0)  # type: ignore[union-attr]
    schema = {"attempt_id": polars.Int64, "item_id": polars.String, "verdict": polars.String, "score": polars.Float64,
              "result": polars.String, "error": polars.String}
    graded = lazy.map_batches(lambda frame: polars.DataFrame(grade_batches(frame, bank)), schema=schema, streamable=True)
    rows = graded.collect(engine="streaming").to_dicts()
    assert in_order(rows) == [row for row in expected() if row["attempt_id"] % 2 == 0]


def test_duckdb_in_and_out() -> None:
    source = duckdb.connect()
    source.register("attempts", table())
    stream = source.sql("select * from attempts where attempt_id < 4000").to_arrow_reader(256)
    graded = grade_batches(stream, Bank(SPECS))  # noqa: F841  (DuckDB finds it by its name)
    # A connection with an open stream does not accept a second query, so another connection counts the verdicts.
    counted = duckdb.connect().sql("select verdict, count(*) from graded group by all order by all").fetchall()
    verdicts = [row["verdict"] for row in expected()[:4000]]
    assert dict(counted) == {verdict: verdicts.count(verdict) for verdict in set(verdicts)}


def test_duckdb_relation() -> None:
    relation = duckdb.connect().from_arrow(table())
    assert pa.table(grade_batches(relation, SPECS)).to_pylist() == expected()


@pytest.fixture(scope="module")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    if shutil.which("java") is None:
        pytest.fail("Spark needs a Java runtime")
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    folder = tmp_path_factory.mktemp("spark")
    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.sql.shuffle.partitions", "4")
        .config("spark.sql.warehouse.dir", str(folder))
        .config("spark.local.dir", str(folder))
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "700")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


def test_spark_map_in_arrow(spark: Any, tmp_path: Path) -> None:
    import pyarrow.parquet as parquet

    parquet.write_table(table(), tmp_path / "attempts.parquet", row_group_size=900)
    frame = spark.read.parquet(str(tmp_path / "attempts.parquet"))
    schema = "attempt_id bigint, item_id string, verdict string, score double, result string, error string"
    grade = map_in_arrow(Bank(SPECS))
    for partitions in (1, 3, 16):
        graded = frame.repartition(partitions).mapInArrow(grade, schema)
        assert in_order([row.asDict() for row in graded.collect()]) == expected()
    by_item = frame.repartition(5, "item_id").mapInArrow(grade, schema).groupBy("verdict").count().collect()
    verdicts = [row["verdict"] for row in expected()]
    assert {row["verdict"]: row["count"] for row in by_item} == {verdict: verdicts.count(verdict) for verdict in set(verdicts)}


@pytest.fixture(scope="module")
def ray_data() -> Iterator[Any]:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    import ray
    import ray.data

    options = {"num_cpus": 2, "include_dashboard": False, "log_to_driver": False, "object_store_memory": 128 << 20}
    for last in (False, False, True):
        try:
            ray.init(**options)
            break
        except Exception:  # Ray gives its own daemon 30 seconds to start; a busy machine may need more
            ray.shutdown()
            if last:
                raise
    ray.data.DataContext.get_current().enable_progress_bars = False
    yield ray.data
    ray.shutdown()


def test_ray_map_batches(ray_data: Any) -> None:
    grade = map_batches(SPECS)
    for blocks, size in ((1, 4_096), (7, 300)):
        data = ray_data.from_arrow(table()).repartition(blocks)
        graded = data.map_batches(grade, batch_format="pyarrow", batch_size=size)
        assert in_order(graded.take_all()) == expected()
