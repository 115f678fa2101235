"""Validators of widgets: those that come with the package, and your own.

The standard validators are registered from the start. A validator of your own is a callable or an object with methods:

>>> import fablegrade
>>> from fablegrade.validators import Judgement, register_validator
>>> def above(config, state):
...     if "y" not in state:
...         return Judgement(unreadable="no-point")
...     return 1 if state["y"] > 0 else Judgement(0, messages=["below"])
>>> register_validator("above", above, messages={"no-point": "Place the point.", "below": "Look at the axis."})
>>> spec = {"type": "widget", "widgetName": "plane", "widgetVersion": "1.0.0",
...         "validator": {"kind": "builtin", "name": "above"}}
>>> fablegrade.grade(spec, {"type": "widget", "state": {"y": -2}}).feedback[0].message
'Look at the axis.'
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Any, Protocol, Union, cast

from ._fablegrade import register_foreign, validator_names

__all__ = ["ConfigFinding", "Judgement", "SupportsJudge", "register_validator", "validator_names"]


@dataclass(frozen=True)
class Judgement:
    """A validator's decision about a state.

    `score` is from 0 to 1, exact as `int`, `Fraction` or `Decimal`. `messages` are codes of declared messages, or JSON
    pointers (with a leading `/`) to fields `message` of the configuration. `unreadable` is the code of the message that
    explains why the state cannot be read; then there is no score. `steps` are for the author's explanation.
    """

    score: float | Fraction | Decimal | None = None
    messages: Iterable[str] = ()
    unreadable: str | None = None
    steps: Iterable[Mapping[str, object]] = field(default_factory=tuple)


@dataclass(frozen=True)
class ConfigFinding:
    """A defect of a configuration: the code of a declared message, and the location as a JSON pointer."""

    code: str
    pointer: str = ""
    severity: str = "error"


_Judged = Union[Judgement, float, Fraction, Decimal]


# `Any`, because a validator declares the configuration and the state that it expects.
class SupportsJudge(Protocol):
    """An object that judges a state by a configuration."""

    def judge(self, config: Any, state: Any, /) -> _Judged:
        """Returns a score or a `Judgement`."""
        ...


def _share(score: float | Fraction | Decimal | None) -> float | str | None:
    if isinstance(score, bool):
        return int(score)
    if isinstance(score, Fraction):
        return f"{score.numerator}/{score.denominator}"
    if isinstance(score, Decimal):
        return str(score)
    return score


def _answer(judged: _Judged) -> dict[str, object]:
    if not isinstance(judged, Judgement):
        judged = Judgement(judged)
    if judged.unreadable is not None:
        return {"unreadable": judged.unreadable}
    messages = [{"configured": told} if told.startswith("/") else told for told in judged.messages]
    return {"score": _share(judged.score), "messages": messages, "steps": [dict(step) for step in judged.steps]}


def register_validator(
    name: str,
    validator: Callable[[Any, Any], _Judged] | SupportsJudge,
    *,
    messages: Mapping[str, str] | None = None,
    check: Callable[[Any], Iterable[ConfigFinding]] | None = None,
) -> None:
    """Registers a validator in this process; it replaces one with the same name.

    `validator` is called with the configuration (`None` if there is none) and the state, and returns a score or a
    `Judgement`. If it is an object with a method `judge`, that method is called. Its `check` and `messages` are used
    unless they are given here. `messages` has every message that the validator can use, by code. `check` is called with
    the configuration when a question is compiled, and returns findings.

    If the validator raises an `Exception` or returns anything else, the verdict is `error`. Other exceptions, such as
    `KeyboardInterrupt`, end the call that grades. Any thread that grades can call it.
    """
    judge = getattr(validator, "judge", validator)
    check = check or getattr(validator, "check", None)
    told = messages if messages is not None else getattr(validator, "messages", {})
    if not callable(judge):
        message = "a validator is callable, or has a method `judge`"
        raise TypeError(message)
    decide = cast("Callable[[Any, Any], _Judged]", judge)

    def answer(request: str) -> str:
        asked = json.loads(request)
        if "state" in asked:
            return json.dumps(_answer(decide(asked["config"], asked["state"])), allow_nan=False)
        found = check(asked["config"]) if check is not None else ()
        findings = [{"code": one.code, "pointer": one.pointer, "severity": one.severity} for one in found]
        return json.dumps({"findings": findings})

    register_foreign(name, answer, json.dumps([{"code": code, "text": text} for code, text in told.items()]))
