"""Results, errors and graders as Python objects: typed, immutable, picklable, thread-safe."""

from __future__ import annotations

import concurrent.futures
import copy
import json
import pickle
import sys
import threading
from fractions import Fraction
from typing import Any

import pytest

import fablegrade
from fablegrade import AttemptResult, CodeResult, FablegradeError, Feedback, Finding, Grader, MismatchError

CHOICE = {
    "type": "multiple_choice",
    "choices": [
        {"id": "a", "content": "2", "correct": True},
        {"id": "b", "content": "3", "correct": False, "feedback": "3 is odd"},
    ],
}
CODE = {
    "type": "code",
    "languages": ["python"],
    "limits": {},
    "testSuites": [
        {"name": "open", "visibility": "public", "cases": [{"name": "one", "input": "1\n", "expected": "1\n"}]},
        {"name": "closed", "visibility": "hidden", "cases": [{"input": "2\n", "expected": "2\n"}]},
    ],
}
ECHO = {"type": "code", "language": "python", "source": "print(input())"}


def wrong() -> AttemptResult:
    return fablegrade.grade(CHOICE, {"type": "multiple_choice", "selectedChoiceIds": ["b"]},
                            context={"gradedAt": "2026-03-01T09:30:00Z", "hints": {"h": 0.1}})


def test_a_result_is_typed() -> None:
    result = wrong()
    assert (result.verdict, result.score, result.score_penalty_applied, result.graded_by) == ("incorrect", 0.0, 0.0, "auto")
    assert result.graded_at == "2026-03-01T09:30:00Z"
    assert result.feedback == (Feedback("info", "3 is odd"),)
    assert result.to_dict() == json.loads(result.to_json())
    assert AttemptResult.from_json(result.to_json()) == result == AttemptResult.from_json(result.to_dict())
    assert hash(result) == hash(wrong()) and {result} == {wrong()}
    assert repr(result) == "<AttemptResult incorrect 0>"
    assert result != fablegrade.grade(CHOICE, {"type": "multiple_choice", "selectedChoiceIds": ["a"]})
    with pytest.raises(AttributeError):
        result.score = 1.0  # type: ignore[misc]


def test_code_results_are_typed_and_hidden_cases_stay_hidden() -> None:
    outcomes = [
        {"suite": "open", "caseIndex": 0, "end": "exited", "stdout": "1\n", "timeMs": 7, "memoryKb": 900},
        {"suite": "closed", "caseIndex": 0, "end": "timeout"},
    ]
    grader = Grader(CODE)
    assert grader.grade(ECHO).verdict == "pending"
    plan = json.loads(grader.plan(ECHO) or "")
    assert [case["suite"] for case in plan["cases"]] == ["open", "closed"]
    assert grader.plan({"type": "code", "language": "rust", "source": "x"}) is None
    result = grader.grade(ECHO, outcomes=outcomes)
    assert result.code_results == (
        CodeResult("open", 0, "passed", "one", 7, 900, None, None),
        CodeResult("closed", 0, "timeout", None, None, None, None, None),
    )


def test_a_submission_that_cannot_be_planned_has_the_error_of_one_that_cannot_be_graded() -> None:
    submission: Any
    for submission in ("{", {"type": "code"}, {"type": "code", "language": "c", "source": {1}}):
        found = []
        for call in (Grader(CODE).plan, Grader(CODE).grade):
            with pytest.raises(FablegradeError) as raised:
                call(submission)
            found.append(raised.value.to_dict())
        assert found[0] == found[1]
        assert raised.value.pointer.startswith("/submission")


def test_everything_pickles() -> None:
    grader = Grader(CHOICE)
    explanation = grader.explain({"type": "multiple_choice", "selectedChoiceIds": ["b"]})
    values: list[Any] = [
        wrong(),
        explanation,
        grader.deliver("seed"),
        fablegrade.equivalent("x", "y"),
        fablegrade.match_output("exact", "a", "b"),
        *fablegrade.lint('{"type":"numeric"}'),
    ]
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        for value in values:
            assert pickle.loads(pickle.dumps(value, protocol)) == value
    for value in values:
        assert copy.deepcopy(value) == value
    again = pickle.loads(pickle.dumps(grader))
    submission = {"type": "multiple_choice", "selectedChoiceIds": ["a"]}
    assert again.grade(submission) == grader.grade(submission)


def failures() -> list[FablegradeError]:
    def raised(call: Any) -> FablegradeError:
        with pytest.raises(FablegradeError) as caught:
            call()
        return caught.value

    attempt = {
        "problemId": "11111111-1111-4111-8111-111111111111",
        "problemVersionId": "22222222-2222-4222-8222-222222222222",
        "submission": {"type": "multiple_choice", "selectedChoiceIds": ["a"]},
    }
    return [
        raised(lambda: Grader("{")),
        raised(lambda: Grader({"type": "multiple_choice", "choice": []})),
        raised(lambda: Grader({**CHOICE, "choices": [{**choice, "correct": False} for choice in CHOICE["choices"]]})),
        raised(lambda: Grader(CHOICE).grade(attempt=attempt, context={"problemVersionId": attempt["problemId"]})),
        raised(lambda: fablegrade.equivalent("x", "(")),
    ]


def test_exceptions_are_typed_and_say_where_and_what_to_do() -> None:
    found = failures()
    kinds = [fablegrade.JsonError, fablegrade.SchemaError, fablegrade.SpecError, MismatchError, fablegrade.SchemaError]
    assert [type(error) for error in found] == kinds
    assert [error.kind for error in found] == ["json", "schema", "spec", "mismatch", "schema"]
    several = found[1]
    assert {(finding.pointer, finding.rule) for finding in several.findings} >= {("", "missing-field"), ("/choice", "unknown-field")}
    assert all(isinstance(finding, Finding) and finding.help for finding in several.findings)
    assert str(several).startswith("error: ") and "more)" in str(several)
    assert several.to_dict() == json.loads(several.to_json()) and several.dropped == 0
    assert found[4].pointer == "/b"
    assert isinstance(several, ValueError)


