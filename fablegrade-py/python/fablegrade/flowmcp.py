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
from typing import TYPE_CHECKING, Literal, TypedDict, Union, cast, final

from . import _fablegrade
from ._json import read_json
from .documents import FlowmcpAnswer, FlowmcpGradingEntry
from .results import FindingDict

if TYPE_CHECKING:
    from .documents import FlowmcpCategoricalVeto, Text
    from .results import Document

__all__ = [
    "Aged",
    "AggregateGrade",
    "Aggregated",
    "Aggregation",
    "Blocker",
    "Checked",
    "FileReport",
    "FindingDict",
    "Index",
    "LockSnapshot",
    "LockedMember",
    "MemberOverride",
    "MemberStatus",
    "NamespaceIndex",
    "NamespaceSummary",
    "Node",
    "NodeStatus",
    "RollupStatus",
    "SchemaNode",
    "SelectionIndex",
    "SelectionSummary",
    "ToolsAggregate",
    "Verified",
    "age",
    "aggregate",
    "build",
    "check",
    "rollup",
    "verify",
]

AggregateGrade = Literal["A", "B", "C", "D", "F", "REJECTED"]
NodeStatus = Literal["pending", "blocked", "graded", "stable", "rejected"]
RollupStatus = Literal["operational", "partial", "pending", "blocked", "rejected"]


class Checked(TypedDict):
    """The result of a check. `valid` is whether the document conforms to its schema; findings of other rules do not
    affect it."""

    valid: bool
    findings: list[FindingDict]


class Aggregation(TypedDict):
    """The grade of the answers of an entry; `None` if nothing can be scored."""

    aggregateGrade: AggregateGrade | None
    rawGrade: Literal["A", "B", "C", "D", "F"] | None
    normalizedScore: float | None
    maxAttainableGrade: Literal["A", "B"]


class _Aggregated(TypedDict):
    aggregateGrade: AggregateGrade | None
    normalizedScore: float | None
    findings: list[FindingDict]


class Aggregated(_Aggregated, total=False):
    """The grade of some answers; `None` if nothing can be scored. The optional fields are absent if an argument is
    invalid."""

    rawGrade: Literal["A", "B", "C", "D", "F"] | None
    maxAttainableGrade: Literal["A", "B"]


class _Aged(TypedDict):
    gradingId: str
    gradings: list[FlowmcpAnswer]
    becameStale: list[str]
    pastRetention: bool
    findings: list[FindingDict]


class Aged(_Aged, total=False):
    """An entry as of a later time: `becameStale` has ids of questions. `aggregation` is present if the version of the
    grading system is known and the entry is not a partial one without a veto."""

    aggregation: Aggregation


class _Node(TypedDict):
    status: NodeStatus


class Node(_Node, total=False):
    """A node of an index. `reason` explains why the node is pending or blocked."""

    grade: AggregateGrade
    reason: str


class ToolsAggregate(Node, total=False):
    """The node of all tools of a schema; `boundTo` is the hash of the graded schema."""

    boundTo: str


class _SchemaNode(TypedDict):
    status: NodeStatus
    tools: dict[str, Node]
    toolsAggregate: ToolsAggregate


class SchemaNode(_SchemaNode, total=False):
    """A schema in an index, with its tools by name."""

    grade: AggregateGrade


class Blocker(TypedDict):
    """A blocked node, and the reason."""

    node: str
    reason: str


class NamespaceSummary(TypedDict):
    """The counts of a namespace. `skills` counts only graded skills."""

    about: NodeStatus
    skills: int
    schemas: int
    tools: int
    toolsStable: int
    description: NodeStatus


class _SelectionSummary(TypedDict):
    about: NodeStatus
    skills: int


class SelectionSummary(_SelectionSummary, total=False):
    """The counts of a selection. `skills` counts only graded skills. Members are counted only if the selection has a
    lock."""

    members: int
    membersStable: int


class MemberOverride(TypedDict, total=False):
    """Texts that a selection shows instead of a member's own."""

    name: str
    description: str


class LockedMember(TypedDict):
    """A member of a selection at the time of locking."""

    schemaId: str
    schemaVersion: str
    schemaHash: str
    gradingStatus: NodeStatus
    override: MemberOverride | None


class LockSnapshot(TypedDict):
    """The lock of a selection."""

    selectionId: str
    selectionVersion: str
    selectionHash: str
    generatedAt: str
    members: list[LockedMember]


