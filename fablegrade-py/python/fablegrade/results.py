"""Results as typed values: immutable, comparable and picklable."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Optional, TypedDict, Union, cast, final

from . import documents

if TYPE_CHECKING:
    from ._fablegrade import AttemptResult

__all__ = [
    "CaseVerdict",
    "CodeResult",
    "Comparison",
    "ComparisonDict",
    "DeliveryView",
    "Document",
    "Equivalence",
    "EquivalenceDict",
    "Explanation",
    "ExplanationDict",
    "Feedback",
    "Finding",
    "FindingDict",
    "GradedBy",
    "Matcher",
    "PointWitness",
    "Progress",
    "QuestionType",
    "Severity",
    "SideDict",
    "SideWitness",
    "Verdict",
    "WarningDict",
    "Witness",
]

Verdict = Literal["correct", "partial", "incorrect", "pending", "error"]
GradedBy = Literal["auto", "self", "peer", "reviewer"]
Severity = Literal["info", "warning", "error"]
CaseVerdict = Literal[
    "passed",
    "failed",
    "timeout",
    "memory_exceeded",
    "output_limit",
    "runtime_error",
    "compile_error",
    "sandbox_error",
]
QuestionType = Literal[
    "multiple_choice", "numeric", "expression", "free_text", "code", "ordering", "matching", "widget"
]
#: Called with the number of finished items and the total, if known. An exception that it raises stops the work.
Progress = Callable[[int, Optional[int]], object]
# `Any`, because `list` is invariant in the type of its elements.
Document = Union[str, bytes, bytearray, memoryview, Mapping[str, object], "list[Any]", "tuple[object, ...]"]
"""JSON as text, or the value itself."""
Matcher = Literal["exact", "trimmed_lines", "tokens", "json", "float_tolerance"]


class FindingDict(TypedDict):
    """A finding as JSON."""

    severity: Severity
    rule: str
    pointer: str
    message: str
    help: str


class Finding(NamedTuple):
    """One defect in a document."""

    severity: Severity
    rule: str
    """The rule, in kebab case; `docs/lint.md` explains each."""
    pointer: str
    """The location, as an RFC 6901 JSON pointer; `""` is the whole document."""
    message: str
    help: str
    """How to correct the defect."""

    def __str__(self) -> str:
        place = self.pointer or "(the document)"
        return f"{self.severity}: {place}: {self.message} [{self.rule}]; {self.help}"

    def to_dict(self) -> FindingDict:
        """`{severity, rule, pointer, message, help}`."""
        return cast(FindingDict, self._asdict())


class Feedback(NamedTuple):
    """One message to the learner."""

    severity: Literal["info", "hint", "error"]
    message: str
    """At most 2,000 characters."""


class CodeResult(NamedTuple):
    """The result of one test case. For a hidden case, all fields but suite, index and verdict are `None`."""

    suite: str
    case_index: int
    """From 0, within the suite."""
    verdict: CaseVerdict
    case_name: str | None
    time_ms: int | None
    """CPU time in milliseconds."""
    memory_kb: int | None
    """Peak memory in KiB."""
    stderr_excerpt: str | None
    diff_excerpt: str | None


class WarningDict(TypedDict):
    """A warning as JSON."""

    rule: str
    pointer: str
    message: str
    help: str


class _ExplanationDict(TypedDict):
    # `Any`, because the facts of a step depend on the step's code.
    steps: list[dict[str, Any]]
    penalty: str
    applied: str


class ExplanationDict(_ExplanationDict, total=False):
    """An explanation as JSON; scores and penalties are fractions as text."""

    raw: str
    score: str
    warnings: list[WarningDict]


class SideDict(TypedDict):
    """One side of a comparison: its reading as LaTeX, and notes on it."""

    understood: str
    notes: list[str]


@final
class PointWitness(TypedDict):
    """A point at which two expressions differ, and their values; a complex value is `[re, im]`, an infinite one a text."""

    point: dict[str, float | str]
    a: float | str | list[float | str]
    b: float | str | list[float | str]


@final
class SideWitness(TypedDict):
    """A point at which only one of two relations or sets holds: numbers, or LaTeX."""

    point: dict[str, float | str]
    holds: Literal["a", "b"]


Witness = Union[PointWitness, SideWitness]
"""A point at which two sides differ. With `holds`, only one side holds at the point; otherwise, they have different
values."""


class _EquivalenceDict(TypedDict):
    equal: bool | None
    how: Literal["proven", "identity", "agreed", "refuted", "undecided"]
    evidence: str
    a: SideDict
    b: SideDict


class EquivalenceDict(_EquivalenceDict, total=False):
    """A comparison of two expressions as JSON. Which of the optional fields are present depends on the evidence."""

    note: str
    bits: int
    errorBits: int
    points: int
    witness: Witness


class _ComparisonDict(TypedDict):
    accept: bool


class ComparisonDict(_ComparisonDict, total=False):
    """A comparison of outputs as JSON; `largestError` is a decimal as text."""

    difference: str
    largestError: str


class _Document:
    """An immutable JSON document."""

    __slots__ = ("_read", "_text")
    _read: dict[str, Any] | None
    _text: str

    def __init__(self, text: str) -> None:
        object.__setattr__(self, "_text", text)
        object.__setattr__(self, "_read", None)

    @property
    def _fields(self) -> dict[str, Any]:
        """The parsed document. It is shared, so callers must not get a part that they could change."""
        if self._read is None:
            object.__setattr__(self, "_read", json.loads(self._text))
        assert self._read is not None
        return self._read

    def to_json(self) -> str:
        """The document as canonical JSON: the same bytes as from every other binding."""
        return self._text

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Document) and type(other) is type(self) and other._text == self._text

    def __hash__(self) -> int:
        return hash(self._text)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._text}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._text,)


class DeliveryView(_Document):
    """A delivery view: a question without its key."""

    __slots__ = ()

    def to_dict(self) -> documents.DeliveryView:
        """The document as a dict, with the names of the JSON document."""
        document: documents.DeliveryView = json.loads(self._text)
        return document

    @property
    def type(self) -> QuestionType:
        """The question's type."""
        kind: QuestionType = self._fields["type"]
        return kind


