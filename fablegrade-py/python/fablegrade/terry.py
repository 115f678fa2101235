"""Terry tasks: check documents and folders, plan and conclude evaluations, read results of checkers. See docs/terry.md.

Nothing is run here: `plan` lists the steps to run, your host runs them, `conclude` judges the outcomes. Results are the
documents that the command `fablegrade terry` prints.

>>> from fablegrade import terry
>>> [step["role"] for step in terry.plan("test", seed=42)["steps"]]
['generator', 'solution', 'checker']
>>> printed = '''{"score": 0.5,
...     "validation": {"cases": [{"status": "parsed"}, {"status": "missing"}], "alerts": []},
...     "feedback": {"cases": [{"correct": true}, {"correct": false}], "alerts": []}}'''
>>> judged = terry.read_result(printed, max_score=42)
>>> judged["points"], judged["beforeConfirming"]["cases"][1]
(21, {'status': 'missing'})
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Literal, NamedTuple, TypedDict, Union, cast, final

from . import _fablegrade
from ._json import read_json
from .results import FindingDict

if TYPE_CHECKING:
    from ._fablegrade import AttemptResult

__all__ = [
    "AfterConfirming",
    "AlertDict",
    "BadOutput",
    "CaseFeedbackDict",
    "CaseValidationDict",
    "CheckedContest",
    "CheckedFolder",
    "CheckedTask",
    "CheckerOutput",
    "Concluded",
    "ContestDict",
    "Failed",
    "FailureDict",
    "FeedbackDict",
    "FileFindingDict",
    "FileReference",
    "FolderFile",
    "Judged",
    "Plan",
    "Role",
    "Step",
    "StepOutcome",
    "SubtaskDict",
    "TaskDict",
    "ValidationDict",
    "attempt_id",
    "attempt_result",
    "bad_outputs",
    "check_contest",
    "check_folder",
    "check_task",
    "conclude",
    "plan",
    "read_result",
]

Role = Literal["generator", "validator", "solution", "checker"]


class _Placed(FindingDict):
    file: str


class FileFindingDict(_Placed, total=False):
    """A finding as JSON, with its file and, where there is one, its line, from 1."""

    line: int


class _TaskDict(TypedDict):
    name: str
    description: str
    maxScore: float | Decimal


class TaskDict(_TaskDict, total=False):
    """A task; times are in seconds."""

    submissionTimeout: int


class CheckedTask(TypedDict):
    """A `task.yaml`; `valid` means without errors, `task` is `None` if it cannot be read."""

    valid: bool
    task: TaskDict | None
    findings: list[FileFindingDict]


class _ContestDict(TypedDict):
    name: str
    duration: int
    tasks: list[str]
    users: int


class ContestDict(_ContestDict, total=False):
    """A contest. Times are in seconds; `users` is the number of users."""

    windowDuration: int


class CheckedContest(TypedDict):
    """A `contest.yaml`; `contest` is `None` if it cannot be read."""

    valid: bool
    contest: ContestDict | None
    findings: list[FileFindingDict]


class CheckedFolder(TypedDict):
    """The outcome of checking the folder of a task."""

    valid: bool
    findings: list[FileFindingDict]


class FileReference(TypedDict):
    """An argument: the path at which the host puts this file."""

    file: Literal["input", "output"]


class _Step(TypedDict):
    role: Role
    arguments: list[str | FileReference]


class Step(_Step, total=False):
    """A program to run: its role, its arguments, the source of its standard input, the use of its standard output."""

    stdin: Literal["input", "output"]
    makes: Literal["input", "output"]


class _Plan(TypedDict):
    steps: list[Step]


class Plan(_Plan, total=False):
    """The steps to run, in this order, until one fails."""

    seed: int


class StepOutcome(NamedTuple):
    """The outcome of one step, as the host measured it."""

    end: Literal[
        "exited",
        "signalled",
        "timeout",
        "memory_exceeded",
        "output_limit",
        "compile_error",
        "sandbox_error",
        "skipped",
    ] = "exited"
    code: int = 0
    """The exit code or the signal."""
    stdout: str | bytes = b""
    stderr: str | bytes = b""
    message: str = ""
    """The message of the compiler, or the reason why the sandbox failed."""


class _Failure(TypedDict):
    rule: Literal[
        "generation-failed",
        "input-invalid",
        "validation-failed",
        "solution-failed",
        "checker-failed",
        "checker-result-invalid",
        "host-failed",
    ]
    role: Role
    message: str
    help: str


class FailureDict(_Failure, total=False):
    """The reason why there is no result, for the author and the operator. `said` is the program's own message."""

    said: str
    findings: list[FindingDict]


