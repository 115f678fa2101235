r"""Makes typical mistakes of newcomers, and prints the messages that they get: `python fablegrade-py/tests/mistakes.py`.

`mistakes.txt` records the messages; `SNAPSHOTS=overwrite pytest fablegrade-py/tests/test_mistakes.py` rewrites it.
"""

from __future__ import annotations

import datetime
import decimal
import fractions
import pathlib
import uuid
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import fablegrade
from fablegrade import Grader, Reference, equivalent, equivalent_many, grade, grade_many, lint, match_output
from fablegrade.arrow import Bank, grade_batches, map_in_arrow
from fablegrade.validators import register_validator
from fablegrade.verify import check_many

CHOICE: Any = {
    "type": "multiple_choice",
    "choices": [{"id": "a", "content": "A", "correct": True}, {"id": "b", "content": "B", "correct": False}],
}
NUMERIC: Any = {"type": "numeric", "answer": {"value": 4}}
FOUR: Any = {"type": "numeric", "value": 4}
CODE: Any = {
    "type": "code",
    "languages": ["python"],
    "limits": {},
    "testSuites": [{"name": "all", "visibility": "public", "cases": [{"input": "", "expected": "1"}]}],
}


def expression(canonical: str) -> Any:
    return {"type": "expression", "canonical": canonical, "equivalence": "symbolic"}


def widget(name: str) -> Any:
    return {"type": "widget", "widgetName": "w", "widgetVersion": "1.0.0", "validator": {"kind": "builtin", "name": name}}


STATE: Any = {"type": "widget", "state": {}}


def judged(name: str, judgement: Any) -> Any:
    """Returns the result, and the steps about the validator, for a validator that can be wrong."""
    register_validator(name, judgement)
    explanation = fablegrade.explain(widget(name), STATE)
    return [explanation.result, *(step for step in explanation.steps if "validator" in step["code"])]


class Handmade:
    """An object that is not a document and cannot be converted to one."""


def columns() -> Any:
    import pyarrow

    return pyarrow.table({"item_id": ["q"], "submission": ['{"type":"numeric","value":4}']})


