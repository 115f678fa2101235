"""Judgehost problem packages: check, plan and score. See docs/judgehost.md.

Nothing is run here: `plan` lists what a host has to run, `score` computes points from the result files of the containers.
Results are the documents that the command `fablegrade judgehost` prints.

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
from decimal import Decimal
from typing import TYPE_CHECKING, Literal, NamedTuple, TypedDict, Union, cast

from . import _fablegrade
from ._fablegrade import Package
from ._json import read_json
from .documents import Json
from .errors import FablegradeError
from .flowmcp import Checked
from .results import FindingDict

if TYPE_CHECKING:
    from ._fablegrade import AttemptResult
    from .results import Document

__all__ = [
    "Checked",
    "ContainerPlan",
    "Delivery",
    "Evaluation",
    "EvaluationFailure",
    "Failure",
    "Files",
    "FindingDict",
    "HealthCheck",
    "Hook",
    "MountPlan",
    "NetworkPlan",
    "Package",
    "Plan",
    "PlannedPackage",
    "RubricResult",
    "RubricSources",
    "RubricType",
    "RubricVerdict",
    "Scored",
    "Stage",
    "Wait",
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
"""A `.tar.gz` or `.zip` as bytes, or the files by path."""


Stage = Literal["build", "engine", "dependency", "startup", "pre-hook", "total-time", "interrupted"]
RubricVerdict = Literal["PASS", "FAIL", "PARTIAL", "SKIP", "ERROR"]
RubricType = Literal[
    "test_cases",
    "performance_benchmark",
    "resource_usage",
    "code_quality",
    "api_endpoints",
    "ui_test",
    "integration_test",
    "security_scan",
    "ml_metrics",
    "custom",
]


class _Failure(TypedDict):
    stage: Stage
    message: str


class Failure(_Failure, total=False):
    """The reason for a failed evaluation: the stage, and the container if there is one."""

    container_id: str


class EvaluationFailure(Failure):
    """The failure of an evaluation. `by_submission` is whether the submission caused it."""

    by_submission: bool


class _RubricResult(TypedDict):
    rubric_id: str
    rubric_name: str
    rubric_type: RubricType
    score: float | Decimal
    max_score: float | Decimal
    weight: float | Decimal
    verdict: RubricVerdict


class RubricResult(_RubricResult, total=False):
    """The result of a rubric, and the container whose result file counts. `details` and `metadata` are unchanged."""

    container: str
    message: str
    details: Json
    metadata: Json


class _Evaluation(TypedDict):
    submission_id: str
    problem_id: str
    status: Literal["COMPLETED", "FAILED"]
    rubrics: list[RubricResult]
    verdict: RubricVerdict


class Evaluation(_Evaluation, total=False):
    """An evaluation. `normalized_score` is from 0 to 100, `weighted_score` from 0 to 1. The scores are absent if no
    rubric is counted."""

    total_score: float | Decimal
    max_total_score: float | Decimal
    normalized_score: float | Decimal
    weighted_score: float | Decimal
    failure: EvaluationFailure


class Scored(TypedDict):
    """An evaluation; the findings are for the author."""

    evaluation: Evaluation
    findings: list[FindingDict]


class _NetworkPlan(TypedDict):
    name: str
    driver: str
    internal: bool
    dns_servers: list[str]


class NetworkPlan(_NetworkPlan, total=False):
    """The network of the containers. `internal` means without internet access."""

    mtu: int


class PlannedPackage(TypedDict):
    """A package of a submission for a container: the folder for its files, and their mode in octal."""

    package_id: str
    extract_path: str
    permissions: str


class Wait(TypedDict):
    """A container to wait for, and the state in which it must be; times are in seconds."""

    container_id: str
    condition: Literal["started", "healthy", "completed"]
    timeout: int
    retry: int
    retry_interval: int


class HealthCheck(TypedDict):
    """The check that a container is ready: a command for its shell; times are in seconds."""

    command: str
    interval: int
    timeout: int
    retries: int
    start_period: int


class _MountPlan(TypedDict):
    type: Literal["bind", "volume", "tmpfs"]
    destination: str
    read_only: bool


class MountPlan(_MountPlan, total=False):
    """A mount; `source` is a path in the package, or the name of a volume."""

    source: str


class Hook(TypedDict):
    """A hook; `Package.read` has its script."""

    container_id: str
    phase: Literal["pre", "periodic", "post"]
    name: str
    interpreter: str
    options: list[str]


class _ContainerPlan(TypedDict):
    container_id: str
    context: str
    dockerfile: str
    accepts_submission: bool
    packages: list[PlannedPackage]
    environment: dict[str, str]
    memory: int
    nano_cpus: int
    processes: int
    disk: int
    lifetime: int
    startup_seconds: int
    ports: list[str]
    waits: list[Wait]
    mounts: list[MountPlan]
    cap_add: list[str]
    cap_drop: list[str]
    stops: list[str]
    pre: list[Hook]
    hooked: bool


class ContainerPlan(_ContainerPlan, total=False):
    """A container: its build, its start, its limits (memory and disk in bytes), and its hooks before the evaluation."""

    health_check: HealthCheck


class RubricSources(TypedDict):
    """A rubric, and the containers whose results for it are trusted."""

    rubric_id: str
    believed: list[str]


class Plan(TypedDict):
    """Everything that a host needs to run a submission. Hooks in the same list of `post` can run at the same time."""

    problem_id: str
    problem_version: str
    submission_id: str
    network: NetworkPlan
    containers: list[ContainerPlan]
    post: list[list[Hook]]
    periodic: list[Hook]
    periodic_interval: int
    concurrent_hooks: int
    hook_seconds: int
    total_seconds: int
    submission_seconds: int
    awaited: list[str]
    rubrics: list[RubricSources]


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
    """The files by path below `extract_path`."""


def check(document: Document, *, rubric: Document | None = None, strict: bool = False) -> Checked:
    """Checks a configuration, a single container, or a rubric's result (with the `rubric` as in the configuration).

    Without `strict`, missing required fields and old field names are warnings. Raises only if a document is not JSON.
    """
    fields: dict[str, object] = {"document": document}
    if rubric is not None:
        fields["rubric"] = rubric
    return cast(Checked, read_json(_fablegrade.judgehost("check", fields, strict)))


def check_package(files: Files, *, strict: bool = False) -> Checked:
    """Checks a package and its configuration. Does not raise for an invalid package; `Package` does."""
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
) -> Plan:
    """Returns everything that a host needs to run a submission, with all defaults: images, network, containers in the order
    in which they start, hooks, limits, and the containers whose results are trusted. `Package.read` returns a hook's script.

    Raises `MismatchError` for a capability or internet access that the host does not allow.
    """
    planned: Plan = read_json(package._plan(submission_id, list(allow_capabilities), internet))
    return planned


def compose(
    package: Package,
    submission: Files | None = None,
    submission_id: str = "submission",
    *,
    allow_capabilities: Iterable[str] = (),
    internet: bool = True,
) -> str:
    """Returns the plan as a Compose file to save in the root folder of the package."""
    return package._compose(submission, submission_id, list(allow_capabilities), internet)


def distribute(package: Package, submission: Files) -> list[Delivery]:
    """Distributes the files of a submission to the containers. Raises `MismatchError` if they do not match the packages that
    the problem declares."""
    return [Delivery(*delivery) for delivery in package._distribute(submission)]


def content_id(submission: Files) -> str:
    """Derives a submission id from the files alone: the same files give the same id."""
    return _fablegrade.judgehost_content_id(submission)


def _content(held: object) -> object:
    """Returns the text of a file. If bytes are not UTF-8, a leading U+FFFD makes sure that the text is not JSON."""
    if not isinstance(held, (bytes, bytearray)):
        return held
    try:
        return held.decode("utf-8")
    except UnicodeDecodeError:
        return "\ufffd" + held.decode("utf-8", "replace")


def _outcome(
    config: Document, results: Mapping[str, Mapping[str, object]], submission_id: str, failure: Failure | None
) -> dict[str, object]:
    texts = {container: {name: _content(held) for name, held in files.items()} for container, files in results.items()}
    fields: dict[str, object] = {"config": config, "results": texts, "submission_id": json.dumps(submission_id)}
    if failure is not None:
        fields["failure"] = dict(failure)
    return fields


def score(
    config: Document,
    results: Mapping[str, Mapping[str, object]],
    *,
    submission_id: str = "",
    failure: Failure | None = None,
    strict: bool = False,
) -> Scored:
    """Scores result files `{container_id: {file name: content}}`. Each content is JSON as text, or its value.

    A result that cannot be trusted earns nothing, and a finding gives the reason. Raises `FablegradeError` for an invalid
    configuration.
    """
    fields = _outcome(config, results, submission_id, failure)
    return cast(Scored, read_json(_fablegrade.judgehost("score", fields, strict)))


def attempt_result(
    config: Document,
    results: Mapping[str, Mapping[str, object]],
    *,
    attempt_id: str,
    ranking: Literal["auto", "weighted", "normalized"] = "auto",
    failure: Failure | None = None,
    strict: bool = False,
) -> AttemptResult:
    """Converts an evaluation to an AttemptResult. With the `ranking` `auto`, weights count if any rubric has one.

    An evaluation with an error has the verdict `error` and no score. If the submission caused the failure, it is
    `incorrect`.
    """
    fields = _outcome(config, results, "", failure)
    return _fablegrade.judgehost_attempt_result(fields, strict, attempt_id, ranking)