class _AlertDict(TypedDict):
    severity: Literal["warning", "danger", "success"]
    message: str


class AlertDict(_AlertDict, total=False):
    """A general message. `blocking` is whether it prevents the contestant from confirming."""

    blocking: bool | None


class _CaseValidationDict(TypedDict):
    status: Literal["missing", "parsed", "invalid"]


class CaseValidationDict(_CaseValidationDict, total=False):
    """Whether the answer to a case could be read."""

    message: str | None


class ValidationDict(TypedDict):
    """The checker's report about reading the output file; its further fields are kept."""

    cases: list[CaseValidationDict]
    alerts: list[AlertDict]


class _CaseFeedbackDict(TypedDict):
    correct: bool


class CaseFeedbackDict(_CaseFeedbackDict, total=False):
    """Whether a case is correct."""

    message: str | None


class FeedbackDict(TypedDict):
    """The checker's report about the correctness of the output; its further fields are kept."""

    cases: list[CaseFeedbackDict]
    alerts: list[AlertDict]


class _SubtaskDict(TypedDict):
    score: float | Decimal
    max_score: float | Decimal
    testcases: list[int]


class SubtaskDict(_SubtaskDict, total=False):
    """A group of cases with its own points; cases are counted from 0."""

    labels: list[str] | None


class _CheckerOutput(TypedDict):
    score: float | Decimal
    validation: ValidationDict
    feedback: FeedbackDict


class CheckerOutput(_CheckerOutput, total=False):
    """The output of a checker; its further fields are kept."""

    subtasks: list[SubtaskDict]


class _AfterConfirming(_CheckerOutput):
    points: float | Decimal
    maxScore: float | Decimal


class AfterConfirming(_AfterConfirming, total=False):
    """The part of a judged output that a contestant may see after confirming."""

    subtasks: list[SubtaskDict]


@final
class Judged(TypedDict):
    """A judged output.

    `score` is the share from 0 to 1, `points` is `score * maxScore`. A contestant may see `beforeConfirming`, and after
    confirming also `afterConfirming`; `document` is everything that the checker printed.
    """

    score: float | Decimal
    points: float | Decimal
    maxScore: float | Decimal
    beforeConfirming: ValidationDict
    afterConfirming: AfterConfirming
    document: CheckerOutput
    findings: list[FindingDict]


@final
class Failed(TypedDict):
    """An evaluation without a result."""

    failure: FailureDict


Concluded = Union[Judged, Failed]
"""A judged output, or only `failure`."""


class FolderFile(NamedTuple):
    """A file of a task's folder as a host found it; folders are not listed."""

    path: str
    """The path below the task's folder, with `/` between its parts."""
    size: int
    """The size in bytes."""
    head: bytes = b""
    """The first bytes of the file; 64 are enough."""
    executable: bool = False
    changed: int | None = None
    """The time of the last change, in seconds since a fixed moment."""


class BadOutput(NamedTuple):
    """An output file that a checker must survive."""

    name: str
    content: bytes
    rubbish: bool
    """Whether the checker is wrong if it gives any points for it."""


def _bytes(text: str | bytes) -> bytes:
    return text.encode() if isinstance(text, str) else bytes(text)


def check_task(text: str | bytes) -> CheckedTask:
    """Checks a `task.yaml`. Does not raise for an invalid one.

    >>> from fablegrade import terry
    >>> checked = terry.check_task("name: poldo\\ndescription: La dieta di Poldo\\nmax_score: 0\\n")
    >>> [(found["line"], found["pointer"], found["rule"]) for found in checked["findings"]]
    [(3, '/max_score', 'out-of-range')]
    """
    return cast(CheckedTask, read_json(_fablegrade.terry_check_task(text)))


