"""Packages of Kattis and the ICPC: check, compare and conclude. See docs/kattis.md.

Nothing is run here: `conclude` computes the verdict and the score from the outcomes that a host measured.

>>> from fablegrade import kattis
>>> kattis.compare("0.3", "0.2", ["float_tolerance", "0.1"]) is None  # equal within the tolerance, exactly
True
>>> kattis.compare("yes", "no")
'line 1, token 1: expected `yes`, found `no`'
>>> package = kattis.KattisPackage({"problem.yaml": "name: Double", "data/secret/1.in": "3", "data/secret/1.ans": "6"})
>>> outcomes = {"cases": {"secret/1": [{"timeMs": 12, "output": "6"}]}}
>>> kattis.conclude(package, "double.py", "print(2 * int(input()))", outcomes, time_limit=1)["verdict"]
'AC'
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, TypedDict, cast

from . import _fablegrade
from ._fablegrade import KattisPackage
from .results import FindingDict

__all__ = [
    "CaseResult",
    "CheckedPackage",
    "ExactScore",
    "GraderOutcome",
    "GroupResult",
    "JudgeVerdict",
    "KattisJudgement",
    "KattisPackage",
    "Outcomes",
    "Pass",
    "ValidatorOutcome",
    "Version",
    "check",
    "compare",
    "conclude",
]

Version = Literal["2025-09", "legacy", "legacy-icpc"]
JudgeVerdict = Literal["JE", "CE", "RTE", "MLE", "TLE", "OLE", "WA", "AC"]


class CheckedPackage(TypedDict):
    """A checked package: the names of its cases, the paths of its submissions."""

    name: str
    version: Version
    valid: bool
    cases: list[str]
    submissions: list[str]
    findings: list[FindingDict]


class _Ran(TypedDict, total=False):
    end: Literal["exited", "signalled", "timeout", "memory_exceeded", "output_limit"]
    exitCode: int
    signal: int
    timeMs: int
    memoryKb: int


class ValidatorOutcome(_Ran, total=False):
    """How a validator ended, and the texts of its feedback files by name."""

    files: Mapping[str, str]


class Pass(_Ran, total=False):
    """A pass of a case: how the submission and the validators ended. `output` is for the default validator.

    `first` is the party that ended first in an interaction, `deadlock` whether both waited forever.
    """

    validators: Sequence[ValidatorOutcome]
    output: str
    first: Literal["submission", "validator"]
    deadlock: bool


class _GraderOutcome(TypedDict):
    stdout: str


class GraderOutcome(_GraderOutcome, _Ran):
    """How a grader ended, and its output."""


class Outcomes(TypedDict, total=False):
    """The outcomes of a submission: its passes by case, and the static validators and the graders by group."""

    compileError: str
    cases: Mapping[str, Sequence[Pass]]
    static: Mapping[str, ValidatorOutcome]
    graders: Mapping[str, GraderOutcome]


class ExactScore(TypedDict):
    """A score, as a fraction and as the nearest double."""

    fraction: str
    value: float


class _GroupResult(TypedDict):
    name: str
    reason: str


class GroupResult(_GroupResult, total=False):
    """The result of a group. `verdict` is absent if the outcomes do not determine it."""

    verdict: JudgeVerdict
    score: ExactScore
    skipped: Literal[True]


class _CaseResult(TypedDict):
    name: str
    verdict: JudgeVerdict
    timeMs: int
    reason: str


class CaseResult(_CaseResult, total=False):
    """The result of a case that was run."""

    memoryKb: int
    judgeMessage: str
    teamMessage: str


class _KattisJudgement(TypedDict):
    timeMs: int
    groups: list[GroupResult]
    cases: list[CaseResult]


class KattisJudgement(_KattisJudgement, total=False):
    """A judged submission, for judges only. `verdict` and `score` are absent if the outcomes do not determine them; the
    score can then have bounds. `problem` is the reason for a judge error or a compile error."""

    verdict: JudgeVerdict
    score: ExactScore
    scoreAtLeast: ExactScore
    scoreAtMost: ExactScore
    problem: str


def check(package: KattisPackage) -> CheckedPackage:
    """Checks everything in a package that can be checked without running programs."""
    return cast(CheckedPackage, json.loads(package._checked()))


def compare(
    answer: str | bytes,
    output: str | bytes,
    flags: Iterable[str] = (),
    *,
    version: Version = "2025-09",
) -> str | None:
    """Compares like the default output validator. Returns the first difference, or `None` if the output is accepted."""
    return _fablegrade.kattis_compare(answer, output, list(flags), version)


def conclude(
    package: KattisPackage, path: str, source: str | bytes, outcomes: Outcomes, *, time_limit: float
) -> KattisJudgement:
    """Judges a submission of one file by its outcomes: verdict, score, groups and cases; the time limit is in seconds.

    `outcomes` is `{compileError?, cases?: {name: [pass]}, static?: {group: validator}, graders?: {group: {exitCode?,
    stdout}}}`. A pass is `{end?, exitCode?, signal?, timeMs?, memoryKb?, validators?, output?, first?,
    deadlock?}`, a validator `{exitCode?, files?: {name: text}}`. If outcomes are missing, verdicts and scores that
    depend on them are not determined.
    """
    return cast(KattisJudgement, json.loads(package._conclude(path, source, json.dumps(outcomes), time_limit)))
