"""Record batches: all vectors, all layouts, and different divisions of the rows into batches."""

from __future__ import annotations

import gc
import json
import pickle
import random
from typing import Any

import polars
import pyarrow as pa
import pytest

import fablegrade
from fablegrade import SchemaError
from fablegrade.arrow import Bank, grade_batches
from test_vectors import PARTS, rows
from vectors import vectors

SPECS: dict[str, Any] = {
    "sum": {"type": "numeric", "answer": {"value": 4}},
    "pick": {
        "type": "multiple_choice",
        "choices": [{"id": "a", "content": "1", "correct": True}, {"id": "b", "content": "2", "correct": False}],
    },
    "broken": {"type": "numeric"},
}
ANSWERS = [
    ("sum", '{"type":"numeric","value":4}'),
    ("sum", '{"type":"numeric","value":5}'),
    ("pick", '{"type":"multiple_choice","selectedChoiceIds":["a"]}'),
    ("pick", '{"type":"multiple_choice","selectedChoiceIds":["c"]}'),
    ("pick", "{"),
    ("broken", '{"type":"numeric","value":4}'),
    ("absent", '{"type":"numeric","value":4}'),
    ("sum", None),
    (None, '{"type":"numeric","value":4}'),
]


def attempts(count: int) -> pa.Table:
    dice = random.Random(7)
    drawn = [dice.choice(ANSWERS) for _ in range(count)]
    return pa.table({
        "attempt_id": pa.array(range(count), pa.int64()),
        "item_id": pa.array([item for item, _ in drawn], pa.string()),
        "submission": pa.array([text for _, text in drawn], pa.string()),
        "when": pa.array([None] * count, pa.timestamp("us", "UTC")),
    })


def graded(data: Any, bank: Any = SPECS, **options: Any) -> pa.Table:
    return pa.table(grade_batches(data, bank, **options))


def test_every_grade_vector_gives_its_bytes() -> None:
    """The columns of the tables have the exact texts of the files, valid or not."""
    submissions = [vector for vector in vectors("grade") if vector.text("attempt") is None]
    attempted = [vector for vector in vectors("grade") if vector.text("attempt") is not None]
    for given, which in ((submissions, "submission"), (attempted, "attempt")):
        fields = ["spec", which, "outcomes", "context"]
        table = pa.table({field: pa.array([vector.text(field) for vector in given], pa.large_string()) for field in fields})
        banked = pa.table({"item_id": [vector.name for vector in given], **{field: table[field] for field in fields[1:]}})
        bank = Bank({vector.name: vector.text("spec") or "" for vector in given})
        for answers in (graded(table, None), graded(banked, bank)):
            assert answers.num_rows == len(given)
            for vector, answer in zip(given, answers.to_pylist(), strict=True):
                if "result" in vector.fields:
                    assert answer["error"] is None and answer["result"] == vector.fields["result"], vector.name
                    result = json.loads(answer["result"])
                    assert (answer["verdict"], answer["score"]) == (result["verdict"], result.get("score"))
                else:
                    assert answer["result"] is answer["verdict"] is answer["score"] is None
                    error = fablegrade.FablegradeError("", answer["error"])
                    assert (error.kind, rows(error)) == (vector.fields["error"]["kind"], vector.rules), vector.name
    assert {part for vector in attempted + submissions for part in PARTS if vector.text(part)} == set(PARTS)


def test_errors_are_a_column() -> None:
    table = pa.table({"item_id": [item for item, _ in ANSWERS], "submission": [text for _, text in ANSWERS]})
    answers = graded(table).to_pylist()
    assert [answer["verdict"] for answer in answers] == ["correct", "incorrect", "correct", "error", *[None] * 5]
    errors = [answer["error"] and json.loads(answer["error"]) for answer in answers]
    assert errors[:4] == [None] * 4
    assert [(error["kind"], error["findings"][0]["rule"], error["findings"][0]["pointer"]) for error in errors[4:]] == [
        ("json", "json-syntax", "/submission"),
        ("schema", "missing-field", "/spec"),
        ("mismatch", "unknown-item", "/item_id"),
        ("schema", "missing-field", ""),
        ("mismatch", "unknown-item", "/item_id"),
    ]


