"""Item analysis on Spark in local mode: the same bytes as from one process, and from the command."""

from __future__ import annotations

import json
import os
import random
import subprocess
from pathlib import Path

import pyarrow
import pyarrow.parquet as parquet
from fablegrade.analysis import Accumulator

from test_regrade import choice, numeric, start

BANK = {"wide": numeric(10, 1), "key": choice("a"), "other": choice("b"), "same": numeric(3)}


def results(sittings: int) -> pyarrow.Table:
    dice = random.Random(11)
    rows = []
    for sitting in range(sittings):
        for item in BANK:
            if item in ("key", "other"):
                submission: dict[str, object] = {"type": "multiple_choice", "selectedChoiceIds": [dice.choice("aabc")]}
            else:
                submission = {"type": "numeric", "value": dice.choice([1, 3, 8.5, 9.5, 10, 13])}
            rows.append({"item_id": item, "sitting": f"s{sitting}", "submission": json.dumps(submission)})
    return pyarrow.Table.from_pylist(rows)


def test_the_report_of_spark_is_that_of_one_process_and_of_the_command(tmp_path: Path) -> None:
    table = results(500)
    everything = Accumulator(BANK)
    everything.add(table)
    # The rows are shuffled; Spark brings those of a sitting together.
    order = list(range(len(table)))
    random.Random(5).shuffle(order)
    parquet.write_table(table.take(order), tmp_path / "results.parquet", row_group_size=300)
    (tmp_path / "bank.json").write_text(json.dumps(BANK))
    done = start(tmp_path, "analyse.py", "results.parquet", "--bank", "bank.json", "--out", "report.json")
    assert done.returncode == 0, done.stderr[-3000:]
    report = (tmp_path / "report.json").read_text()
    assert report == everything.to_json()
    assert "500 sittings" in done.stdout
    if program := os.environ.get("FABLEGRADE"):
        with (tmp_path / "bank.jsonl").open("w") as file:
            file.writelines(json.dumps({"item": item, "spec": spec}) + "\n" for item, spec in BANK.items())
        with (tmp_path / "results.jsonl").open("w") as file:
            for row in table.to_pylist():
                line = {"item": row["item_id"], "sitting": row["sitting"], "submission": json.loads(row["submission"])}
                file.write(json.dumps(line) + "\n")
        command = [program, "analyse", "results.jsonl", "--bank", "bank.jsonl", "--json"]
        assert subprocess.check_output(command, cwd=tmp_path, text=True) == report