class MemberStatus(TypedDict):
    """The status of a member of a selection."""

    status: NodeStatus


class _Index(TypedDict):
    indexVersion: Literal[2]
    status: RollupStatus
    about: Node
    skills: dict[str, Node]
    blockers: list[Blocker]


class _IndexRest(TypedDict, total=False):
    updatedAt: str
    grade: AggregateGrade


@final
class NamespaceIndex(_Index, _IndexRest):
    """The index of a namespace: schemas and skills by name."""

    namespace: str
    description: Node
    namespaceAggregate: Node
    schemas: dict[str, SchemaNode]
    summary: NamespaceSummary


class _SelectionIndex(_Index, _IndexRest):
    selectionId: str
    selectionAggregate: Node
    summary: SelectionSummary


@final
class SelectionIndex(_SelectionIndex, total=False):
    """The index of a selection. The optional fields are present only if the selection has a lock."""

    members: dict[str, MemberStatus]
    lockSnapshot: LockSnapshot


Index = Union[NamespaceIndex, SelectionIndex]
"""The index of a namespace, which has the field `namespace`, or of a selection."""


class FileReport(TypedDict):
    """The findings about a file of an archive."""

    path: str
    findings: list[FindingDict]


class Verified(TypedDict):
    """The verification of an archive. `skipped` has the paths of files that are not gradings."""

    valid: bool
    files: list[FileReport]
    skipped: list[str]
    indexes: list[Index]


def check(document: Document) -> Checked:
    """Checks an entry, or an evaluator's envelope, against its schema and further rules. Raises only if the document is
    not JSON."""
    return cast(Checked, read_json(_fablegrade.flowmcp("check", {"document": document})))


def aggregate(
    gradings: Sequence[Mapping[str, object]] | str | bytes,
    *,
    grading_tier: str,
    veto: FlowmcpCategoricalVeto | Text | bool | None = None,
) -> Aggregated:
    """Computes the aggregate grade of answers from their `score` and `weight`.

    Of several valid answers with the same `questionId`, only the latest counts, by `timestamp`. `veto` is a veto, a boolean
    or `None`. `aggregateGrade` is `None` if nothing can be scored or an argument is invalid; `findings` has the reason.
    """
    gradings = gradings if isinstance(gradings, (str, bytes)) else list(gradings)
    fields: dict[str, object] = {"gradings": gradings, "gradingTier": json.dumps(grading_tier), "veto": veto}
    return cast(Aggregated, read_json(_fablegrade.flowmcp("aggregate", fields)))


def build(draft: Document) -> FlowmcpGradingEntry:
    """Builds an entry from a draft. Raises `FablegradeError` for an invalid draft."""
    entry: FlowmcpGradingEntry = read_json(_fablegrade.flowmcp("build", {"draft": draft}))["entry"]
    return entry


def age(document: Document, *, plan: Document, now: str) -> Aged:
    """Returns the entry as of `now` (RFC 3339): answers that are too old become stale.

    `plan` is `{"classes": {"Q-...": "API_DAYS" | "TOS_DAYS" | "time-independent" | days}, "retentionDays"?: days}`.
    """
    fields: dict[str, object] = {"document": document, "plan": plan, "now": json.dumps(now)}
    return cast(Aged, read_json(_fablegrade.flowmcp("age", fields)))


def _value(document: object) -> object:
    """Returns a document as a value that can be part of another document; its numbers keep every digit."""
    value: object = read_json(document) if isinstance(document, (str, bytes, bytearray)) else document
    return value


def rollup(entries: Sequence[Mapping[str, object]], *, options: Document | None = None) -> list[Index]:
    """Returns the indexes of entries `{path?, entry}`. `options` is
    `{stableFrom?, liveHashes?, updatedAt?, locks?, gradeOfNothing?}`."""
    fields: dict[str, object] = {"entries": [{**filed, "entry": _value(filed["entry"])} for filed in entries]}
    if options is not None:
        fields["options"] = options
    indexes: list[Index] = read_json(_fablegrade.flowmcp("rollup", fields))["indexes"]
    return indexes


def verify(files: Mapping[str, Document], *, options: Document | None = None) -> Verified:
    """Verifies an archive. `files` has the documents by path; `options` are those of `rollup`."""
    fields: dict[str, object] = {"files": {path: _value(document) for path, document in files.items()}}
    if options is not None:
        fields["options"] = options
    return cast(Verified, read_json(_fablegrade.flowmcp("verify", fields)))