def test_columns_are_kept_and_renamed() -> None:
    table = attempts(20)
    assert graded(table).column_names == ["attempt_id", "item_id", "when", "verdict", "score", "result", "error"]
    assert graded(table, keep=["when", "submission"]).column_names[:2] == ["when", "submission"]
    assert graded(table).schema.field("when") == table.schema.field("when")
    assert graded(table)["attempt_id"].to_pylist() == list(range(20))
    renamed = table.rename_columns(["attempt_id", "question", "answer", "verdict"])
    names = {"item_id": "question", "submission": "answer"}
    again = graded(renamed, columns=names, keep=["attempt_id"])
    assert again["result"] == graded(table)["result"]
    for call, pointer in [
        (lambda: graded(table.drop_columns(["submission"])), "/submission"),
        (lambda: graded(table.drop_columns(["item_id"])), "/item_id"),
        (lambda: graded(table, None), "/spec"),
        (lambda: graded(table, columns={"submission": "nope"}), "/nope"),
        (lambda: graded(table, columns={"nope": "submission"}), "/columns/nope"),
        (lambda: graded(table, keep=["nope"]), "/nope"),
        (lambda: graded(renamed, columns=names), "/verdict"),
        (lambda: graded(table, columns={"submission": "attempt_id"}), "/attempt_id"),
    ]:
        with pytest.raises(SchemaError) as raised:
            call()
        assert raised.value.pointer == pointer
    with pytest.raises(TypeError):
        grade_batches([1, 2], SPECS)  # type: ignore[arg-type]


def layouts(table: pa.Table) -> dict[str, Any]:
    def cast(kind: pa.DataType) -> pa.Table:
        fields = [pa.field(f.name, kind) if f.name in ("item_id", "submission") else f for f in table.schema]
        return table.cast(pa.schema(fields))

    encoded = table.set_column(1, "item_id", table["item_id"].dictionary_encode())
    encoded = encoded.set_column(2, "submission", encoded["submission"].dictionary_encode())
    return {
        "string": table,
        "large_string": cast(pa.large_string()),
        "string_view": cast(pa.string_view()),
        "binary": cast(pa.binary()),
        "large_binary": cast(pa.large_binary()),
        "dictionary": encoded,
        "one batch": table.combine_chunks().to_batches()[0],
        "stream": pa.RecordBatchReader.from_batches(table.schema, iter(table.to_batches(max_chunksize=7))),
        "polars": polars.from_arrow(table),
        "polars categories": polars.from_arrow(table).with_columns(polars.col("item_id").cast(polars.Categorical)),
        "pandas": table.to_pandas(types_mapper=None),
    }


@pytest.mark.parametrize("layout", list(layouts(attempts(3))))
def test_layouts_give_the_same(layout: str) -> None:
    table = attempts(500)
    assert graded(layouts(table)[layout]).select(["verdict", "score", "result", "error"]) == graded(table).select(
        ["verdict", "score", "result", "error"]
    )


@pytest.mark.parametrize("size", [1, 2, 7, 1_000, 20_000, 60_000])
def test_cutting_rows_into_batches_changes_nothing(size: int) -> None:
    table = attempts(40_000)
    whole = graded(table).combine_chunks()
    chunks = pa.Table.from_batches(table.to_batches(max_chunksize=size)) if size > 2 else table.slice(13, 900)
    if size <= 2:
        chunks = pa.Table.from_batches(chunks.to_batches(max_chunksize=size))
        whole = whole.slice(13, 900)
    cut = graded(chunks)
    assert cut.combine_chunks() == whole.combine_chunks()
    order = list(range(0, chunks.num_rows, 3))
    assert graded(chunks.take(order)).combine_chunks() == whole.take(order).combine_chunks()


def test_a_stream_is_graded_while_it_is_read() -> None:
    taken = []

    def batches() -> Any:
        for at, batch in enumerate(attempts(100).to_batches(max_chunksize=10)):
            taken.append(at)
            yield batch

    source = pa.RecordBatchReader.from_batches(attempts(1).schema, batches())
    out = pa.RecordBatchReader.from_stream(grade_batches(source, SPECS))
    assert taken == []
    assert out.read_next_batch().num_rows == 10
    assert taken == [0]
    del out, source
    gc.collect()
    assert taken == [0]


