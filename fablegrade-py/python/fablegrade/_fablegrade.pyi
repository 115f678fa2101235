from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from os import PathLike
from typing import Any, Final, Literal, final
from uuid import UUID

from .documents import AnswerSpec, Attempt, AttemptResultDocument, Context, Submission, Text
from .errors import FablegradeError
from .results import (
    CodeResult,
    DeliveryView,
    Document,
    Equivalence,
    Explanation,
    Feedback,
    Finding,
    GradedBy,
    Progress,
    QuestionType,
    Verdict,
)

__version__: Final[str]
GRADING_SEMANTICS_VERSION: Final[int]
BUILD_FEATURES: Final[tuple[str, ...]]
HAS_RUNNER: Final[bool]

@final
class AttemptResult:
    """The result of one attempt: everything in it may be shown to the learner.

    Immutable, hashable, picklable. Made by grading, or by `AttemptResult.from_json`.
    """
    @staticmethod
    def from_json(document: Document) -> AttemptResult:
        """Reads an AttemptResult document: `str`, bytes or a dict. Raises `FablegradeError` with every finding."""
    @property
    def attempt_id(self) -> str:
        """The attempt's id, a UUID: the caller's, or one derived from the public question and the submission."""
    @property
    def verdict(self) -> Verdict:
        """`"correct"`, `"partial"`, `"incorrect"`, `"pending"` or `"error"`. Hint penalties do not change it."""
    @property
    def score(self) -> float | None:
        """Score in [0, 1] after hint penalties; `None` if nothing was scored (pending, error)."""
    @property
    def score_penalty_applied(self) -> float | None:
        """The penalty for hints that was deducted from the score, in [0, 0.8]; `None` without a score or a penalty."""
    @property
    def graded_by(self) -> GradedBy:
        """The person or engine that graded: `"auto"`, `"self"`, `"peer"` or `"reviewer"`."""
    @property
    def graded_at(self) -> str | None:
        """The time of grading (RFC 3339), if the caller's context gave it."""
    @property
    def feedback(self) -> tuple[Feedback, ...]:
        """At most 20 messages to the learner: a tuple of `Feedback(severity, message)`."""
    @property
    def code_results(self) -> tuple[CodeResult, ...]:
        """One `CodeResult` per test case that was not skipped. A hidden case has only suite, index and verdict."""
    def to_json(self) -> str:
        """The document as canonical JSON, with the same bytes as from every other binding."""
    def to_dict(self) -> AttemptResultDocument:
        """The document as a dict, with the field names of the JSON document."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Grader:
    """A question with its key, checked and compiled once.

    `spec` is an AnswerSpec document: JSON as `str` or bytes, or a dict. Immutable, thread-safe, picklable (a
    pickle contains the key). Raises `FablegradeError` with every finding if the question cannot be graded.

    >>> from fablegrade import Grader
    >>> grader = Grader({"type": "numeric", "answer": {"value": 4}})
    >>> grader.grade({"type": "numeric", "value": 4.0}).verdict
    'correct'
    """
    def __new__(cls, spec: AnswerSpec | Text) -> Grader: ...
    @property
    def type(self) -> QuestionType:
        """The question's type, such as `"multiple_choice"`."""
    @property
    def warnings(self) -> tuple[Finding, ...]:
        """Warnings about the spec: it can be graded but probably contains a mistake. A tuple of `Finding`."""
    def grade(
        self,
        submission: Submission | Text | None = None,
        *,
        attempt: Attempt | Text | None = None,
        outcomes: Document | None = None,
        context: Context | Text | None = None,
    ) -> AttemptResult:
        """Grades one answer: a `submission`, or an `attempt` that contains one.

        Documents are JSON as `str` or bytes, or Python values. `outcomes` has the outcomes of programs that a
        host ran; `context` is `{gradedAt?, hints?: {id: penalty}, locale?, shuffleSeed?, attemptId?, problemVersionId?}`,
        with penalties from 0 to 1. Equal answers get equal attempt ids unless `attemptId` is given.
        Raises `FablegradeError` with every finding. A pointer starts with the name of the argument, such as
        `/submission/value`.
        """
    def explain(
        self,
        submission: Submission | Text | None = None,
        *,
        attempt: Attempt | Text | None = None,
        outcomes: Document | None = None,
        context: Context | Text | None = None,
    ) -> Explanation:
        """Grades one answer and explains the score to the author: an `Explanation`. Arguments and errors are those of
        `grade`.
        """
    def grade_many(
        self,
        submissions: Iterable[Submission | Text] | None = None,
        *,
        attempts: Iterable[Attempt | Text] | None = None,
        context: Context | Text | None = None,
        workers: int = 0,
        progress: Progress | None = None,
    ) -> list[AttemptResult | FablegradeError]:
        """Grades many answers, in order: an iterable of submissions, or of `attempts`.

        The list has an `AttemptResult` for each answer, or a `FablegradeError` if its document is invalid, so
        an invalid answer does not stop the others. The interpreter's lock is released, and `workers`
        threads grade (0: one per core). `progress(done, total)` is called at most ten times per second and at
        the end; until then, `total` is `None` for an iterable without a length.
        """
    def deliver(self, seed: str | bytes | int | UUID | None = None) -> DeliveryView:
        """Returns the delivery view of the question, shuffled by `seed` (`str`, bytes, `int` or `UUID`): a
        `DeliveryView`.

        The same seed gives the same view; derive it from the learner or the attempt.
        """
    def plan(self, submission: Submission | Text) -> str | None:
        """Returns the cases to run for this submission, as the JSON of an ExecutionPlan for your own host;
        `None` if there are none. It contains hidden inputs, so never show it to a learner.
        """
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Runner:
    """Runs the programs of code questions in a sandbox that fails closed.

    Make it once: it tests its sandbox and finds the toolchains. `parallel` limits how many cases run at once;
    `stop_suite` skips the rest of a suite after a case that did not exit with code 0; `languages` replaces rows
    of the language table (a dict or JSON). `bubblewrap` is the path of bubblewrap if it is not found automatically,
    `cache` a folder for compiled programs; as root, all users must be able to enter its parents. `memory_mb` (at
    least 4) and `output_kb` (at least 1) replace the questions' limits. `unsandboxed=True` lets programs do
    whatever you can do.
    """
    def __new__(
        cls,
        *,
        parallel: int | None = None,
        stop_suite: bool = False,
        languages: Document | None = None,
        bubblewrap: str | PathLike[str] | None = None,
        cache: str | PathLike[str] | None = None,
        unsandboxed: bool = False,
        memory_mb: int | None = None,
        output_kb: int | None = None,
    ) -> Runner: ...
    @property
    def trouble(self) -> str | None:
        """The reason why no program can be run on this host; `None` if programs can be run."""
    @property
    def isolation(self) -> str:
        """The isolation of programs, such as `bubblewrap 0.8.0, ...`."""
    def grade(
        self,
        grader: Grader,
        submission: Submission | Text | None = None,
        *,
        attempt: Attempt | Text | None = None,
        context: Context | Text | None = None,
        progress: Progress | None = None,
    ) -> AttemptResult:
        """Runs the programs of an answer and grades it by their outcomes; other answers are graded as by
        `Grader.grade`. The interpreter's lock is released. `progress(done, total)` counts finished test cases.

        Raises `SandboxError`, which has the result, if programs could not be run safely.
        """

