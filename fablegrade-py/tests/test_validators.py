"""Validators: the standard ones, and those that Python registers."""

from __future__ import annotations

import subprocess
import sys
import time
from fractions import Fraction
from typing import Any

import pyarrow
import pytest

import fablegrade
from fablegrade.analysis import Accumulator
from fablegrade.arrow import Bank, grade_batches
from fablegrade.validators import ConfigFinding, Judgement, register_validator, validator_names

MESSAGES = {"below": "Look at the axis.", "no-point": "Place the point.", "no-limit": "Give a limit."}


def spec(name: str, config: Any = None) -> dict[str, Any]:
    validator = {"kind": "builtin", "name": name} | ({} if config is None else {"config": config})
    return {"type": "widget", "widgetName": "plane", "widgetVersion": "1.0.0", "validator": validator}


def grade(name: str, state: dict[str, Any], config: Any = None) -> Any:
    return fablegrade.grade(spec(name, config), {"type": "widget", "state": state})


class Above:
    """A point above a limit is correct."""

    messages = MESSAGES

    def check(self, config: Any) -> list[ConfigFinding]:
        return [] if config and "limit" in config else [ConfigFinding("no-limit")]

    def judge(self, config: Any, state: Any) -> Judgement:
        if "y" not in state:
            return Judgement(unreadable="no-point")
        steps = [{"code": "looked", "y": state["y"]}]
        if state["y"] > config["limit"]:
            return Judgement(1, steps=steps)
        return Judgement(Fraction(1, 3), messages=["below", "/message"], steps=steps)


def test_standard_validators_are_there() -> None:
    assert {"short_text", "number_text", "form", "choice_weights", "order_graph", "blanks"} <= set(validator_names())
    config = {"answers": [{"value": "9.81 m/s^2"}], "units": {}}
    assert grade("number_text", {"text": "981 cm/s²"}, config).verdict == "correct"


def test_an_object_validates() -> None:
    register_validator("above_object", Above())
    config = {"limit": 1, "message": "Higher."}
    assert grade("above_object", {"y": 2}, config).verdict == "correct"
    result = grade("above_object", {"y": 0}, config)
    assert (result.verdict, result.score) == ("partial", 1 / 3)
    assert [told.message for told in result.feedback] == ["Look at the axis.", "Higher."]
    refused = grade("above_object", {}, config)
    assert (refused.verdict, refused.feedback[0].message) == ("error", "Place the point.")
    explained = fablegrade.explain(spec("above_object", config), {"type": "widget", "state": {"y": 2}})
    assert any(step["code"] == "validator-step" for step in explained.steps)


def test_a_configuration_is_checked_once() -> None:
    register_validator("above_checked", Above())
    with pytest.raises(fablegrade.SpecError) as raised:
        fablegrade.Grader(spec("above_checked", {"message": "x"}))
    assert raised.value.rule == "validator-config"
    assert [finding.rule for finding in fablegrade.lint(spec("above_checked", {}))] == ["validator-config"]


def test_a_bank_has_the_validators_of_its_time() -> None:
    specs = {"w": spec("above_later", {"limit": 1})}
    assert Bank(specs).errors["w"].rule == "unknown-validator"
    table = pyarrow.table({"item_id": ["w"], "submission": ['{"type":"widget","state":{"y":2}}']})
    for score in (0, 1):
        register_validator("above_later", lambda _config, _state, score=score: Judgement(score))
        bank = Bank(specs)
        assert bank.errors == {}
        assert pyarrow.table(grade_batches(table, bank))["score"].to_pylist() == [score]


def raising(_config: Any, _state: Any) -> Any:
    message = "on purpose"
    raise RuntimeError(message)


@pytest.mark.parametrize(
    "validator",
    [
        raising,
        lambda *_: None,
        lambda *_: 2,
        lambda *_: -1,
        lambda *_: float("nan"),
        lambda *_: "right",
        lambda *_: Judgement(0, messages=["the key is 7"]),
        lambda *_: Judgement(0, messages=["/key"]),
        lambda *_: Judgement(unreadable="invented"),
    ],
)
def test_nonsense_is_an_error_and_tells_nothing(validator: Any) -> None:
    register_validator("nonsense", validator, messages=MESSAGES)
    result = grade("nonsense", {"y": 1}, {"key": "secret"})
    assert (result.verdict, result.score) == ("error", None)
    assert "secret" not in result.to_json() and "7" not in result.feedback[0].message


def test_names_and_callables_are_checked() -> None:
    with pytest.raises(fablegrade.FablegradeError):
        register_validator("No Name", lambda *_: 1)
    with pytest.raises(TypeError):
        register_validator("nothing", 3)


class Stop(BaseException):
    """An exception that ends a program, as `KeyboardInterrupt` does."""


def stop(*_: Any) -> Any:
    raise Stop


STATE: Any = {"type": "widget", "state": {}}


def streamed() -> None:
    table = pyarrow.table({"item_id": ["w"], "submission": ['{"type":"widget","state":{}}']})
    try:
        pyarrow.table(grade_batches(table, {"w": spec("stops")}))
    except pyarrow.ArrowInvalid:
        # The exception is raised as soon as Python continues.
        time.sleep(0)


def analysed() -> None:
    rows = {"item_id": ["w"], "sitting": ["a"], "submission": ['{"type":"widget","state":{}}']}
    Accumulator({"w": spec("stops")}).add(pyarrow.table(rows))


@pytest.mark.parametrize(
    "call",
    [
        lambda: fablegrade.grade(spec("stops"), STATE),
        lambda: fablegrade.explain(spec("stops"), STATE),
        lambda: fablegrade.Grader(spec("stops")).grade(STATE),
        lambda: fablegrade.Grader(spec("stops")).grade_many([STATE] * 200, workers=2),
        lambda: fablegrade.grade_many([{"spec": spec("stops"), "submission": STATE}]),
        streamed,
        lambda: fablegrade.Grader(spec("stops_compiling")),
        lambda: fablegrade.lint(spec("stops_compiling")),
        lambda: Bank({"w": spec("stops_compiling")}),
        pytest.param(
            lambda: fablegrade.Runner(unsandboxed=True).grade(fablegrade.Grader(spec("stops")), STATE),
            marks=pytest.mark.skipif(not fablegrade.HAS_RUNNER, reason="this build cannot run programs"),
        ),
        analysed,
    ],
)
def test_an_exception_that_ends_the_program_is_no_verdict(call: Any) -> None:
    register_validator("stops", stop)
    register_validator("stops_compiling", lambda *_: 1, check=stop)
    with pytest.raises(Stop):
        call()
    # It is raised once.
    assert fablegrade.grade({"type": "numeric", "answer": {"value": 4}}, {"type": "numeric", "value": 4}).score == 1


def test_a_bank_is_compiled_again_after_an_interrupt() -> None:
    register_validator("stops_once", lambda *_: 1, check=stop)
    with pytest.raises(Stop):
        Bank({"w": spec("stops_once")})
    register_validator("stops_once", lambda *_: 1)
    assert Bank({"w": spec("stops_once")}).errors == {}


def test_a_replaced_validator_may_use_the_registry_when_it_is_deleted() -> None:
    program = """
from fablegrade.validators import register_validator, validator_names
class Last:
    def judge(self, config, state):
        return 1
    def __del__(self):
        register_validator("other", lambda *_: 1)
        print("deleted", "last" in validator_names(), flush=True)
register_validator("last", Last())
register_validator("last", lambda *_: 1)
print("done", flush=True)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=True)
    assert sorted(done.stdout.split("\n")) == ["", "deleted True", "done"]
