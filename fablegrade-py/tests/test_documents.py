"""The values that are accepted as documents, and the errors for other values."""

from __future__ import annotations

import array
import collections
import dataclasses
import datetime
import enum
import fractions
import json
import math
import pathlib
import types
import uuid
from decimal import Decimal
from typing import Any, ClassVar

import pytest

import fablegrade
from fablegrade import Grader, JsonError, SchemaError, _fablegrade, judgehost, kattis, terry, verify

NUMERIC = {"type": "numeric", "answer": {"value": 4}}


class Choice(str, enum.Enum):
    A = "a"


class Count(enum.IntEnum):
    FOUR = 4


class Named(str):
    """A `str` with its own `__str__`."""

    def __str__(self) -> str:
        return "something else"


class Digits(Decimal):
    """A `Decimal` with methods of its own."""

    def __str__(self) -> str:
        return '7,"extra":1'

    def is_finite(self) -> bool:
        return True


class Count7(int):
    """An `int` with its own text."""

    def __str__(self) -> str:
        return "eight"


class Typed:
    """A value with a `dtype` of another library."""

    dtype, ndim = object(), 1


class OddDimensions(Typed):
    dtype = types.SimpleNamespace(kind="f")  # type: ignore[assignment]
    ndim = abs  # type: ignore[assignment]


def graded(value: Any) -> fablegrade.AttemptResult:
    return Grader(NUMERIC).grade({"type": "numeric", "value": value})


@pytest.mark.parametrize("value", [4, 4.0, Decimal(4), Decimal("4.000"), Decimal("4E0"), Count.FOUR, Decimal("0.4E+1"), Digits(4)])
def test_numbers_of_every_kind(value: Any) -> None:
    assert graded(value).verdict == "correct"


def test_a_decimal_keeps_every_digit() -> None:
    tolerance = {"mode": "absolute", "amount": Decimal("1e-40")}
    exact = {"type": "numeric", "answer": {"value": Decimal("0.1000000000000000000000000000001"), "tolerance": tolerance}}
    submission = {"type": "numeric", "value": Decimal("0.1000000000000000000000000000001")}
    assert fablegrade.grade(exact, submission).verdict == "correct"
    assert fablegrade.grade(exact, {"type": "numeric", "value": 0.1}).verdict == "incorrect"


def test_a_float_counts_as_the_decimal_that_python_prints() -> None:
    spec = {"type": "numeric", "answer": {"value": 0.3, "tolerance": {"mode": "absolute", "amount": 0.1}}}
    assert fablegrade.grade(spec, {"type": "numeric", "value": 0.4}).verdict == "correct"
    for number in (5e-324, 1.7976931348623157e308, -0.0, 1e22, 123456789.123456789, 1e-7):
        view = fablegrade.deliver({"type": "ordering", "items": [{"id": "a", "content": number}, {"id": "b", "content": 2}],
                                   "correctOrder": ["a", "b"]})
        assert number in [item["content"] for item in view.to_dict()["items"]]


def test_mappings_tuples_and_subclasses() -> None:
    spec = collections.OrderedDict(type="multiple_choice", choices=(
        types.MappingProxyType({"id": Choice.A, "content": "1", "correct": True}),
        collections.ChainMap({"id": "b"}, {"content": "2", "correct": False}),
    ))
    assert fablegrade.grade(spec, {"type": Named("multiple_choice"), "selectedChoiceIds": (Choice.A,)}).verdict == "correct"


def test_bytes_of_every_kind() -> None:
    text = json.dumps({"type": "numeric", "value": 4})
    for document in (text, text.encode(), bytearray(text.encode()), memoryview(text.encode()), memoryview(text.encode())[::1]):
        assert Grader(NUMERIC).grade(document).verdict == "correct"