def grade(
    spec: AnswerSpec | Text,
    submission: Submission | Text | None = None,
    *,
    attempt: Attempt | Text | None = None,
    outcomes: Document | None = None,
    context: Context | Text | None = None,
) -> AttemptResult:
    """Grades one answer to one question; the arguments are those of `Grader.grade`.

    An invalid spec and an invalid answer raise one error, with all findings about both. A pointer starts
    with the name of the argument, such as `/spec`. Warnings about the spec are issued as `FablegradeWarning`.
    Equal answers get equal attempt ids; give `attemptId` in the context if each needs a different one.

    >>> import fablegrade
    >>> fablegrade.grade({"type": "numeric", "answer": {"value": 4}}, {"type": "numeric", "value": 5}).score
    0.0
    """
def explain(
    spec: AnswerSpec | Text,
    submission: Submission | Text | None = None,
    *,
    attempt: Attempt | Text | None = None,
    outcomes: Document | None = None,
    context: Context | Text | None = None,
) -> Explanation:
    """Grades one answer and explains the score to the author: `Grader(spec).explain(...)`, an `Explanation`.

    >>> import fablegrade
    >>> explanation = fablegrade.explain(
    ...     {"type": "numeric", "answer": {"value": 4}},
    ...     {"type": "numeric", "value": 4},
    ...     context={"hints": {"h1": 0.25}},
    ... )
    >>> explanation.raw_score, explanation.penalty, explanation.score
    (Fraction(1, 1), Fraction(1, 4), Fraction(3, 4))
    """
