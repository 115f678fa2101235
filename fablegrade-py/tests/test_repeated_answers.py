"""Grading many answers at once gives the same results as grading each alone, on any number of threads and with equal
answers."""

from __future__ import annotations

import itertools
import json
import random
from typing import Any

import pyarrow
import pytest

import fablegrade
from fablegrade import AttemptResult, FablegradeError, Grader
from fablegrade._fablegrade import TableGrader
from fablegrade.arrow import Bank, grade_batches, map_in_arrow
from fablegrade.validators import Judgement, register_validator

SPECS: dict[str, dict[str, Any]] = {
    "choice": {
        "type": "multiple_choice",
        "multipleSelect": True,
        "choices": [{"id": letter, "content": letter.upper(), "correct": letter == "b"} for letter in "abcd"],
    },
    "number": {"type": "numeric", "answer": {"value": 4, "tolerance": {"mode": "absolute", "amount": 1}}},
    "formula": {"type": "expression", "canonical": "2x", "equivalence": "symbolic"},
}


def answers(count: int) -> list[tuple[str, Any]]:
    """Returns answers that often repeat, in several spellings; some are refused."""
    dice = random.Random(5)
    some: dict[str, list[Any]] = {
        "choice": [{"type": "multiple_choice", "selectedChoiceIds": ids} for ids in (["a"], ["b"], ["a", "b"], ["z"], [])],
        "number": [{"type": "numeric", "value": value} for value in (3, 4, 4.5, 7, "four")],
        "formula": [{"type": "expression", "latex": text} for text in ("x+x", "2x", "x2", "x+", "")] + ["{"],
    }
    rows = []
    for _ in range(count):
        item = dice.choice(list(SPECS))
        answer = dice.choice([*some[item], {"type": "numeric", "value": dice.randrange(10**9)}])
        text = answer if isinstance(answer, str) else json.dumps(answer)
        rows.append((item, dice.choice([answer, text, text.encode(), f" {text}"])))
    return rows


def shown(answer: AttemptResult | FablegradeError) -> Any:
    return answer.to_json() if isinstance(answer, AttemptResult) else [str(finding) for finding in answer.findings]


def alone(grader: Grader, answer: Any, **named: Any) -> Any:
    try:
        return shown(grader.grade(answer, **named))
    except FablegradeError as error:
        return shown(error)


@pytest.mark.parametrize("workers", [0, 1, 2, 5])
@pytest.mark.parametrize("context", [None, {"hints": {"h": 0.5}}])
def test_each_is_graded_as_it_is_alone(workers: int, context: Any) -> None:
    rows = answers(9_000)
    for item, spec in SPECS.items():
        grader = Grader(spec)
        mine = [answer for of, answer in rows if of == item]
        found = grader.grade_many(mine, context=context, workers=workers)
        assert [shown(answer) for answer in found] == [alone(grader, answer, context=context) for answer in mine]


@pytest.mark.parametrize("workers", [0, 1, 3])
def test_each_request_is_graded_as_it_is_alone(workers: int) -> None:
    rows = [(item, answer) for item, answer in answers(5_000) if isinstance(answer, dict)]
    requests = [{"spec": SPECS[item], "submission": answer} for item, answer in rows]
    graders = {item: Grader(spec) for item, spec in SPECS.items()}
    found = fablegrade.grade_many(requests, workers=workers)
    assert [shown(answer) for answer in found] == [alone(graders[item], answer) for item, answer in rows]


def test_rows_of_a_table_with_equal_answers_are_those_of_single_rows() -> None:
    rows = [(item, json.dumps(answer)) for item, answer in answers(3_000) if isinstance(answer, dict)]
    contexts = itertools.cycle([None, None, '{"hints":{"h":0.5}}'])
    table = pyarrow.table({
        "item_id": [item for item, _ in rows],
        "submission": [text for _, text in rows],
        "context": [context for context, _ in zip(contexts, rows)],
    })
    bare = table.drop_columns("item_id").append_column("spec", pyarrow.array([json.dumps(SPECS[item]) for item, _ in rows]))
    whole = pyarrow.table(grade_batches(table, SPECS, keep=[]))
    single = [pyarrow.table(grade_batches(table.slice(at, 1), SPECS, keep=[])) for at in range(len(rows))]
    assert whole.to_pylist() == [row for one in single for row in one.to_pylist()]
    by_spec = pyarrow.table(grade_batches(bare, keep=[]))
    assert by_spec["result"].to_pylist() == whole["result"].to_pylist()


def test_batches_of_an_engine_are_graded_as_the_whole_table() -> None:
    rows = [(item, json.dumps(answer)) for item, answer in answers(3_000) if isinstance(answer, dict)]
    table = pyarrow.table({"item_id": [item for item, _ in rows], "submission": [text for _, text in rows]})
    whole = pyarrow.table(grade_batches(table, SPECS))
    batches = table.to_batches(max_chunksize=100)
    assert pyarrow.Table.from_batches(map_in_arrow(SPECS)(batches)) == whole
    by_spec = table.append_column("spec", pyarrow.array([json.dumps(SPECS[item]) for item, _ in rows]))
    found = pyarrow.Table.from_batches(map_in_arrow(keep=["item_id"])(by_spec.to_batches(max_chunksize=100)))
    assert found == whole
    # Streams of one grader that are read in turns, and share its cache.
    grader = TableGrader(Bank(SPECS), {}, None)
    streams = [pyarrow.RecordBatchReader.from_stream(grader.grade(table)) for _ in range(3)]
    parts = [next(stream) for stream in streams]
    assert all(pyarrow.Table.from_batches([part, *stream]) == whole for part, stream in zip(parts, streams))


def test_a_question_of_a_column_is_compiled_once_for_all_batches() -> None:
    spec = json.dumps({
        "type": "widget",
        "widgetName": "w",
        "widgetVersion": "1.0.0",
        "validator": {"kind": "builtin", "name": "compiled_once", "config": {}},
    })
    checked: list[Any] = []

    class Counted:
        def check(self, config: Any) -> list[Any]:
            checked.append(config)
            return []

        def judge(self, config: Any, state: Any) -> Judgement:
            return Judgement(1)

    register_validator("compiled_once", Counted())
    table = pyarrow.table({"spec": [spec] * 50, "submission": ['{"type":"widget","state":{}}'] * 50})
    graded = pyarrow.Table.from_batches(map_in_arrow()(table.to_batches(max_chunksize=5)))
    assert graded["score"].to_pylist() == [1.0] * 50
    assert len(checked) == 1


def test_a_validator_of_the_program_is_asked_each_time() -> None:
    asked: list[Any] = []

    def validator(config: Any, state: Any) -> Judgement:
        asked.append(state)
        return Judgement(len(asked) % 2)

    register_validator("by_turns", validator)
    spec = {
        "type": "widget",
        "widgetName": "w",
        "widgetVersion": "1.0.0",
        "validator": {"kind": "builtin", "name": "by_turns"},
    }
    answer = {"type": "widget", "state": {}}
    graded = Grader(spec).grade_many([answer] * 200, workers=1)
    assert [result.score for result in graded if isinstance(result, AttemptResult)] == [1.0, 0.0] * 100
    graded = fablegrade.grade_many([{"spec": spec, "submission": answer}] * 200, workers=2)
    table = pyarrow.table({"item_id": ["w"] * 200, "submission": [json.dumps(answer)] * 200})
    assert pyarrow.table(grade_batches(table, {"w": spec}))["score"].to_pylist() == [1.0, 0.0] * 100
    assert len(graded) == 200 and len(asked) == 600