@pytest.mark.parametrize(
    ("value", "rule", "pointer"),
    [
        ({"type": "numeric", "value": math.nan}, "not-json", "/submission/value"),
        ({"type": "numeric", "value": math.inf}, "not-json", "/submission/value"),
        ({"type": "numeric", "value": Decimal("sNaN")}, "not-json", "/submission/value"),
        ({"type": "numeric", "value": {4}}, "not-json", "/submission/value"),
        ({"type": "numeric", "value": Digits("NaN")}, "not-json", "/submission/value"),
        ({"type": "numeric", "value": Typed()}, "not-json", "/submission/value"),
        ({"type": "numeric", "value": OddDimensions()}, "not-json", "/submission/value"),
        ({"type": "numeric", Named("value"): {4}}, "not-json", "/submission/value"),
        ({"type": "numeric", "value": b"4"}, "not-json", "/submission/value"),
        ({"type": "numeric", "value": 10**4_000}, "number-too-long", "/submission/value"),
        ({"type": "numeric", "value": 10**1_200}, "number-too-long", "/submission/value"),
        ({"type": "numeric", 4: 4}, "not-json", "/submission"),
        ({"type": "numeric", "a/b~": [0, object()]}, "not-json", "/submission/a~1b~0/1"),
        ({"type": "numeric", "unit": "\ud800"}, "json-syntax", "/submission/unit"),
        ('{"type":"numeric","unit":"\ud800"}', "invalid-utf8", "/submission"),
        (b"\xff", "invalid-utf8", "/submission"),
        ("", "json-syntax", "/submission"),
    ],
)
def test_what_is_no_json_is_refused_with_its_place(value: Any, rule: str, pointer: str) -> None:
    with pytest.raises(JsonError) as raised:
        Grader(NUMERIC).grade(value)
    assert (raised.value.rule, raised.value.pointer) == (rule, pointer)
    assert raised.value.help


@pytest.mark.parametrize("value", [None, 4, True, [], "4"])
def test_json_that_is_no_object(value: Any) -> None:
    with pytest.raises(SchemaError) as raised:
        fablegrade.grade(value, {"type": "numeric", "value": 4}) if value is not None else Grader(NUMERIC).grade()
    assert raised.value.rule in ("wrong-type", "missing-field")


def test_cycles_and_bombs_end() -> None:
    cycle: list[Any] = []
    cycle.append(cycle)
    bomb: Any = "x" * 100
    for _ in range(100):
        bomb = [bomb] * 10
    wide: Any = {"k" * 1000: "v" * 1000}
    for _ in range(60):
        wide = {"a": wide, "b": wide}
    for document, rule in ((cycle, "too-deep"), (bomb, "too-large"), (wide, "too-large"), (["x" * (8 << 20)], "too-large")):
        for call in (Grader(NUMERIC).grade, _fablegrade.document_text):
            with pytest.raises(JsonError) as raised:
                call(document)
            assert raised.value.rule == rule


def test_a_container_that_changes_while_it_is_read_is_no_crash() -> None:
    fields: dict[str, Any] = {"type": "numeric", "value": 4}

    class Growing(collections.UserDict[str, Any]):
        def keys(self) -> Any:
            fields.clear()
            return super().keys()

    fields["z"] = Growing()
    with pytest.raises(SchemaError) as raised:
        Grader(NUMERIC).grade(fields)
    assert [(finding.rule, finding.pointer) for finding in raised.value.findings] == [("unknown-field", "/submission/z")]


@pytest.mark.parametrize("one", [{"spec": {}, "submission": {}}, '{"spec":{}}', b"{}", bytearray(b"{}")])
def test_one_document_is_not_taken_for_many(one: object) -> None:
    grader = fablegrade.Grader({"type": "numeric", "answer": {"value": 4}})
    for many in (fablegrade.grade_many, grader.grade_many):
        with pytest.raises(TypeError, match="pass a list"):
            many(one)


@pytest.mark.parametrize("value", [math.nan, Decimal("NaN"), Decimal("-Infinity")])
def test_numbers_that_are_not_finite_are_named_so(value: object) -> None:
    with pytest.raises(fablegrade.JsonError, match="this number is not finite"):
        fablegrade.grade({"type": "numeric", "answer": {"value": 3}}, {"type": "numeric", "value": value})