def grade_many(
    requests: Iterable[Document], *, workers: int = 0, progress: Progress | None = None
) -> list[AttemptResult | FablegradeError]:
    """Grades requests `{spec, submission | attempt, outcomes?, context?}`, each JSON or a dict, in order.

    Compiled specs are cached, so requests can repeat the text of a spec. For an invalid request, the list has
    its `FablegradeError`, which is not raised. The interpreter's lock is released, and `workers` threads
    grade (0: one per core).

    >>> import fablegrade
    >>> spec = {"type": "numeric", "answer": {"value": 4}}
    >>> answers = [{"type": "numeric", "value": 4}, {"type": "numeric", "value": "four"}]
    >>> good, bad = fablegrade.grade_many({"spec": spec, "submission": answer} for answer in answers)
    >>> good.verdict, bad.pointer, bad.rule
    ('correct', '/submission/value', 'wrong-type')
    """
def deliver(spec: AnswerSpec | Text, seed: str | bytes | int | UUID | None = None) -> DeliveryView:
    """Returns the delivery view of the question: a `DeliveryView` without the key, shuffled by `seed` (`str`, bytes,
    `int` or `UUID`).

    The same seed gives the same view; derive it from the learner or the attempt.

    >>> import fablegrade
    >>> fablegrade.deliver({"type": "numeric", "answer": {"value": 42}}, "learner 7").to_json()
    '{"integerOnly":false,"type":"numeric"}'
    """
def lint(spec: Document) -> list[Finding]:
    """Finds defects in a question before a learner does: a list of `Finding`, the most severe first.

    Does not raise for an invalid spec or a text that is not JSON: the list has the errors. `docs/lint.md`
    explains every rule.

    >>> import fablegrade
    >>> fablegrade.lint('{"type": "numeric"}')[0].rule
    'missing-field'
    """
def equivalent(a: str, b: str, options: Document | None = None) -> Equivalence:
    """`fablegrade.equivalent`; `options` is an object of declarations."""
def equivalent_many(
    pairs: Iterable[tuple[str, str]],
    options: Document | None = None,
    workers: int = 0,
    progress: Progress | None = None,
) -> list[Equivalence | FablegradeError]:
    """`fablegrade.equivalent_many`; for a pair that cannot be read, the list has its exception."""

@final
class Reference:
    """The native half of `fablegrade.Reference`."""
    def __new__(cls, latex: str, options: Document | None = None) -> Reference: ...
    @property
    def understood(self) -> str:
        """The expression as it was read, in LaTeX."""
    def equivalent(self, other: str) -> Equivalence:
        """Compares another expression with this one."""

def document_text(value: object) -> str:
    """Returns a Python value as JSON; a `str` becomes a JSON string. Raises `JsonError` for a value that is not JSON, or
    that is too large or too deep for a document.
    """
def check_attempt(document: Document) -> None:
    """Checks an Attempt document as a whole; pointers start with `/attempt`."""
def run_command(arguments: Sequence[str | bytes | PathLike[str]]) -> int:
    """Runs the command line `arguments`, which start with the program's name, and returns the exit code. Help and usage
    errors end the process.
    """
def written_schema() -> object:
    """The columns that `grade_batches` writes after the kept ones, as a capsule of an Arrow C schema."""
def compare_outputs(
    matcher: str,
    expected: bytes | str,
    actual: bytes | str,
    float_tolerance: float | Decimal | str | None = None,
) -> str:
    """`fablegrade.match_output` as JSON: `{accept, difference?, largestError?}`."""
def flowmcp(
    task: Literal["check", "aggregate", "build", "age", "rollup", "verify"], fields: dict[str, object]
) -> str:
    """Runs a task of FlowMCP by name; see `fablegrade.flowmcp`."""
def formspec(task: Literal["determine", "check", "verify", "expire"], fields: dict[str, object]) -> str:
    """Runs a task of Formspec by name; see `fablegrade.formspec`."""

