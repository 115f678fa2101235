"""Judgehost problem packages: check, plan and score. See docs/judgehost.md.

Nothing is run here: `plan` lists what a host has to run, `score` turns the result files of the containers into points. Results
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
>>> judgehost.score(config, results)["evaluation"]["total_score"]  # only the tester is trusted
40
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypedDict, Union, cast

from . import _fablegrade
from ._fablegrade import Package
from .errors import FablegradeError
from .flowmcp import Checked
from .results import FindingDict

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
    """The reason for a failed evaluation: the stage, and the container."""

    container_id: str


class Scored(TypedDict):
    """An evaluation: `{submission_id, problem_id, status, rubrics, verdict, ...}` with `total_score`, `max_total_score`,
    `normalized_score` (0 to 100) and `weighted_score` (0 to 1) where anything is counted; the findings are for the author."""

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
    """Checks a configuration, a single container, or a rubric's result (with the `rubric` as in the configuration).

    Without `strict`, missing fields and old names found in older packages are warnings. Never raises for a bad document.
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
    return {"valid": valid, "findings": [finding.to_dict() for finding in found]}


def plan(
    package: Package,
    submission_id: str = "submission",
    *,
    allow_capabilities: Iterable[str] = (),
    internet: bool = True,
) -> dict[str, Any]:
    """Returns everything that a host needs to run a submission, with every default filled in: images, network, containers in the order
    in which they start, hooks, limits, and whose results are trusted. Scripts of hooks are in the package (`Package.read`).

    Raises `MismatchError` for a capability or internet access that the host does not allow.
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
    """Returns the plan as a Compose project for the root of the package's folder."""
    return package._compose(submission, submission_id, list(allow_capabilities), internet)


def distribute(package: Package, submission: Files) -> list[Delivery]:
    """Distributes the files of a submission to the containers. Raises `MismatchError` for files that do not fit the packages that the
    problem declares."""
    return [Delivery(*delivery) for delivery in package._distribute(submission)]


def content_id(submission: Files) -> str:
    """Derives a submission id from the files alone: the same files give the same id."""
    return _fablegrade.judgehost_content_id(submission)


def _content(held: Any) -> Any:
    """Returns the unchanged text of a file; bytes that are not UTF-8 are not JSON."""
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

    A result that cannot be trusted earns nothing, and a finding gives the reason. Raises `FablegradeError` for a bad configuration.
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
    """Converts an evaluation to an AttemptResult. Weights count if any rubric has one, unless `ranking` is given.

    An evaluation with an error has the verdict `error` and no score; one that the submission made fail is `incorrect`.
    """
    fields = _outcome(config, results, "", failure)
    return _fablegrade.judgehost_attempt_result(fields, strict, attempt_id, ranking)