def test_bytes_are_a_buffer_and_not_a_sequence_of_numbers() -> None:
    four: Any
    for four in ("4", b"4", bytearray(b"4"), memoryview(b"4"), memoryview(b"4x4x")[::4], array.array("B", b"4")):
        assert fablegrade.match_output("exact", four, b"4").accept
    for four in (52, [52], (52,), None):
        with pytest.raises(TypeError, match=f"expected str or bytes, found {type(four).__name__}"):
            fablegrade.match_output("exact", four, b"4")
    numbers: Any = [52]
    with pytest.raises(TypeError, match="expected the file's content as bytes, found list"):
        fablegrade.interchange.read_bytes("x.gift", numbers)
    with pytest.raises(TypeError, match="expected an archive as bytes, or a mapping from paths to contents, found list"):
        fablegrade.judgehost.Package(numbers)


@pytest.mark.parametrize(
    ("seed", "same"),
    [(7, "7"), (Count7(7), "7"), (uuid.UUID("12345678-1234-5678-1234-567812345678"), b"12345678-1234-5678-1234-567812345678")],
)
def test_a_seed_can_be_a_number_or_a_uuid(seed: Any, same: str | bytes) -> None:
    items = [{"id": letter, "content": letter} for letter in "abcdefgh"]
    spec: Any = {"type": "ordering", "items": items, "correctOrder": list("abcdefgh")}
    assert fablegrade.deliver(spec, seed) == fablegrade.deliver(spec, same) == Grader(spec).deliver(seed)


@pytest.mark.parametrize("seed", [7.5, True, object(), [55], (55,)])
def test_a_seed_of_another_type_is_named(seed: Any) -> None:
    with pytest.raises(TypeError, match=f"a seed is a str, bytes, an int or a UUID, found {type(seed).__name__}"):
        fablegrade.deliver({"type": "numeric", "answer": {"value": 3}}, seed)


class Letter(enum.Enum):
    A = "a"


@dataclasses.dataclass
class NumericAnswer:
    value: Any
    type: str = "numeric"
    made: ClassVar[int] = 0
    seed: dataclasses.InitVar[int] = 0


class Model:
    """The methods of a pydantic model that documents use; `test_a_pydantic_model` has a real model."""

    def model_dump(self, *, by_alias: bool, exclude_none: bool) -> dict[str, Any]:
        assert by_alias and exclude_none
        return {"type": "numeric", "value": 4}


@pytest.mark.parametrize("answer", [NumericAnswer(4), NumericAnswer(Count.FOUR), Model()])
def test_dataclasses_and_models_are_documents(answer: Any) -> None:
    assert Grader(NUMERIC).grade(answer).verdict == "correct"
    assert fablegrade.grade_many([{"spec": NUMERIC, "submission": answer}])[0].verdict == "correct"


def test_a_pydantic_model() -> None:
    pydantic = pytest.importorskip("pydantic")
    answer = pydantic.create_model("Answer", type=(str, "numeric"), value=(Decimal, ...), unit=(str, None))
    assert Grader(NUMERIC).grade(answer(value="4.000")).verdict == "correct"


def test_enumerations_times_and_uuids() -> None:
    spec = {"type": "multiple_choice", "choices": [
        {"id": Letter.A, "content": "1", "correct": True}, {"id": "b", "content": "2", "correct": False}]}
    attempt = {
        "problemId": uuid.UUID(int=1),
        "problemVersionId": uuid.UUID(int=2),
        "submittedAt": datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=datetime.timezone.utc),
        "submission": {"type": "multiple_choice", "selectedChoiceIds": [Letter.A]},
    }
    assert fablegrade.grade(spec, attempt=attempt).verdict == "correct"
    attempt["submittedAt"] = datetime.datetime(2026, 1, 2)
    with pytest.raises(JsonError, match="no time zone") as raised:
        fablegrade.grade(spec, attempt=attempt)
    assert raised.value.pointer == "/attempt/submittedAt" and "tzinfo" in (raised.value.help or "")


def test_numbers_and_arrays_of_numpy() -> None:
    numpy = pytest.importorskip("numpy")
    for value in (numpy.int64(4), numpy.uint8(4), numpy.float32(4), numpy.float64(4), numpy.array(4)):
        assert graded(value).verdict == "correct"
    tenth = {"type": "numeric", "answer": {"value": Decimal("0.1"), "tolerance": {"mode": "absolute", "amount": Decimal("1e-20")}}}
    assert fablegrade.grade(tenth, {"type": "numeric", "value": numpy.float32(0.1)}).verdict == "correct"
    spec = {"type": "multiple_choice", "choices": [
        {"id": "a", "content": "1", "correct": numpy.bool_(True)}, {"id": "b", "content": "2", "correct": False}]}
    assert fablegrade.grade(spec, {"type": "multiple_choice", "selectedChoiceIds": numpy.array(["a"])}).verdict == "correct"
    with pytest.raises(JsonError, match="numpy.complex128") as raised:
        graded(numpy.complex128(1))
    assert raised.value.pointer == "/submission/value"