@final
class Package:
    """A valid problem package.

    `files` is a `.tar.gz` or `.zip` as bytes, or `{path: content}`. `strict` treats the missing fields and old names of
    older packages as errors, not warnings. Immutable and thread-safe. Raises `FablegradeError` with every finding; the
    pointer of a finding about a file is its path.
    """
    def __new__(cls, files: bytes | Mapping[str, str | bytes], *, strict: bool = False) -> Package: ...
    @property
    def findings(self) -> tuple[Finding, ...]:
        """Warnings and remarks: a tuple of `Finding`."""
    @property
    def paths(self) -> list[str]:
        """The paths of the package's files, sorted."""
    def read(self, path: str) -> bytes:
        """The content of a file. Raises `KeyError` if the package has no such file."""
    def _plan(self, submission_id: str, allowed_capabilities: list[str], internet: bool) -> str:
        """`judgehost.plan` as JSON."""
    def _compose(
        self,
        submission: bytes | Mapping[str, str | bytes] | None,
        submission_id: str,
        allowed_capabilities: list[str],
        internet: bool,
    ) -> str:
        """`judgehost.compose`."""
    def _distribute(
        self, submission: bytes | Mapping[str, str | bytes]
    ) -> list[tuple[str, str, str, int, int, dict[str, bytes]]]:
        """Returns the files of a submission by package and container, as the fields of `judgehost.Delivery`."""

@final
class KattisPackage:
    """A package. It can be invalid; `kattis.check` returns the findings.

    `files` is a `.zip` or `.tar.gz` as bytes, or `{path: content}`; `name` is the short name of the package.
    Immutable and thread-safe. Raises `FablegradeError` if the files or `problem.yaml` cannot be read.
    """
    def __new__(cls, files: bytes | Mapping[str, str | bytes], name: str = "package") -> KattisPackage: ...
    def _checked(self) -> str:
        """`kattis.check` as JSON."""
    def _conclude(self, path: str, source: str | bytes, outcomes: str, time_limit: float) -> str:
        """`kattis.conclude` as JSON."""

def kattis_compare(answer: str | bytes, output: str | bytes, flags: list[str], version: str) -> str | None:
    """`fablegrade.kattis.compare`: the difference, or `None`."""
def judgehost(task: Literal["check", "score"], fields: dict[str, object], strict: bool) -> str:
    """Runs a task of judgehost by name; see `fablegrade.judgehost`."""
def judgehost_attempt_result(
    fields: dict[str, object], strict: bool, attempt_id: str, ranking: Literal["auto", "weighted", "normalized"]
) -> AttemptResult:
    """`fablegrade.judgehost.attempt_result`."""
def judgehost_content_id(submission: bytes | Mapping[str, str | bytes]) -> str:
    """`fablegrade.judgehost.content_id`."""
def terry_check_task(text: str | bytes) -> str:
    """`fablegrade.terry.check_task` as JSON."""
def terry_check_contest(text: str | bytes, metadata: str | bytes | None = None) -> str:
    """`fablegrade.terry.check_contest` as JSON."""
def terry_check_folder(
    files: list[tuple[str, int, bytes, bool, int | None]], platform: tuple[str, str] | None = None
) -> str:
    """`fablegrade.terry.check_folder` as JSON."""
def terry_plan(kind: str, seed: int, validator: bool) -> str:
    """The plan `kind`, which is `input`, `test` or `grade`, as JSON."""
def terry_conclude(
    roles: list[str],
    outcomes: list[tuple[str, int, str, bytes, bytes]],
    max_score: float | Decimal | str,
    cases: int | None = None,
) -> str:
    """`fablegrade.terry.conclude` as JSON."""
def terry_attempt_result(
    roles: list[str],
    outcomes: list[tuple[str, int, str, bytes, bytes]],
    max_score: float | Decimal | str,
    cases: int | None,
    attempt_id: str,
    graded_at: str | None = None,
) -> AttemptResult:
    """`fablegrade.terry.attempt_result`."""
def terry_attempt_id(task: str, input: str | bytes, output: str | bytes) -> str:
    """`fablegrade.terry.attempt_id`."""
def terry_bad_outputs(seed: int, good: str | bytes | None = None) -> list[tuple[str, bytes, bool]]:
    """`fablegrade.terry.bad_outputs` as tuples."""

