"""A typed program that uses the package. mypy and pyright check it, and a test runs it."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, NoReturn

import fablegrade
from fablegrade import AttemptResult, FablegradeError, Grader, flowmcp, interchange, kattis, terry, verify
from fablegrade.documents import AnswerSpec, ChoiceSpec, MultipleChoiceSpec, NumericSubmission

if TYPE_CHECKING:
    from typing_extensions import assert_never, assert_type
else:

    def assert_never(value: NoReturn) -> NoReturn:
        raise AssertionError(value)

    def assert_type(value: object, _: object) -> object:
        return value


def colour(result: AttemptResult) -> str:
    match result.verdict:
        case "correct":
            return "green"
        case "partial":
            return "yellow"
        case "incorrect":
            return "red"
        case "pending":
            return "grey"
        case "error":
            return "black"
        case never:
            assert_never(never)


def use() -> list[str]:
    grader = Grader({"type": "numeric", "answer": {"value": Decimal(4)}})
    submission: NumericSubmission = {"type": "numeric", "value": 4}
    result = grader.grade(submission)
    assert_type(result.score, "float | None")
    explanation = grader.explain(b'{"type":"numeric","value":4}', context={"hints": {"h": 0.5}})
    assert_type(explanation.score, "Fraction | None")
    colours = [colour(result), colour(explanation.result)]
    for answer in grader.grade_many([submission, "{"]):
        colours.append(answer.rule if isinstance(answer, FablegradeError) else colour(answer))
    found = fablegrade.equivalent("x", "x", domains={"x": {"min": 0}})
    assert_type(found.equal, "bool | None")
    for finding in fablegrade.lint("{}"):
        colours.append(f"{finding.severity} {finding.rule}")
    comparison = fablegrade.match_output("float_tolerance", "1", b"1", float_tolerance=0.5)
    assert_type(comparison.largest_error, "Decimal | None")
    choices: list[ChoiceSpec] = [
        {"id": "a", "content": "Paris", "correct": True},
        {"id": "b", "content": {"text": "Rome"}, "correct": False, "feedback": "Rome is in Italy."},
    ]
    question: MultipleChoiceSpec = {"type": "multiple_choice", "choices": choices}
    colours.append(Grader(question).type)
    half: Fraction | None = explanation.raw_score
    assert half == 1
    return colours


def questions(name: str, data: bytes) -> list[str]:
    """The fields distinguish questions from errors."""
    types: list[str] = []
    for line in interchange.read_bytes(name, data):
        if "error" in line:
            types.append(line["error"]["rule"])
        elif "spec" in line:
            spec: AnswerSpec = line["spec"]
            types.append(Grader(spec).type)
            assert_type(line["exactness"], interchange.Exactness)
            assert_type(interchange.write(line, "gift").get("text"), "str | None")
        else:
            types += [part["prompt"] for part in line.get("parts", [])]
    return types


def integrations() -> list[str]:
    concluded = terry.read_result("", max_score=10)
    words: list[str] = [concluded["failure"]["rule"] if "failure" in concluded else str(concluded["points"])]
    package = kattis.KattisPackage({"problem.yaml": "name: Double", "data/secret/1.in": "3", "data/secret/1.ans": "6"})
    outcomes: kattis.Outcomes = {"cases": {"secret/1": [{"timeMs": 12, "output": "6"}]}}
    judgement = kattis.conclude(package, "a.py", "print()", outcomes, time_limit=1)
    assert_type(judgement.get("verdict"), "kattis.JudgeVerdict | None")
    words.append(judgement.get("verdict", "open"))
    for index in flowmcp.rollup([]):
        words.append(index["namespace"] if "namespace" in index else index["selectionId"])
    assert_type(verify.compute_score("5", "5"), float)
    words.append(verify.compute_score(data_source="x", solution_str="5", ground_truth="5")["verdict"])
    return words


if __name__ == "__main__":
    print(use())
