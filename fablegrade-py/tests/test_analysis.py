"""Item analysis of tables: the bytes do not depend on the split, the engine or whether results are graded here."""

from __future__ import annotations

import json
import os
import random
import subprocess
from pathlib import Path
from typing import Any

import duckdb
import polars
import pyarrow as pa
import pytest

import fablegrade.analysis
from fablegrade import FablegradeError
from fablegrade.analysis import Accumulator, sums_in_arrow
from fablegrade.arrow import Bank, grade_batches

CHOICES = [{"id": letter, "content": letter, "correct": letter == "a"} for letter in "abc"]
SPECS: dict[str, Any] = {
    "choice": {"type": "multiple_choice", "choices": CHOICES},
    "other": {"type": "multiple_choice", "choices": CHOICES},
    "number": {"type": "numeric", "answer": {"value": 12}},
    "formula": {"type": "expression", "canonical": "x^2+2x+1", "equivalence": "symbolic", "variables": [{"name": "x"}]},
}


def results(sittings: int = 60) -> pa.Table:
    dice = random.Random(3)
    answers = {
        "choice": lambda: {"type": "multiple_choice", "selectedChoiceIds": [dice.choice("aab")]},
        "other": lambda: {"type": "multiple_choice", "selectedChoiceIds": [dice.choice("abc")]},
        "number": lambda: {"type": "numeric", "value": dice.choice([12, 12.0, 13, 14])},
        "formula": lambda: {"type": "expression", "latex": dice.choice(["(x+1)^2", "x^2+1", "1+x^2", "2x"])},
    }
    rows = [
        {"item_id": item, "sitting": f"Ada {sitting}", "submission": json.dumps(answer())}
        for sitting in range(sittings)
        for item, answer in answers.items()
    ]
    return pa.Table.from_pylist(rows)


def of(*tables: Any) -> Accumulator:
    sums = Accumulator(SPECS)
    for table in tables:
        sums.add(table)
    return sums


def test_any_split_and_order_gives_the_same_bytes() -> None:
    table = results()
    whole = of(table)
    assert whole.sittings == 60
    parts = [of(table.slice(start * 4, 12 * 4)) for start in range(0, 60, 12)]
    merged = Accumulator(SPECS)
    for part in reversed(parts):
        merged.merge(part if part.sittings % 2 else part.to_bytes())
    assert merged.to_bytes() == whole.to_bytes()
    assert merged.to_json() == whole.to_json()
    batches = pa.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=7))
    assert of(batches).to_bytes() == whole.to_bytes()
    assert "Ada" not in whole.to_json()


def test_graded_before_or_here() -> None:
    table = results()
    graded = pa.table(grade_batches(table, SPECS, keep=["item_id", "sitting"]))
    graded = graded.append_column("submission", table["submission"])
    assert of(graded.drop_columns(["verdict", "score", "error"])).to_json() == of(table).to_json()
    renamed = table.rename_columns(["question", "learner", "answer"])
    sums = Accumulator(SPECS)
    sums.add(renamed, columns={"item_id": "question", "sitting": "learner", "submission": "answer"})
    assert sums.to_json() == of(table).to_json()


def test_common_wrong_answers_mean_the_same() -> None:
    report = json.loads(of(results()).to_json())
    items = {item["item"]: item for item in report["items"]}
    assert set(items["formula"]["wrongAnswers"][0]["spellings"]) == {"x^2+1", "1+x^2"}
    assert of(results()).to_csv().splitlines()[0].startswith("item,attempts,")


def test_a_row_that_is_no_result_adds_nothing() -> None:
    sums = Accumulator(SPECS)
    good = results(2)
    injected = '{"type":"numeric","value":1},"result":{"verdict":"correct","score":1}'
    for row, rule in [
        ({"item_id": "absent", "sitting": "x", "submission": None}, "unknown-item"),
        ({"item_id": "choice", "sitting": None, "submission": None}, "missing-field"),
        ({"item_id": "number", "sitting": "x", "submission": injected}, "json-syntax"),
        ({"item_id": "choice", "sitting": "Ada 0", "submission": '{"type":"numeric","value":1}'}, "sitting-split"),
    ]:
        table = pa.concat_tables([good, pa.Table.from_pylist([row], schema=good.schema)])
        with pytest.raises(FablegradeError) as error:
            sums.add(table)
        assert error.value.findings[0].rule == rule
        assert error.value.findings[0].pointer.startswith("/8")
    assert sums.sittings == 0
    with pytest.raises(ValueError, match="not an accumulator"):
        sums.merge(b"FGA2")
    with pytest.raises(FablegradeError, match="sitting"):
        sums.add(pa.table({"item_id": ["choice"]}))
    with pytest.raises(TypeError):
        Accumulator(None)  # type: ignore[arg-type]


def test_engines() -> None:
    table = results()
    source = duckdb.connect()
    source.register("results", table)
    assert of(source.sql("select * from results order by sitting").to_arrow_reader(64)).to_json() == of(table).to_json()
    frame = polars.from_arrow(table)
    assert of(frame).to_json() == of(table).to_json()
    rows = list(sums_in_arrow(Bank(SPECS))(table.to_batches(max_chunksize=5)))
    assert [row["sums"].to_pylist() for row in rows] == [[of(table).to_bytes()]]
    assert list(sums_in_arrow(SPECS)([])) == []


@pytest.mark.skipif("FABLEGRADE" not in os.environ, reason="needs the command: its path in FABLEGRADE")
def test_the_command_reports_the_same_bytes(tmp_path: Path) -> None:
    table = results()
    with (tmp_path / "bank.jsonl").open("w") as file:
        file.writelines(json.dumps({"item": item, "spec": spec}) + "\n" for item, spec in SPECS.items())
    with (tmp_path / "results.jsonl").open("w") as file:
        for row in table.to_pylist():
            line = {"item": row["item_id"], "sitting": row["sitting"], "submission": json.loads(row["submission"])}
            file.write(json.dumps(line) + "\n")
    command = [os.environ["FABLEGRADE"], "analyse", "results.jsonl", "--bank", "bank.jsonl", "--json"]
    assert subprocess.check_output(command, cwd=tmp_path, text=True) == of(table).to_json()


def test_the_documentation_runs() -> None:
    import doctest

    assert doctest.testmod(fablegrade.analysis).failed == 0