@final
class Bank:
    """A bank of questions with their keys, compiled once: `{item id: spec}`.

    Immutable, thread-safe, picklable (a pickle contains the keys). A spec that cannot be graded does not
    affect the others. Its rows get its error, which is also in `errors`.
    """
    def __new__(cls, specs: Mapping[str, AnswerSpec | Text]) -> Bank: ...
    @property
    def errors(self) -> dict[str, FablegradeError]:
        """The specs that cannot be graded: `{item id: FablegradeError}`."""
    def __len__(self) -> int: ...
    def __contains__(self, id: str, /) -> bool: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Accumulator:
    """The exact sums over any number of sittings; see `fablegrade.analysis.Accumulator`."""
    def __new__(cls, bank: Bank) -> Accumulator: ...
    @property
    def sittings(self) -> int:
        """Number of sittings."""
    def add(self, data: object, columns: dict[str, str]) -> None:
        """Adds the sittings of a table; the rows of a sitting must be adjacent. If the table has no column
        `result`, its rows are graded. Adds nothing if any row is invalid.
        """
    def merge(self, other: Accumulator) -> None:
        """Adds all sittings of another accumulator."""
    def merge_bytes(self, data: bytes) -> None:
        """Adds the sums that `to_bytes` returned."""
    def to_bytes(self) -> bytes:
        """The canonical bytes of the sums."""
    def to_json(self) -> str:
        """The report as JSON text."""
    def to_csv(self) -> str:
        """The statistics of the items as CSV text."""

@final
class GradedBatches:
    """Graded record batches: an object with `__arrow_c_stream__`, which every Arrow library can read once.

    A batch is graded only when it is read; one batch is in memory at a time.
    """
    @property
    def columns(self) -> list[str]:
        """The names of the columns, in order."""
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...

def verify_extract(
    response: str, fallback: bool = True
) -> tuple[tuple[str, str, tuple[int, int]] | None, str | None]:
    """The answer in a response, as `(text, place, span)`, or the reason why there is none."""
def interchange_formats() -> list[str]:
    """The names of the formats that can be read."""

@final
class InterchangeIds:
    """Makes the ids of items unique within a bank: the second `q1` is `q1#2`."""
    def __new__(cls) -> InterchangeIds: ...

@final
class InterchangeResponses:
    """Stored responses, and the questions that they answer."""
    def __new__(cls) -> InterchangeResponses: ...
    def read(self, name: str, data: bytes) -> None:
        """Reads a file of responses."""
    def questions(self, name: str, data: bytes, format: str | None = None, known: bool = False) -> None:
        """Reads the questions in a file or an archive; those that cannot be read become errors in `attempts`."""
    def attempts(self) -> list[str]:
        """The attempts as JSON texts, and `{"error": ...}` for everything that was refused."""

def interchange_read(
    name: str,
    data: bytes,
    format: str | None = None,
    bank: bool = False,
    known: bool = False,
    ids: InterchangeIds | None = None,
) -> list[str]:
    """Reads a file or an archive. Returns a JSON text per question, and `{"error": ...}` for each question or
    file that cannot be read. With `bank`, returns the lines of an item bank. With `known`, ignores a file that
    is neither an archive nor of a known format. With `ids`, ids of earlier files are not used again.
    """

def interchange_write(line: str, format: str) -> str:
    """Converts a line of a bank. Returns `{"text": ..., "loss": [...]}`, without `text` if the format has no
    counterpart.
    """

def verify_many(
    golds: list[str],
    responses: list[str],
    profile_name: str,
    without: list[str],
    fallback: bool,
    extracted: bool,
    workers: int,
    progress: Progress | None = None,
) -> list[tuple[object, ...]]:
    """Verifies responses, or compares answers that are already extracted, on several threads."""
def verify_batches(
    data: object, profile_name: str, without: list[str], names: dict[str, str], workers: int
) -> GradedBatches:
    """`fablegrade.verify.verify_batches`."""
def grade_batches(
    data: object, bank: Bank | None, columns: dict[str, str], keep: list[str] | None
) -> GradedBatches:
    """Grades record batches; see `fablegrade.arrow.grade_batches`."""

@final
class TableGrader:
    """Grades one table after another, such as the batches that an engine passes one by one. Tables share the
    caches of compiled questions and of results.
    """
    def __new__(cls, bank: Bank | None, columns: dict[str, str], keep: list[str] | None) -> TableGrader: ...
    def grade(self, data: object) -> GradedBatches:
        """Returns the graded batches of a table, a stream of batches or one batch."""

def register_foreign(name: str, answer: Callable[[str], str], messages: str) -> None:
    """Registers a callable from JSON text to JSON text; `fablegrade.validators.register_validator` makes it."""

def validator_names() -> list[str]:
    """The names of the registered validators, sorted."""