def test_exceptions_pickle() -> None:
    for error in failures():
        again = pickle.loads(pickle.dumps(error))
        assert type(again) is type(error)
        assert (str(again), again.to_json(), again.findings) == (str(error), error.to_json(), error.findings)
    sandbox = fablegrade.SandboxError("no user namespaces", wrong())
    again = pickle.loads(pickle.dumps(sandbox))
    assert (str(again), again.cause, again.result) == ("no user namespaces", sandbox.cause, sandbox.result)


def test_exceptions_cross_processes() -> None:
    with concurrent.futures.ProcessPoolExecutor(1) as pool:
        with pytest.raises(fablegrade.SchemaError) as raised:
            pool.submit(fablegrade.grade, {"type": "numeric"}, {}).result()
    assert raised.value.rule == "missing-field"


def test_no_error_repeats_a_value() -> None:
    spec = {"type": "numeric", "answer": {"value": "top-secret-canary", "tolerance": {"mode": "top-secret-canary"}}}
    with pytest.raises(FablegradeError) as raised:
        Grader(spec)
    assert "canary" not in str(raised.value) + raised.value.to_json() + repr(raised.value)
    assert "canary" not in repr(Grader({"type": "numeric", "answer": {"value": 4}, "inputHint": "canary"}))


def test_an_explanation_is_exact() -> None:
    explanation = fablegrade.explain(CHOICE, {"type": "multiple_choice", "selectedChoiceIds": ["a"]},
                                     context={"hints": {"a": 0.1, "b": 0.2}})
    assert (explanation.raw_score, explanation.penalty, explanation.score) == (1, Fraction(3, 10), Fraction(7, 10))
    assert explanation.applied_penalty == Fraction(3, 10)
    assert explanation.steps[0]["code"] == "choice-right"
    assert "choice-right" in str(explanation)
    attempt = {
        "problemId": "11111111-1111-4111-8111-111111111111",
        "problemVersionId": "22222222-2222-4222-8222-222222222222",
        "hintsUsed": ["nobody"],
        "submission": {"type": "multiple_choice", "selectedChoiceIds": ["a"]},
    }
    warnings = Grader(CHOICE).explain(attempt=attempt, context={"hints": {}}).warnings
    assert [(warning.severity, warning.rule) for warning in warnings] == [("warning", "unknown-hint")]


def test_grade_many_says_which_answers_are_bad() -> None:
    good = {"type": "multiple_choice", "selectedChoiceIds": ["a"]}
    answers: list[Any] = [good, "{", {"type": "multiple_choice"}, object(), json.dumps(good)] * 700
    found = Grader(CHOICE).grade_many(iter(answers), context={"hints": {"h": 0.5}})
    assert len(found) == len(answers)
    assert [answer.score for answer in found if isinstance(answer, AttemptResult)] == [0.5] * 1400
    bad = [answer for answer in found[:5] if isinstance(answer, FablegradeError)]
    assert [(error.kind, error.rule, error.pointer) for error in bad] == [
        ("json", "json-syntax", "/submission"),
        ("schema", "missing-field", "/submission"),
        ("json", "not-json", "/submission"),
    ]
    with pytest.raises(TypeError):
        Grader(CHOICE).grade_many()
    with pytest.raises(FablegradeError) as raised:
        Grader(CHOICE).grade_many([], context={"hints": 1})
    assert raised.value.pointer == "/context/hints"


def test_an_interrupt_in_the_iterable_comes_out() -> None:
    def answers() -> Any:
        yield {"type": "multiple_choice", "selectedChoiceIds": ["a"]}
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Grader(CHOICE).grade_many(answers())


def test_a_grader_serves_many_threads() -> None:
    grader = Grader(CHOICE)
    texts = [json.dumps({"type": "multiple_choice", "selectedChoiceIds": [letter]}) for letter in "ab"]
    expected = [grader.grade(text).to_json() for text in texts]

    def work(_: int) -> bool:
        return all(grader.grade(text).to_json() == json_ for _ in range(200) for text, json_ in zip(texts, expected))

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(32)))


def test_the_lock_is_released_while_grading() -> None:
    """Another thread runs during a call, although the interpreter never takes the lock away from the calling thread."""
    term = r"\sin(x^{%d}+\cos(\exp(x/%d)))"
    long = "+".join(term % (power, power) for power in range(2, 40))
    expression = Grader({"type": "expression", "canonical": "x", "equivalence": "symbolic"})
    many = ['{"type":"multiple_choice","selectedChoiceIds":["a"]}'] * 1000
    calls: list[Any] = [
        lambda: expression.grade({"type": "expression", "latex": long}),
        lambda: fablegrade.equivalent(long, long + "+10^{-9}"),
        lambda: Grader(CHOICE).grade_many(many),
    ]
    interval = sys.getswitchinterval()
    for call in calls:
        start = threading.Event()
        ran: list[bool] = []
        thread = threading.Thread(target=lambda: (start.wait(), ran.append(True)))
        thread.start()
        sys.setswitchinterval(1_000)
        try:
            start.set()
            tries = 0
            while not ran and tries < 1_000:
                call()
                tries += 1
            released = bool(ran)
        finally:
            sys.setswitchinterval(interval)
        thread.join()
        assert released
