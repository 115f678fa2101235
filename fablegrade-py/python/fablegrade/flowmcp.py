"""FlowMCP grading entries: check, aggregate, build, age, roll up and verify. See docs/flowmcp.md.

Documents are JSON as `str` or bytes, or dicts; results are the documents that the command `fablegrade flowmcp` prints.
Times are arguments; no clock is read.

>>> from fablegrade import flowmcp
>>> scores = [{"score": "pass", "weight": 2}, {"score": 4, "weight": 1}]
>>> answer = flowmcp.aggregate(scores, grading_tier="autonomous")
>>> answer["rawGrade"], answer["aggregateGrade"]
('A', 'B')
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any, TypedDict, cast

from . import _fablegrade
from .results import FindingDict

if TYPE_CHECKING:
    from .results import Document

__all__ = ["Aged", "Aggregated", "Checked", "FindingDict", "Verified", "age", "aggregate", "build", "check", "rollup", "verify"]


class Checked(TypedDict):
    """The result of a check. `valid`: whether the document conforms to its schema; further findings do not change it."""

    valid: bool
    findings: list[FindingDict]


class Aggregated(TypedDict, total=False):
    """The grade of some answers; `None` if nothing can be scored."""

    aggregateGrade: str | None
    rawGrade: str | None
    normalizedScore: float | None
    maxAttainableGrade: str
    findings: list[FindingDict]


class Aged(TypedDict):
    """An entry as of a later time."""

    gradings: list[dict[str, Any]]
    becameStale: list[Any]
    pastRetention: Any
    aggregation: Any
    findings: list[FindingDict]


class Verified(TypedDict):
    """The verification of an archive."""

    valid: bool
    files: list[dict[str, Any]]
    skipped: list[Any]
    indexes: list[dict[str, Any]]


def check(document: Document) -> Checked:
    """Checks an entry, or an evaluator's envelope, against the schema and further rules. Never raises for an invalid one."""
    return cast(Checked, json.loads(_fablegrade.flowmcp("check", {"document": document})))


def aggregate(gradings: Sequence[Any] | str | bytes, *, grading_tier: str, veto: Any = None) -> Aggregated:
    """Computes the aggregate grade of answers; only `score` and `weight` of each grading are used.

    `veto` is a veto, a truth value or `None`. `aggregateGrade` is `None` when nothing can be scored or an argument is wrong;
    `findings` has the reason.
    """
    gradings = gradings if isinstance(gradings, (str, bytes)) else list(gradings)
    fields = {"gradings": gradings, "gradingTier": json.dumps(grading_tier), "veto": veto}
    return cast(Aggregated, json.loads(_fablegrade.flowmcp("aggregate", fields)))


def build(draft: Document) -> dict[str, Any]:
    """Builds an entry from a draft. Raises `FablegradeError` for an invalid draft."""
    entry: dict[str, Any] = json.loads(_fablegrade.flowmcp("build", {"draft": draft}))["entry"]
    return entry


def age(document: Document, *, plan: Document, now: str) -> Aged:
    """Returns the entry as of `now` (RFC 3339): answers that are too old become stale.

    `plan` is `{"classes": {"Q-...": "API_DAYS" | "TOS_DAYS" | "time-independent" | days}, "retentionDays"?: days}`.
    """
    fields = {"document": document, "plan": plan, "now": json.dumps(now)}
    return cast(Aged, json.loads(_fablegrade.flowmcp("age", fields)))


def _value(document: Any) -> Any:
    """Returns a document that is inside another one, with every digit of its numbers."""
    return json.loads(document, parse_float=Decimal) if isinstance(document, (str, bytes, bytearray)) else document


def rollup(entries: Sequence[Mapping[str, Any]], *, options: Document | None = None) -> list[dict[str, Any]]:
    """Returns the indexes of entries `{path?, entry}`. `options` is
    `{stableFrom?, liveHashes?, updatedAt?, locks?, gradeOfNothing?}`."""
    fields: dict[str, Any] = {"entries": [{**filed, "entry": _value(filed["entry"])} for filed in entries]}
    if options is not None:
        fields["options"] = options
    indexes: list[dict[str, Any]] = json.loads(_fablegrade.flowmcp("rollup", fields))["indexes"]
    return indexes


def verify(files: Mapping[str, Any], *, options: Document | None = None) -> Verified:
    """Verifies an archive: `files` are documents by their path. `options` as for `rollup`."""
    fields: dict[str, Any] = {"files": {path: _value(document) for path, document in files.items()}}
    if options is not None:
        fields["options"] = options
    return cast(Verified, json.loads(_fablegrade.flowmcp("verify", fields)))