def check_contest(text: str | bytes, *, metadata: str | bytes | None = None) -> CheckedContest:
    """Checks a `contest.yaml`, and optionally the public metadata of its pack. Does not raise for invalid documents. No
    finding repeats a token."""
    return cast(CheckedContest, read_json(_fablegrade.terry_check_contest(text, metadata)))


def check_folder(files: Iterable[FolderFile], *, platform: str | None = None) -> CheckedFolder:
    """Checks the files in a task's folder. With a `platform` such as `"linux.x86_64"`, also checks that there are
    programs for it.

    Raises `SchemaError` for a platform that terry does not know.
    """
    system, _, architecture = (platform or "").partition(".")
    given = None if platform is None else (system, architecture)
    listed = [(file.path, file.size, file.head, file.executable, file.changed) for file in files]
    return cast(CheckedFolder, read_json(_fablegrade.terry_check_folder(listed, given)))


def plan(kind: Literal["input", "test", "grade"], *, seed: int = 0, validator: bool = False) -> Plan:
    """Returns the steps to run: to make an `input` from a seed, to `test` a solution on an input, or to `grade` an
    existing output.

    `validator` is whether the task has a validator; a seed has 32 bits.
    """
    return cast(Plan, read_json(_fablegrade.terry_plan(kind, seed, validator)))


_Ends = list[tuple[str, int, str, bytes, bytes]]


def _arguments(plan: Plan, outcomes: Sequence[StepOutcome]) -> tuple[list[str], _Ends]:
    ends: _Ends = [(end, code, message, _bytes(out), _bytes(err)) for end, code, out, err, message in outcomes]
    return [step["role"] for step in plan["steps"]], ends


def conclude(
    plan: Plan, outcomes: Sequence[StepOutcome], *, max_score: float | Decimal | str, cases: int | None = None
) -> Concluded:
    """Judges the outcomes: one per step of the plan, up to the first that failed.

    `max_score` is the task's; `cases` is the number of cases in the input, if the host knows it. A step without an
    outcome is a failure of the host. A failure has no score.

    >>> from fablegrade import terry
    >>> crashed = [terry.StepOutcome(stdout="3\\n"), terry.StepOutcome("signalled", 11)]
    >>> terry.conclude(terry.plan("test", seed=1), crashed, max_score=50)["failure"]["message"]
    'the solution failed: signal 11'
    """
    roles, ends = _arguments(plan, outcomes)
    return cast(Concluded, read_json(_fablegrade.terry_conclude(roles, ends, max_score, cases)))


def read_result(
    printed: str | bytes, *, max_score: float | Decimal | str, cases: int | None = None
) -> Concluded:
    """Works like `conclude` for the text that a checker printed before it exited successfully."""
    return conclude(_GRADE, [StepOutcome(stdout=printed)], max_score=max_score, cases=cases)


def attempt_result(
    plan: Plan,
    outcomes: Sequence[StepOutcome],
    *,
    max_score: float | Decimal | str,
    attempt_id: str,
    graded_at: str | None = None,
    cases: int | None = None,
) -> AttemptResult:
    """Converts outcomes to an AttemptResult; the arguments are those of `conclude`. The result reveals the score, so
    show it only after the contestant has confirmed.

    A solution that failed is `incorrect`; every other failure is the task's or the host's, with the verdict `error` and
    no score.
    """
    roles, ends = _arguments(plan, outcomes)
    return _fablegrade.terry_attempt_result(roles, ends, max_score, cases, attempt_id, graded_at)


def attempt_id(task: str, input: str | bytes, output: str | bytes) -> str:
    """The id of the attempt at a task with this input and output, a UUID: the same three always give the same id."""
    return _fablegrade.terry_attempt_id(task, input, output)


def bad_outputs(seed: int, good: str | bytes | None = None) -> list[BadOutput]:
    """The outputs that every checker must survive; with a `good` output for the same input, also changed copies of it."""
    return [BadOutput(*bad) for bad in _fablegrade.terry_bad_outputs(seed, good)]


_GRADE = plan("grade")
