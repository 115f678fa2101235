"""Long calls report their progress, and raise the exception that `progress` raises."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

import fablegrade
from fablegrade.verify import check_many

NUMERIC = {"type": "numeric", "answer": {"value": 4}}
EXPRESSION = {"type": "expression", "canonical": r"\sin(x)^2+\cos(x)^2+x^2", "equivalence": "symbolic"}
# Enough for more than a second per call; all answers are different.
MANY = 100_000
ANSWERS = [{"type": "expression", "latex": rf"1+x\cdot x+{at}-{at}"} for at in range(MANY)]
ANSWER = ANSWERS[0]

CALLS: dict[str, Callable[..., Any]] = {
    "Grader.grade_many": lambda rows, **named: fablegrade.Grader(EXPRESSION).grade_many(ANSWERS[:rows], **named),
    "grade_many": lambda rows, **named: fablegrade.grade_many(
        [{"spec": EXPRESSION, "submission": answer} for answer in ANSWERS[:rows]], **named
    ),
    "equivalent_many": lambda rows, **named: fablegrade.equivalent_many(
        [(EXPRESSION["canonical"], ANSWER["latex"])] * rows, **named
    ),
    "check_many": lambda rows, **named: check_many([EXPRESSION["canonical"]] * rows, [f"${ANSWER['latex']}$"] * rows, **named),
}


@pytest.mark.parametrize("name", CALLS)
def test_progress_grows_up_to_all(name: str) -> None:
    seen: list[tuple[int, int | None]] = []
    where: set[int] = set()

    def progress(done: int, total: int | None) -> None:
        seen.append((done, total))
        where.add(threading.get_ident())

    assert len(CALLS[name](MANY, progress=progress)) == MANY
    assert seen[-1] == (MANY, MANY)
    assert len(seen) > 1, "it was called before the end, too"
    assert {total for _, total in seen} == {MANY}
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert where == {threading.get_ident()}


@pytest.mark.parametrize("name", CALLS)
def test_what_progress_raises_ends_the_work(name: str) -> None:
    calls: list[int] = []

    def enough(done: int, total: int | None) -> None:
        calls.append(done)
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        CALLS[name](MANY, progress=enough)
    assert len(calls) == 1 and calls[0] < MANY


def test_an_iterable_without_a_length_has_no_total() -> None:
    seen: list[tuple[int, int | None]] = []
    answers = ({"type": "numeric", "value": value} for value in range(3))
    fablegrade.Grader(NUMERIC).grade_many(answers, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(3, 3)]


def test_what_cannot_be_called_is_refused() -> None:
    with pytest.raises(TypeError, match="progress.*function"):
        fablegrade.Grader(NUMERIC).grade_many([], progress=True)  # type: ignore[arg-type]


@pytest.mark.skipif(not fablegrade.HAS_RUNNER, reason="built without the runner")
def test_run_tells_of_each_case() -> None:
    cases = [{"input": f"{at}\n", "expected": f"{at}\n"} for at in range(3)]
    spec = {
        "type": "code",
        "languages": ["python"],
        "limits": {},
        "testSuites": [{"name": "all", "visibility": "public", "cases": cases}],
    }
    answer = {"type": "code", "language": "python", "source": "print(input())"}
    seen: list[tuple[int, int | None]] = []
    result = fablegrade.run(spec, answer, progress=lambda done, total: seen.append((done, total)))
    assert result.verdict == "correct"
    assert seen[-1] == (3, 3)
    assert [done for done, _ in seen] == sorted({done for done, _ in seen})
