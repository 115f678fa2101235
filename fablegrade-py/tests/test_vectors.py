"""Runs every vector through every entry point that takes documents, and compares the bytes with those from Rust."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import fablegrade
from fablegrade import AttemptResult, FablegradeError, Grader
from vectors import Vector, forms, vectors

PARTS = ("submission", "attempt", "outcomes", "context")
Answer = AttemptResult | FablegradeError


def caught(call: Callable[[], AttemptResult]) -> Answer:
    try:
        return call()
    except FablegradeError as error:
        return error


def shapes(vector: Vector) -> Iterator[tuple[str, Any, dict[str, Any]]]:
    """Yields the spec and the arguments in each form: all bytes, all str, all values."""
    spec = dict(forms(vector.text("spec") or ""))
    parts = {part: dict(forms(text)) for part in PARTS if (text := vector.text(part)) is not None}
    for form in ("bytes", "str", "value"):
        if form in spec and all(form in part for part in parts.values()):
            yield form, spec[form], {name: part[form] for name, part in parts.items()}


def request_line(vector: Vector) -> str:
    texts = ((field, vector.text(field)) for field in ("spec", *PARTS))
    return "{" + ",".join(f'"{field}":{text}' for field, text in texts if text is not None) + "}"


def entry_points(vector: Vector) -> Iterator[tuple[str, Answer]]:
    for form, spec, parts in shapes(vector):
        yield f"grade {form}", caught(lambda: fablegrade.grade(spec, **parts))
        yield f"Grader.grade {form}", caught(lambda: Grader(spec).grade(**parts))
        yield f"explain {form}", caught(lambda: fablegrade.explain(spec, **parts).result)
        yield f"Grader.explain {form}", caught(lambda: Grader(spec).explain(**parts).result)
        yield f"grade_many {form}", fablegrade.grade_many([{"spec": spec, **parts}] if form == "value" else [request_line(vector) if form == "str" else request_line(vector).encode()])[0]
        if "outcomes" not in parts:
            yield f"Grader.grade_many {form}", caught(lambda: many(Grader(spec), parts))


def many(grader: Grader, parts: dict[str, Any]) -> AttemptResult:
    context = parts.get("context")
    if "attempt" in parts:
        answers = grader.grade_many(attempts=[parts["attempt"]] * 3, context=context)
    else:
        answers = grader.grade_many(iter([parts["submission"]] * 3), context=context)
    assert len(answers) == 3 and len({answer.to_json() for answer in answers}) == 1
    if isinstance(answers[0], FablegradeError):
        raise answers[0]
    return answers[0]


def rows(error: FablegradeError) -> list[list[str]]:
    """Returns pairs of pointer and rule. The name of the argument is removed from the pointer."""
    found = []
    for finding in error.findings:
        pointer = finding.pointer
        for prefix in ("/spec", *(f"/{part}" for part in PARTS)):
            if pointer == prefix or pointer.startswith(prefix + "/"):
                pointer = pointer.removeprefix(prefix)
                break
        found.append([pointer, finding.rule])
    return sorted(found)


def ids(vector: Vector) -> str:
    return vector.name


@pytest.mark.parametrize("vector", vectors("grade"), ids=ids)
def test_grade(vector: Vector) -> None:
    count = 0
    for how, answer in entry_points(vector):
        count += 1
        if "result" in vector.fields:
            assert isinstance(answer, AttemptResult), f"{how}: {answer}"
            assert answer.to_json() == vector.fields["result"], f"{how}: {vector.fields['why']}"
        else:
            assert isinstance(answer, FablegradeError), f"{how}: {answer}"
            assert (answer.kind, rows(answer)) == (vector.fields["error"]["kind"], vector.rules), how
    assert count >= 10


def test_a_dict_is_taken_for_nearly_every_vector() -> None:
    """Texts that are not JSON have no Python value; all others are also tested as values."""
    taken = sum(form == "value" for vector in vectors("grade") for form, _, _ in shapes(vector))
    assert taken >= 0.95 * len(vectors("grade"))


def test_all_requests_in_one_call_are_answered_in_order() -> None:
    graded = [vector for vector in vectors("grade") if "result" in vector.fields]
    lines = [request_line(vector) for vector in graded for _ in range(8)]
    answers = fablegrade.grade_many(itertools.chain(lines, ["{"]))
    assert [answer.to_json() for answer in answers[:-1]] == [vector.fields["result"] for vector in graded for _ in range(8)]
    assert isinstance(answers[-1], fablegrade.JsonError)


@pytest.mark.parametrize("vector", vectors("grade"), ids=ids)
def test_refusal(vector: Vector) -> None:
    if "result" not in vector.fields:
        return
    parts = {part: text for part in PARTS if (text := vector.text(part)) is not None}
    steps = fablegrade.explain(vector.text("spec") or "", **parts).steps
    rule = next((step["rule"] for step in steps if step["code"] == "refused"), None)
    assert rule == vector.fields.get("refusal")


@pytest.mark.parametrize("vector", vectors("deliver"), ids=ids)
def test_deliver(vector: Vector) -> None:
    seed = vector.fields["seed"]
    for form, spec in forms(vector.text("spec") or ""):
        views = [fablegrade.deliver(spec, seed), fablegrade.deliver(spec, seed.encode())]
        if vector.name not in ("widget/deliver/builtin", "widget/deliver/params"):  # a validator that no host registered
            views.append(Grader(spec).deliver(seed))
        for view in views:
            assert view.to_json() == vector.fields["view"], form
        assert view.type == json.loads(vector.fields["view"])["type"]


@pytest.mark.parametrize("vector", vectors("lint"), ids=ids)
def test_lint(vector: Vector) -> None:
    for form, spec in forms(vector.text("spec") or ""):
        found = sorted([finding.severity, finding.rule, finding.pointer] for finding in fablegrade.lint(spec))
        assert found == sorted(vector.fields["findings"]), form


@pytest.mark.parametrize("vector", vectors("match"), ids=ids)
def test_match(vector: Vector) -> None:
    tolerance = vector.text("floatTolerance")
    expected, actual = vector.output("expected"), vector.output("actual")
    found = fablegrade.match_output(vector.fields["matcher"], expected, actual, float_tolerance=tolerance)
    assert found.accept is bool(found) is vector.fields["accept"], vector.fields["why"]
    assert (found.difference is None) == found.accept
    assert isinstance(vector.fields["expected"], str)
    if vector.fields.get("enc") != "base64":
        text = fablegrade.match_output(
            vector.fields["matcher"], vector.fields["expected"], vector.fields["actual"], float_tolerance=tolerance
        )
        assert text == found


NUMERIC = '{"type":"numeric","answer":{"value":4}}'
READERS: dict[str, Callable[[Any], Any]] = {
    "AnswerSpec": fablegrade.deliver,
    "Submission": lambda document: Grader(NUMERIC).grade(document),
    "Attempt": lambda document: Grader(NUMERIC).grade(attempt=document),
    "AttemptResult": AttemptResult.from_json,
}


@pytest.mark.parametrize("vector", vectors("check"), ids=ids)
def test_check(vector: Vector) -> None:
    for form, document in forms(vector.text("instance") or ""):
        if form == "value" and vector.name == "document/too-large/nine-mebibytes":
            continue  # it is too long only because of whitespace, which a value does not have
        try:
            READERS[vector.fields["schema"]](document)
        except FablegradeError as error:
            assert not vector.fields["valid"], f"{form}: {error}"
            assert error.kind in ("json", "schema")
            assert rows(error) == sorted(vector.fields["rules"]), form
        else:
            assert vector.fields["valid"], form