# The calls, each with the text that is shown for it.
MISTAKES: dict[str, Callable[[], Any]] = {
    # Backslashes that Python reads as escapes.
    r'equivalent("\rho", "x")': lambda: equivalent("\rho", "x"),
    r'equivalent("2x", "\times 2")': lambda: equivalent("2x", "\times 2"),
    r'equivalent("2\nu", "x")': lambda: equivalent("2\nu", "x"),
    r'equivalent("x\to 0", "x")': lambda: equivalent("x\to 0", "x"),
    r'equivalent("\beta", "x")': lambda: equivalent("\beta", "x"),
    r'equivalent("\forall x", "x")': lambda: equivalent("\forall x", "x"),
    r'equivalent("\alpha", "x")': lambda: equivalent("\alpha", "x"),
    r'equivalent("\varphi", "x")': lambda: equivalent("\varphi", "x"),
    r'equivalent("2\0", "x")': lambda: equivalent("2\0", "x"),
    r'Reference("\rho g")': lambda: Reference("\rho g"),
    r'equivalent_many([("x", "\times x")])': lambda: equivalent_many([("x", "\times x")]),
    r'Grader(expression("2\times x")).warnings': lambda: Grader(expression("2\times x")).warnings,
    r'Grader(expression("\beta"))': lambda: Grader(expression("\beta")),
    r'grade(expression("2\nu"), {"type": "expression", "latex": "x"})': lambda: grade(
        expression("2\nu"), {"type": "expression", "latex": "x"}
    ),
    r'grade(expression("2x"), {"type": "expression", "latex": "2\times x"}).feedback': lambda: grade(
        expression("2x"), {"type": "expression", "latex": "2\times x"}
    ).feedback,
    r'grade(expression("x"), {"type": "expression", "latex": "\frac{x}{1}"}).feedback': lambda: grade(
        expression("x"), {"type": "expression", "latex": "\frac{x}{1}"}
    ).feedback,
    r'lint(expression("x+\theta"))': lambda: lint(expression("x+\theta")),
    # documents that are almost right
    'Grader({"type": "numerik"})': lambda: Grader({"type": "numerik"}),  # type: ignore[typeddict-item]
    'Grader({"type": "numeric", "anwser": {"value": 4}})': lambda: Grader({"type": "numeric", "anwser": {"value": 4}}),  # type: ignore[typeddict-unknown-key]
    'Grader("numeric")': lambda: Grader("numeric"),
    "Grader(None)": lambda: Grader(None),  # type: ignore[arg-type]
    "Grader(Handmade())": lambda: Grader(Handmade()),  # type: ignore[arg-type]
    "grade(FOUR, NUMERIC)": lambda: grade(FOUR, NUMERIC),
    "grade(NUMERIC)": lambda: grade(NUMERIC),
    'grade(NUMERIC, b"\\xef\\xbb\\xbf{}")': lambda: grade(NUMERIC, b"\xef\xbb\xbf{}"),
    "grade(NUMERIC, {'type': 'numeric', 'value': float('nan')})": lambda: grade(
        NUMERIC, {"type": "numeric", "value": float("nan")}
    ),
    "grade(NUMERIC, {'type': 'numeric', 'value': Fraction(1, 3)})": lambda: grade(
        NUMERIC, {"type": "numeric", "value": fractions.Fraction(1, 3)}
    ),
    "grade(NUMERIC, {'type': 'numeric', 'value': {4}})": lambda: grade(NUMERIC, {"type": "numeric", "value": {4}}),
    "grade(NUMERIC, Path('answer.json'))": lambda: grade(NUMERIC, pathlib.Path("answer.json")),
    "grade(NUMERIC, FOUR, context={'gradedAt': datetime(2026, 3, 1)})": lambda: grade(
        NUMERIC, FOUR, context={"gradedAt": datetime.datetime(2026, 3, 1)}
    ),
    "grade(NUMERIC, FOUR, context={'gradedAt': 1.5})": lambda: grade(NUMERIC, FOUR, context={"gradedAt": 1.5}),
    "grade(NUMERIC, FOUR, context={'hints': {'h1': 2}})": lambda: grade(NUMERIC, FOUR, context={"hints": {"h1": 2}}),
    "Grader(NUMERIC).deliver(1.5)": lambda: Grader(NUMERIC).deliver(1.5),  # type: ignore[arg-type]
    "grade(NUMERIC, {'type': 'numeric', 'value': Decimal('Infinity')})": lambda: grade(
        NUMERIC, {"type": "numeric", "value": decimal.Decimal("Infinity")}
    ),
    "grade(NUMERIC, {4: 'value'})": lambda: grade(NUMERIC, {4: "value"}),
    "grade(NUMERIC, {'type': 'numeric', 'value': b'4'})": lambda: grade(NUMERIC, {"type": "numeric", "value": b"4"}),
    "grade(NUMERIC, FOUR, context={'attemptId': 'first'})": lambda: grade(NUMERIC, FOUR, context={"attemptId": "first"}),
    "grade(NUMERIC, FOUR, context={'locale': 'fr'})": lambda: grade(NUMERIC, FOUR, context={"locale": "fr"}),
    "grade(NUMERIC, '{\"type\": \"numeric\", \"value\": 4, \"unit\": \"\\ud800\"}')": lambda: grade(
        NUMERIC, '{"type": "numeric", "value": 4, "unit": "\ud800"}'
    ),
    "grade(NUMERIC, FOUR, attempt={})": lambda: grade(NUMERIC, FOUR, attempt={}),
    "grade(CODE, {'type': 'code', 'language': 'python', 'source': '1'})": lambda: grade(
        CODE, {"type": "code", "language": "python", "source": "1"}
    ),
    "Grader(CODE).plan(FOUR)  # nothing to run": lambda: Grader(CODE).plan(FOUR),
    # one in the place of many
    "Grader(NUMERIC).grade_many(FOUR)": lambda: Grader(NUMERIC).grade_many(FOUR),
    "grade_many('{}')": lambda: grade_many("{}"),
    "Grader(NUMERIC).grade_many([FOUR], workers=-1)": lambda: Grader(NUMERIC).grade_many([FOUR], workers=-1),
    "Grader(NUMERIC).grade_many([FOUR], progress=True)": lambda: Grader(NUMERIC).grade_many([FOUR], progress=True),  # type: ignore[arg-type]
    "equivalent_many([('x', 'x')], workers='all')": lambda: equivalent_many([("x", "x")], workers="all"),  # type: ignore[arg-type]
    "check_many(['1'], '1')": lambda: check_many(["1"], "1"),
    "check_many(['1'], ['1', '2'])": lambda: check_many(["1"], ["1", "2"]),
    "check_many(['1'], ['1'], without='units')": lambda: check_many(["1"], ["1"], without="units"),
    "check_many(['1'], ['1'], without=['unit'])": lambda: check_many(["1"], ["1"], without=["unit"]),
    "equivalent('x', 'y', variables='xy')": lambda: equivalent("x", "y", variables="xy"),
    "equivalent('x', 'y', functions=b'f')": lambda: equivalent("x", "y", functions=b"f"),  # type: ignore[arg-type]
    "equivalent('x', 'y', domains={'x': 'positive'})": lambda: equivalent("x", "y", domains={"x": "positive"}),  # type: ignore[dict-item]
    "equivalent('x', 'y', domains={'x': {'min': 2, 'max': 1}})": lambda: equivalent("x", "y", domains={"x": {"min": 2, "max": 1}}),
    "equivalent('x', 'y', domains={'x': (0, 1)})": lambda: equivalent("x", "y", domains={"x": (0, 1)}),  # type: ignore[dict-item]
    "equivalent_many(['xy'])": lambda: equivalent_many(["xy"]),  # type: ignore[list-item]
    "equivalent('x', 4)": lambda: equivalent("x", 4),  # type: ignore[arg-type]
    "match_output('exactly', '1', '1')": lambda: match_output("exactly", "1", "1"),  # type: ignore[arg-type]
    "match_output('exact', 1, '1')": lambda: match_output("exact", 1, "1"),  # type: ignore[arg-type]
    "match_output('float_tolerance', '1', '1', float_tolerance=-1)": lambda: match_output(
        "float_tolerance", "1", "1", float_tolerance=-1
    ),
    # banks and tables
    "Bank({1: NUMERIC})": lambda: Bank({1: NUMERIC}),  # type: ignore[dict-item]
    "Bank(NUMERIC)": lambda: Bank(NUMERIC),
    "Bank(Grader(NUMERIC))": lambda: Bank(Grader(NUMERIC)),  # type: ignore[arg-type]
    "Bank([NUMERIC])": lambda: Bank([NUMERIC]),  # type: ignore[arg-type]
    "grade_batches(columns(), NUMERIC)": lambda: grade_batches(columns(), NUMERIC),
    "grade_batches([1], {'q': NUMERIC})": lambda: grade_batches([1], {"q": NUMERIC}),  # type: ignore[arg-type]
    "grade_batches(columns()['submission'], {'q': NUMERIC})": lambda: grade_batches(columns()["submission"], {"q": NUMERIC}),
    "grade_batches(columns(), {'q': NUMERIC}, keep='item_id')": lambda: grade_batches(
        columns(), {"q": NUMERIC}, keep="item_id"
    ),
    "grade_batches(columns(), {'q': NUMERIC}, columns=['submission'])": lambda: grade_batches(
        columns(), {"q": NUMERIC}, columns=["submission"]  # type: ignore[arg-type]
    ),
    "grade_batches(columns(), {'q': NUMERIC}, columns={'submission': 'answer'})": lambda: grade_batches(
        columns(), {"q": NUMERIC}, columns={"submission": "answer"}
    ),
    "grade_batches(columns(), {'q': NUMERIC}, columns={'answer': 'submission'})": lambda: grade_batches(
        columns(), {"q": NUMERIC}, columns={"answer": "submission"}
    ),
    "grade_batches(columns(), {'q': NUMERIC}, keep=['learner'])": lambda: grade_batches(
        columns(), {"q": NUMERIC}, keep=["learner"]
    ),
    "map_in_arrow({'q': NUMERIC}, keep='item_id')": lambda: map_in_arrow({"q": NUMERIC}, keep="item_id"),
    "grade_batches(pyarrow.array([{'item_id': 'q'}]), {'q': NUMERIC})": lambda: grade_batches(
        columns().to_struct_array().combine_chunks().field(0), {"q": NUMERIC}
    ),
    "grade_batches(columns())  # without a bank": lambda: grade_batches(columns()),
    "fablegrade.arow": lambda: fablegrade.arow,
    # validators of the program
    "register_validator('Above', lambda config, state: 1)": lambda: register_validator("Above", lambda config, state: 1),
    "register_validator('above', 1)": lambda: register_validator("above", 1),  # type: ignore[arg-type]
    "a validator that answers 7": lambda: judged("answers_7", lambda config, state: 7),
    "a validator that answers a text": lambda: judged("answers_text", lambda config, state: "right"),
    "a validator that raises": lambda: judged("raises", lambda config, state: state["y"]),
    "grade(widget('nobody'), STATE)": lambda: grade(widget("nobody"), STATE),
    "Grader(NUMERIC).deliver(UUID(int=0))  # right": lambda: Grader(NUMERIC).deliver(uuid.UUID(int=0)),
}


def said(make: Callable[[], Any]) -> Iterator[str]:
    """Returns the error or the value of a call, then its warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            value = make()
        except fablegrade.FablegradeError as error:
            yield from (f"{type(error).__name__}: {finding}" for finding in error.findings)
        except Exception as error:
            yield f"{type(error).__name__}: {error}"
        else:
            parts = value if isinstance(value, (list, tuple)) else [value]
            yield from (str(part) if isinstance(part, (fablegrade.Finding, Exception)) else repr(part) for part in parts)
    yield from (f"{warning.category.__name__}: {warning.message}" for warning in caught)


def report() -> str:
    """All mistakes, each with its messages."""
    blocks = ("\n".join([f">>> {shown}", *said(make)]) for shown, make in MISTAKES.items())
    return "\n\n".join(blocks) + "\n"


if __name__ == "__main__":
    print(report(), end="")
