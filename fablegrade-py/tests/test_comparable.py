"""Graders, banks, references and results are values: comparable, hashable and picklable; their JSON is parsed once."""

from __future__ import annotations

import json
import pickle
from typing import Any

import pyarrow
import pytest

import fablegrade
from fablegrade import FablegradeError, Grader, Reference, SandboxError
from fablegrade.arrow import RESULT_SCHEMA, SPARK_RESULT, Bank, grade_batches

FOUR: Any = {"type": "numeric", "answer": {"value": 4}}
FOUR_OTHERWISE = '{ "answer": {"value": 4.0}, "type": "numeric" }'
FIVE: Any = {"type": "numeric", "answer": {"value": 5}}


def test_graders_are_equal_when_their_questions_are() -> None:
    assert Grader(FOUR) == Grader(FOUR_OTHERWISE) != Grader(FIVE)
    assert hash(Grader(FOUR)) == hash(Grader(FOUR_OTHERWISE))
    assert len({Grader(FOUR), Grader(FOUR_OTHERWISE), Grader(FIVE)}) == 2
    assert Grader(FOUR) != FOUR
    assert pickle.loads(pickle.dumps(Grader(FOUR))) == Grader(FOUR)


def test_banks_are_equal_when_their_questions_are() -> None:
    assert Bank({"a": FOUR, "b": FIVE}) == Bank({"b": FIVE, "a": FOUR_OTHERWISE}) != Bank({"a": FIVE, "b": FOUR})
    assert hash(Bank({"a": FOUR, "b": FIVE})) == hash(Bank({"b": FIVE, "a": FOUR}))
    assert Bank({"a": FOUR}) != Bank({"a": FOUR, "b": FIVE}) and Bank({"a": FOUR}) != Bank({"b": FOUR})
    broken: Any = {"type": "numeric"}
    assert Bank({"a": broken}) == Bank({"a": broken}) != Bank({"a": FOUR})
    assert pickle.loads(pickle.dumps(Bank({"a": FOUR}))) == Bank({"a": FOUR})


def test_a_value_that_is_not_json_stays_in_its_bank() -> None:
    one, other = Bank({"a": {"type": {1, 2}}, "b": FOUR}), Bank({"a": {"type": {3}}, "b": FOUR})
    assert one == Bank({"a": {"type": {2, 1}}, "b": FOUR}) != other
    assert one != Bank({"a": b"", "b": FOUR})
    again = pickle.loads(pickle.dumps(one))
    assert again == one and again.errors["a"].findings == one.errors["a"].findings
    assert again.errors["a"].pointer == "/type"


def test_references_are_values() -> None:
    reference = Reference(r"\sqrt{x^2}", domains={"x": {"min": 0}})
    again = pickle.loads(pickle.dumps(reference))
    assert Reference("x", variables=iter(()), functions=iter(())) == Reference("x")
    assert again == reference != Reference(r"\sqrt{x^2}") and hash(again) == hash(reference)
    assert again.equivalent("x").equal is True and Reference(r"\sqrt{x^2}").equivalent("x").equal is False
    assert (reference.latex, reference.understood) == (r"\sqrt{x^2}", r"\sqrt{x^{2}}")
    assert repr(reference) == r"Reference('\\sqrt{x^2}')"


def test_many_pairs_are_what_each_alone_is() -> None:
    pairs = [("2x", "x+x"), ("2x", "x^2"), ("x+", "x"), ("x", "y+"), (r"\sin^2x+\cos^2x", "1")] * 9
    for workers in (0, 1, 3):
        for pair, found in zip(pairs, fablegrade.equivalent_many(pairs, workers=workers), strict=True):
            if isinstance(found, FablegradeError):
                with pytest.raises(FablegradeError) as alone:
                    fablegrade.equivalent(*pair)
                assert found.to_json() == alone.value.to_json()
            else:
                assert found == fablegrade.equivalent(*pair)


def test_a_document_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    found = fablegrade.equivalent("x^2", "2x")
    reads: list[Any] = []
    loads = json.loads
    monkeypatch.setattr(json, "loads", lambda *given, **options: reads.append(given) or loads(*given, **options))
    for _ in range(3):
        assert (found.equal, found.how, bool(found)) == (False, "refuted", False)
        assert found.evidence and found.understood == ("x^{2}", "2x") and found.note is None
    assert len(reads) == 1
    # Callers can change a returned value without changing the document.
    witness = found.witness
    assert witness is not None
    witness["point"].clear()
    assert found.witness != witness


def test_the_columns_of_results_have_a_schema() -> None:
    table = pyarrow.table({"item_id": ["a"], "submission": ['{"type":"numeric","value":4}']})
    graded = pyarrow.table(grade_batches(table, {"a": FOUR}, keep=[]))
    assert pyarrow.schema(RESULT_SCHEMA) == graded.schema
    words = {"string": "string", "double": "double"}
    assert SPARK_RESULT == ", ".join(f"{field.name} {words[str(field.type)]}" for field in graded.schema)


def test_a_failed_sandbox_is_in_the_family() -> None:
    result = Grader(FOUR).grade({"type": "numeric", "value": 4})
    error = SandboxError("no user namespaces", result)
    with pytest.raises(FablegradeError) as raised:
        raise error
    assert isinstance(error, RuntimeError) and raised.value is error
    assert (error.kind, error.rule, error.cause, str(error)) == ("sandbox", "sandbox", "no user namespaces", "no user namespaces")
    again = pickle.loads(pickle.dumps(error))
    assert (again.cause, again.result, again.findings) == (error.cause, result, error.findings)


def test_what_was_built_is_known() -> None:
    assert fablegrade.__version__ and fablegrade.GRADING_SEMANTICS_VERSION >= 1
    assert ("runner" in fablegrade.BUILD_FEATURES) == fablegrade.HAS_RUNNER
