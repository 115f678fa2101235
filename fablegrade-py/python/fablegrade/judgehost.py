"""Judgehost problem packages: check, plan and score. See docs/judgehost.md.

Nothing is run here: `plan` says what a host has to run, `score` turns the result files of the containers into points. Answers
are the documents that the command `fablegrade judgehost` prints.

>>> from fablegrade import judgehost
>>> config = {
...     "problem_id": "two-sum", "problem_name": "Two Sum",
...     "containers": [
...         {"container_id": "submission", "dockerfile_path": "submission/Dockerfile", "accepts_submission": True},
...         {"container_id": "tester", "dockerfile_path": "tester/Dockerfile"}],
...     "rubrics": [{"rubric_id": "correctness", "rubric_name": "Correctness", "rubric_type": "test_cases",
...                  "max_score": 100, "container": "tester"}],
... }
>>> results = {"submission": {"rubric_correctness.json": {"rubric_id": "correctness", "score": 100}},
...            "tester": {"rubric_correctness.json": {"rubric_id": "correctness", "score": 40}}}
>>> judgehost.score(config, results)["evaluation"]["total_score"]  # the tester is believed, nobody else
40
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypedDict, Union, cast

from . import _fablegrade
from ._fablegrade import Package
from .errors import FablegradeError
from .flowmcp import Checked, FindingDict

if TYPE_CHECKING:
    from ._fablegrade import AttemptResult
    from .results import Document

__all__ = [
    "Checked",
    "Delivery",
    "Failure",
    "Files",
    "FindingDict",
    "Package",
    "Scored",
    "attempt_result",
    "check",
    "check_package",
    "compose",
    "content_id",
    "distribute",
    "plan",
    "score",
]

Files = Union[bytes, Mapping[str, Union[str, bytes]]]
"""A `.tar.gz` or `.zip`, or the files by their paths."""


class _Failure(TypedDict):
    stage: Literal["build", "engine", "dependency", "startup", "pre-hook", "total-time", "interrupted"]
    message: str


class Failure(_Failure, total=False):
    """Why an evaluation failed: the stage, and the container."""

    container_id: str


class Scored(TypedDict):
    """An evaluation: `{submission_id, problem_id, status, rubrics, verdict, ...}` with `total_score`, `max_total_score`,
    `normalized_score` (0 to 100) and `weighted_score` (0 to 1) where anything is counted; findings are for the author."""

    evaluation: dict[str, Any]
    findings: list[FindingDict]


class Delivery(NamedTuple):
    """The files of a submission for one container."""

    package_id: str
    container_id: str
    extract_path: str
    """The folder in the container."""
    permissions: int
    """Mode of the files."""
    folder_permissions: int
    """Mode of the folders."""
    files: dict[str, bytes]
    """The files by their paths below `extract_path`."""


def check(document: Document, *, rubric: Document | None = None, strict: bool = False) -> Checked:
    """Checks a configuration, a single container, or a rubric's result (of the `rubric` as it stands in the configuration).

    Leniently, what older packages leave out or call by other names is a warning. Never raises for a bad document.
    """
    fields: dict[str, Any] = {"document": document}
    if rubric is not None:
        fields["rubric"] = rubric
    return cast(Checked, json.loads(_fablegrade.judgehost("check", fields, strict)))


def check_package(files: Files, *, strict: bool = False) -> Checked:
    """Checks a package, its configuration against its files. Never raises for an invalid one; `Package` does."""
    try:
        found, valid = Package(files, strict=strict).findings, True
    except FablegradeError as error:
        found, valid = error.findings, False
    return {"valid": valid, "findings": [cast(FindingDict, finding.to_dict()) for finding in found]}


def plan(
    package: Package,
    submission_id: str = "submission",
    *,
    allow_capabilities: Iterable[str] = (),
    internet: bool = True,
) -> dict[str, Any]:
    """Everything a host needs to know to run a submission, every default filled in: images, network, containers in the order
    of their starts, hooks, limits, whose results are believed. Scripts of hooks are in the package (`Package.read`).

    Raises `MismatchError` for a capability or an access to the internet that the host does not allow.
    """
    planned: dict[str, Any] = json.loads(package._plan(submission_id, list(allow_capabilities), internet))
    return planned


def compose(
    package: Package,
    submission: Files | None = None,
    submission_id: str = "submission",
    *,
    allow_capabilities: Iterable[str] = (),
    internet: bool = True,
) -> str:
    """The plan as a Compose project that is at the root of the package's folder."""
    return package._compose(submission, submission_id, list(allow_capabilities), internet)


def distribute(package: Package, submission: Files) -> list[Delivery]:
    """Which files of a submission go to which container. Raises `MismatchError` for what does not fit the packages that the
    problem declares."""
    return [Delivery(*delivery) for delivery in package._distribute(submission)]


def content_id(submission: Files) -> str:
    """A submission id from the files alone: the same files, the same id."""
    return _fablegrade.judgehost_content_id(submission)


def _content(held: Any) -> Any:
    """A file's text as it is; bytes that are not UTF-8 are not JSON."""
    if not isinstance(held, (bytes, bytearray)):
        return held
    try:
        return held.decode("utf-8")
    except UnicodeDecodeError:
        return "\ufffd" + held.decode("utf-8", "replace")


def _outcome(
    config: Document, results: Mapping[str, Mapping[str, Any]], submission_id: str, failure: Failure | None
) -> dict[str, Any]:
    texts = {container: {name: _content(held) for name, held in files.items()} for container, files in results.items()}
    fields: dict[str, Any] = {"config": config, "results": texts, "submission_id": json.dumps(submission_id)}
    if failure is not None:
        fields["failure"] = dict(failure)
    return fields


def score(
    config: Document,
    results: Mapping[str, Mapping[str, Any]],
    *,
    submission_id: str = "",
    failure: Failure | None = None,
    strict: bool = False,
) -> Scored:
    """Scores result files `{container_id: {file name: content}}`, each as text or as the value it holds.

    What cannot be believed earns nothing, and a finding says why. Raises `FablegradeError` for a bad configuration.
    """
    fields = _outcome(config, results, submission_id, failure)
    return cast(Scored, json.loads(_fablegrade.judgehost("score", fields, strict)))


def attempt_result(
    config: Document,
    results: Mapping[str, Mapping[str, Any]],
    *,
    attempt_id: str,
    ranking: Literal["auto", "weighted", "normalized"] = "auto",
    failure: Failure | None = None,
    strict: bool = False,
) -> AttemptResult:
    """The AttemptResult of the evaluation. Weights count if any rubric has one, unless `ranking` says otherwise.

    An evaluation with an error in it is `error` without a score; one that failed by what the submission did is `incorrect`.
    """
    fields = _outcome(config, results, "", failure)
    return _fablegrade.judgehost_attempt_result(fields, strict, attempt_id, ranking)