def test_a_failing_source_fails_the_reading() -> None:
    def batches() -> Any:
        yield from attempts(10).to_batches()
        raise OSError("the disk is gone")

    source = pa.RecordBatchReader.from_batches(attempts(1).schema, batches())
    with pytest.raises(Exception, match="the disk is gone"):
        graded(source)


def test_batches_are_read_once() -> None:
    batches = grade_batches(attempts(5), SPECS)
    assert batches.columns[-4:] == ["verdict", "score", "result", "error"]
    assert pa.schema(batches) == pa.table(batches).schema
    with pytest.raises(ValueError, match="read already"):
        pa.table(batches)


def test_an_empty_table_has_the_columns() -> None:
    empty = graded(attempts(0))
    assert (empty.num_rows, empty.column_names[-4:]) == (0, ["verdict", "score", "result", "error"])


def test_a_bank_pickles_and_is_compiled_once() -> None:
    bank = Bank(SPECS)
    assert len(bank) == 3 and "sum" in bank and "absent" not in bank
    assert {item: error.rule for item, error in bank.errors.items()} == {"broken": "missing-field"}
    again = pickle.loads(pickle.dumps(bank))
    assert graded(attempts(50), again) == graded(attempts(50), bank)
    assert len(Bank({"a": object(), "b": SPECS["sum"]}).errors) == 1


def test_long_results_end_a_batch() -> None:
    """Results of about 800 kB each: a batch ends before its column exceeds the range of the offsets."""
    suites = [{"name": name, "visibility": "public", "cases": [{"input": "", "expected": "x"}] * 50} for name in "abcd"]
    spec = {"type": "code", "languages": ["python"], "limits": {}, "testSuites": suites}
    outcomes = [{"suite": name, "caseIndex": at, "end": "exited", "exitCode": 1, "stderr": "e" * 4_000}
                for name in "abcd" for at in range(50)]
    table = pa.table({
        "item_id": ["code"] * 100,
        "submission": ['{"type":"code","language":"python","source":"x"}'] * 100,
        "outcomes": pa.array([json.dumps(outcomes)] * 100).dictionary_encode(),
    })
    batches = list(pa.RecordBatchReader.from_stream(grade_batches(table, {"code": spec})))
    assert len(batches) > 1 and sum(batch.num_rows for batch in batches) == 100
    assert {json.loads(text)["verdict"] for batch in batches for text in batch["result"].to_pylist()} == {"incorrect"}


@pytest.mark.parametrize(
    ("bank", "says"),
    [
        ({1: {"type": "numeric", "answer": {"value": 4}}}, r"the ids of a bank are str, found int: pass `\{str\(id\)"),
        ({"type": "numeric", "answer": {"value": 4}}, "this is one question"),
        (fablegrade.Grader({"type": "numeric", "answer": {"value": 4}}), "this is one question"),
        ('{"type": "numeric"}', "this is one question"),
        ([{"type": "numeric"}], "a mapping `{id: question}`, found list"),
    ],
)
def test_what_is_no_bank_says_what_to_pass(bank: Any, says: str) -> None:
    with pytest.raises(TypeError, match=says):
        fablegrade.arrow.Bank(bank)


def test_a_question_may_be_called_type() -> None:
    assert len(fablegrade.arrow.Bank({"type": {"type": "numeric", "answer": {"value": 4}}})) == 1


@pytest.mark.parametrize("arguments", [{"keep": "item_id"}, {"columns": "submission"}])
def test_one_name_is_not_taken_for_a_list_of_letters(arguments: dict[str, Any]) -> None:
    (name,) = arguments
    with pytest.raises(TypeError, match=f"pass `{name}="):
        fablegrade.arrow.map_in_arrow(None, **arguments)
    with pytest.raises(TypeError, match="pass `variables="):
        fablegrade.equivalent("xy", "x", variables="xy")


def test_a_batch_with_rows_that_are_null_as_a_whole_is_refused() -> None:
    rows = pa.array([{"item_id": "sum", "submission": ANSWERS[0][1]}, None])
    with pytest.raises(ValueError, match="cannot be null"):
        grade_batches(rows, SPECS)
    assert graded(rows.slice(0, 1))["verdict"].to_pylist() == ["correct"]
