"""The whole job, run as a script, on Spark in local mode."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet as parquet
import pytest
from fablegrade import FablegradeError, Grader

FOLDER = Path(__file__).resolve().parent


def numeric(value: float, amount: float = 0.5) -> dict[str, Any]:
    return {"type": "numeric", "answer": {"value": value, "tolerance": {"mode": "absolute", "amount": amount}}}


def choice(right: str) -> dict[str, Any]:
    choices = [{"id": letter, "content": letter, "correct": letter in right} for letter in "abcd"]
    return {"type": "multiple_choice", "choices": choices}


OLD = {"wide": numeric(10, 1), "key": choice("a"), "same": numeric(3), "gone": numeric(1)}
NEW = {"wide": numeric(10, 2), "key": choice("b"), "same": numeric(3)}


def attempts(count: int) -> pyarrow.Table:
    dice = random.Random(11)
    rows = []
    for at in range(count):
        item = dice.choice(list(OLD))
        if item == "key":
            submission: dict[str, Any] = {"type": "multiple_choice", "selectedChoiceIds": [dice.choice("abcd")]}
        else:
            submission = {"type": "numeric", "value": dice.choice([1, 3, 8.5, 9.5, 10, 13])}
        text = json.dumps(submission) if dice.random() < 0.98 else "{"
        rows.append({"attempt_id": f"{at:06}", "item_id": item, "submission": text})
    return pyarrow.Table.from_pylist(rows)


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return start(folder, "regrade.py", str(folder / "attempts.parquet"), *arguments)


def start(folder: Path, job: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs a job of this folder on two cores."""
    environment = {
        **os.environ,
        "PYSPARK_PYTHON": sys.executable,
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_CONF_DIR": str(folder / "conf"),
        "SPARK_LOCAL_DIRS": str(folder / "local"),
    }
    (folder / "conf").mkdir(exist_ok=True)
    (folder / "conf/spark-defaults.conf").write_text(
        "spark.master local[2]\nspark.ui.enabled false\nspark.driver.bindAddress 127.0.0.1\n"
        f"spark.driver.host 127.0.0.1\nspark.sql.shuffle.partitions 3\nspark.sql.warehouse.dir {folder}/warehouse\n"
    )
    command = [sys.executable, str(FOLDER / job), *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "old.json").write_text(json.dumps(OLD))
    (tmp_path / "new.json").write_text(json.dumps(NEW))
    return tmp_path


def expected(table: pyarrow.Table) -> list[dict[str, Any]]:
    """Computes the same, attempt by attempt and without Spark."""
    graders = [{item: Grader(spec) for item, spec in bank.items()} for bank in (OLD, NEW)]
    rows = []
    for row in table.to_pylist():
        both = []
        for bank in graders:
            try:
                result = bank[row["item_id"]].grade(row["submission"])
                both.append((result.verdict, result.score))
            except (FablegradeError, KeyError):
                both.append((None, None))
        (old, old_score), (new, new_score) = both
        change = "other" if old != new else None
        if old_score is not None and new_score is not None and old_score != new_score:
            change = "better" if new_score > old_score else "worse"
        rows.append({"attempt_id": row["attempt_id"], "item_id": row["item_id"], "old_verdict": old, "old_score": old_score,
                     "new_verdict": new, "new_score": new_score, "change": change})
    return rows


def test_old_and_new_side_by_side(folder: Path) -> None:
    table = attempts(3_000)
    parquet.write_table(table, folder / "attempts.parquet", row_group_size=500)
    done = run(folder, "--old", "old.json", "--new", "new.json", "--out", "out")
    assert done.returncode == 0, done.stderr[-3000:]
    written = parquet.read_table(folder / "out/attempts").sort_by("attempt_id")
    wanted = expected(table)
    assert written.select(list(wanted[0])).to_pylist() == wanted
    refused = [row for row in written.to_pylist() if row["new_verdict"] is None]
    assert refused and all(json.loads(row["new_error"])["findings"] for row in refused)
    rules = {json.loads(row["new_error"])["findings"][0]["rule"] for row in refused}
    assert rules == {"json-syntax", "unknown-item"}

    summary = json.loads((folder / "out/summary.json").read_text())
    changes = Counter(row["change"] for row in wanted)
    counted = {word: summary["all"][word] for word in ("better", "worse", "other")}
    assert counted == {word: changes[word] for word in ("better", "worse", "other")} and all(counted.values())
    assert summary["all"]["attempts"] == 3_000
    ways = Counter((row["item_id"], row["old_verdict"], row["new_verdict"]) for row in wanted if row["change"])
    assert {(way["item_id"], way["old_verdict"], way["new_verdict"]): way["count"] for way in summary["ways"]} == ways
    assert "same" not in {question["item_id"] for question in summary["questions"] if question["changed"]}
    assert "changes of verdicts" in done.stdout and "better" in done.stdout

    again = run(folder, "--old", "old.json", "--new", "new.json", "--out", "out")
    assert again.returncode != 0, "what is there is not written over"


def test_recorded_verdicts_count_without_an_old_bank(folder: Path) -> None:
    table = pyarrow.table({
        "attempt_id": ["1", "2", "3"],
        "item_id": ["wide"] * 3,
        "submission": ['{"type":"numeric","value":8.5}', '{"type":"numeric","value":10}', '{"type":"numeric","value":1}'],
        "context": [None, '{"hints":{"h":0.25}}', None],
        "verdict": ["incorrect", "correct", "error"],
        "score": [0.0, 0.75, None],
    })
    parquet.write_table(table, folder / "attempts.parquet")
    done = run(folder, "--new", "new.json", "--out", "out")
    assert done.returncode == 0, done.stderr[-3000:]
    written = parquet.read_table(folder / "out/attempts").sort_by("attempt_id").to_pylist()
    assert [(row["old_score"], row["new_score"], row["change"]) for row in written] == [
        (0.0, 1.0, "better"), (0.75, 0.75, None), (None, 0.0, "other"),
    ]


def test_a_table_without_the_columns_is_told(folder: Path) -> None:
    parquet.write_table(pyarrow.table({"attempt_id": ["1"]}), folder / "attempts.parquet")
    done = run(folder, "--new", "new.json", "--out", "out")
    assert done.returncode != 0 and "lacks the columns item_id, score, submission, verdict" in done.stderr
    assert not (folder / "out").exists()