class Endless:
    """A model that contains a model, endlessly."""

    def model_dump(self, **_: object) -> Endless:
        return Endless()


@pytest.mark.parametrize(
    ("value", "says", "helps"),
    [
        (fractions.Fraction(1, 3), "fractions.Fraction", "decimal"),
        (pathlib.PurePosixPath("x"), "pathlib", "str(path)"),
        ({4}, "set", "list"),
        (Letter, "enum", "give a dict"),
        (Endless(), "contains itself", "content"),
    ],
)
def test_a_refused_type_is_named_with_its_module_and_a_way_out(value: Any, says: str, helps: str) -> None:
    with pytest.raises(JsonError) as raised:
        graded(value)
    assert raised.value.pointer == "/submission/value"
    assert says in str(raised.value) and helps in (raised.value.help or "")


def test_the_package_lists_what_it_offers() -> None:
    assert dir(fablegrade) == sorted(fablegrade.__all__)


def test_a_text_with_a_lone_surrogate_calls_no_method_of_a_subclass() -> None:
    fields: dict[str, Any] = {"type": "numeric", "value": 4}

    class Changing(str):
        def __str__(self) -> str:
            fields.clear()
            return "changed"

        def encode(self, *_: object) -> bytes:
            return b'{"type":"numeric","value":4}'

    fields["unit"], fields["z"] = Changing("\ud800"), 0
    with pytest.raises(JsonError) as raised:
        Grader(NUMERIC).grade(fields)
    assert (raised.value.rule, raised.value.pointer, len(fields)) == ("json-syntax", "/submission/unit", 4)
    with pytest.raises(JsonError):
        Grader(NUMERIC).grade(Changing('{"type":"numeric","value":4,"unit":"\ud800"}'))


@pytest.mark.parametrize(
    ("call", "pointer"),
    [
        (lambda: fablegrade.equivalent("\ud800", "x"), "/a"),
        (lambda: fablegrade.equivalent("x", "\ud800"), "/b"),
        (lambda: fablegrade.Reference("\ud800"), "/a"),
        (lambda: fablegrade.Reference("x").equivalent("\ud800"), "/b"),
        (lambda: fablegrade.deliver({"type": "numeric", "answer": {"value": 3}}, "\ud800"), "/seed"),
        (lambda: fablegrade.arrow.Bank({"\ud800": NUMERIC}), ""),
        (lambda: fablegrade.match_output("exact", "\ud800", "x"), "/expected"),
        (lambda: fablegrade.match_output("exact", "x", "\ud800"), "/actual"),
        (lambda: fablegrade.match_output("exact", "x", "x", float_tolerance="\ud800"), "/float_tolerance"),
        (lambda: kattis.compare("\ud800", "x"), "/answer"),
        (lambda: terry.check_task("\ud800"), "/text"),
        (lambda: judgehost.Package({"config.json": "\ud800"}), "config.json"),
        (lambda: judgehost.Package({"\ud800": ""}), ""),
    ],
)
def test_a_lone_surrogate_in_an_argument_is_named_so(call: Any, pointer: str) -> None:
    with pytest.raises(JsonError) as raised:
        call()
    assert (raised.value.rule, raised.value.pointer) == ("invalid-utf8", pointer)


def test_a_lone_surrogate_in_a_pair_or_a_response_affects_nothing_else() -> None:
    broken, same = fablegrade.equivalent_many([("\ud800", "x"), ("x", "x")])
    assert isinstance(broken, JsonError) and broken.pointer == "/a" and bool(same)
    assert "\ud800" not in fablegrade.arrow.Bank({"q": NUMERIC})
    response = "\ud800\ud83d\ude00 so $x$ is \\boxed{7}."
    found = verify.check("7", response)
    assert found.span is not None and response[slice(*found.span)] == "7" == found.extracted