class Explanation(_Document):
    """The steps behind a score, for the author: it can quote the key. `str()` has a line per step, the score, and a
    line per warning."""

    __slots__ = ("_result", "_words")
    _words: str
    _result: AttemptResult

    def __init__(self, text: str, words: str, result: AttemptResult) -> None:
        super().__init__(text)
        object.__setattr__(self, "_words", words)
        object.__setattr__(self, "_result", result)

    def to_dict(self) -> ExplanationDict:
        """The document as a dict, with the names of the JSON document."""
        document: ExplanationDict = json.loads(self._text)
        return document

    @property
    def result(self) -> AttemptResult:
        """The result for the learner."""
        return self._result

    def _fraction(self, name: str) -> Fraction | None:
        text = self._fields.get(name)
        return None if text is None else Fraction(text)

    @property
    def steps(self) -> list[dict[str, Any]]:
        """The steps in their order: `{code, ...facts}`."""
        return self.to_dict()["steps"]

    @property
    def raw_score(self) -> Fraction | None:
        """The exact score before hint penalties, in [0, 1]; `None` when there is none."""
        return self._fraction("raw")

    @property
    def penalty(self) -> Fraction:
        """The sum of the penalties of used hints, at most 0.8."""
        return self._fraction("penalty") or Fraction(0)

    @property
    def applied_penalty(self) -> Fraction:
        """The penalty that was deducted from the score."""
        return self._fraction("applied") or Fraction(0)

    @property
    def score(self) -> Fraction | None:
        """The exact score after hint penalties; `None` when there is none."""
        return self._fraction("score")

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """Warnings for the caller, such as unknown hints."""
        warnings = self._fields.get("warnings", ())
        return tuple(Finding(severity="warning", **warning) for warning in warnings)

    def __str__(self) -> str:
        return self._words

    def __repr__(self) -> str:
        return f"<Explanation {self.result!r}>"

    def __eq__(self, other: object) -> bool:
        return super().__eq__(other) and isinstance(other, Explanation) and other.result == self.result

    __hash__ = _Document.__hash__

    def __reduce__(self) -> tuple[Any, ...]:
        return Explanation, (self._text, self._words, self._result)


class Equivalence(_Document):
    """A comparison of two expressions, with evidence. It is true in a condition exactly when they are equal."""

    __slots__ = ()

    def to_dict(self) -> EquivalenceDict:
        """The document as a dict, with the names of the JSON document."""
        document: EquivalenceDict = json.loads(self._text)
        return document

    @property
    def equal(self) -> bool | None:
        """Whether the expressions are equal; `None` if this could not be decided."""
        equal: bool | None = self._fields["equal"]
        return equal

    @property
    def how(self) -> str:
        """The kind of evidence: `proven`, `identity`, `agreed`, `refuted` or `undecided`; see docs/expressions.md."""
        return str(self._fields["how"])

    @property
    def evidence(self) -> str:
        """The evidence, in words."""
        return str(self._fields["evidence"])

    @property
    def note(self) -> str | None:
        """A note, such as which side is undefined somewhere where the other has values."""
        note: str | None = self._fields.get("note")
        return note

    @property
    def understood(self) -> tuple[str, str]:
        """Both sides as they were read, in LaTeX."""
        document = self._fields
        return document["a"]["understood"], document["b"]["understood"]

    @property
    def witness(self) -> Witness | None:
        """A point at which the two differ: `{point: {name: value}, a, b}`; a complex value is `[re, im]`.

        For relations and sets it is `{point, holds}`, where `holds` is the only side, `"a"` or `"b"`, that holds at the
        point.
        """
        return self.to_dict().get("witness")

    def __bool__(self) -> bool:
        return self.equal is True


class Comparison(_Document):
    """The comparison of a program's output. It is true in a condition exactly when the output is accepted."""

    __slots__ = ()

    def to_dict(self) -> ComparisonDict:
        """The document as a dict, with the names of the JSON document."""
        document: ComparisonDict = json.loads(self._text)
        return document

    @property
    def accept(self) -> bool:
        """Whether the output is accepted."""
        accept: bool = self._fields["accept"]
        return accept

    @property
    def difference(self) -> str | None:
        """The location of the first difference. It quotes neither output, apart from keys in a JSON pointer."""
        difference: str | None = self._fields.get("difference")
        return difference

    @property
    def largest_error(self) -> Decimal | None:
        """The exact largest absolute error of the compared numbers, with the matcher `float_tolerance`; otherwise `None`."""
        error = self._fields.get("largestError")
        return None if error is None else Decimal(error)

    def __bool__(self) -> bool:
        return self.accept
