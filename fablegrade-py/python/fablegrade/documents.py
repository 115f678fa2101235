"""The documents as types, for editors and type checkers: what a question, an answer or a result may hold.

They are generated from the JSON Schemas. At run time a document is a dict like any other:

>>> from fablegrade import Grader
>>> from fablegrade.documents import NumericSpec
>>> spec: NumericSpec = {"type": "numeric", "answer": {"value": 4}}
>>> Grader(spec).type
'numeric'

A misspelt field or word is an error of the type checker, before anything runs. Limits (how many choices, how long a text)
are checked by `Grader`, not by types. A document that is only known as `dict[str, object]` goes through JSON, or
`typing.cast`.
"""

# ruff: noqa: E501

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Literal, TypedDict, Union

Json = Union[None, bool, int, float, Decimal, str, Sequence["Json"], Mapping[str, "Json"]]
"""Any JSON value."""

Number = Union[int, float, Decimal]
"""A number; a `Decimal` counts with all its digits."""

__all__ = [
    "AnswerSpec",
    "Attempt",
    "AttemptResultDocument",
    "BuiltinValidator",
    "ChoiceSpec",
    "ChoiceView",
    "ClientContext",
    "CodeResult",
    "CodeSpec",
    "CodeSubmission",
    "CodeView",
    "Context",
    "Criterion",
    "DeliveryView",
    "Domain",
    "ExpressionSpec",
    "ExpressionSubmission",
    "ExpressionView",
    "Feedback",
    "FlowmcpAnswer",
    "FlowmcpCategoricalVeto",
    "FlowmcpGraderIdentity",
    "FlowmcpGradingEntry",
    "FlowmcpPersona",
    "FlowmcpRegradingTrigger",
    "FlowmcpSelectionContext",
    "FormspecDetermination",
    "FormspecDeterminationOverrides",
    "FormspecDeterminationScreener",
    "FormspecDeterminationValidity",
    "FormspecInputEntry",
    "FormspecPhaseResult",
    "FormspecRouteResult",
    "FreeTextSpec",
    "FreeTextSubmission",
    "FreeTextView",
    "Harness",
    "HiddenSuiteView",
    "ItemView",
    "Json",
    "Limits",
    "MatchingSpec",
    "MatchingSubmission",
    "MatchingView",
    "MultipleChoiceSpec",
    "MultipleChoiceSubmission",
    "MultipleChoiceView",
    "Number",
    "NumericRange",
    "NumericSpec",
    "NumericSubmission",
    "NumericValue",
    "NumericView",
    "OrderingSpec",
    "OrderingSubmission",
    "OrderingView",
    "Pair",
    "PublicSuiteView",
    "StarterCode",
    "StateEqualsValidator",
    "StateSchemaValidator",
    "Submission",
    "SuiteSpec",
    "SuiteView",
    "TestCase",
    "Text",
    "Tolerance",
    "Unit",
    "Variable",
    "WidgetSpec",
    "WidgetSubmission",
    "WidgetView",
]


class _ChoiceSpec(TypedDict):
    content: Json
    """The content that is shown."""
    correct: bool
    """Whether this choice is correct."""
    id: str
    """Its id."""


class ChoiceSpec(_ChoiceSpec, total=False):
    """A choice with its key."""

    feedback: Json
    """Feedback for a learner who selected it."""


class _MultipleChoiceSpec(TypedDict):
    type: Literal["multiple_choice"]
    """The question type."""
    choices: Sequence[ChoiceSpec]
    """The choices: 2 to 10."""


class MultipleChoiceSpec(_MultipleChoiceSpec, total=False):
    """A multiple-choice question."""

    multipleSelect: bool
    """Whether several choices may be selected."""
    partialCredit: bool
    """Whether a selection can earn part of the score; only with `multipleSelect`."""
    shuffleChoices: bool
    """Whether the view shows the choices in a shuffled order."""


class Tolerance(TypedDict):
    """The accepted distance from the value, bounds included."""

    amount: Number
    """The size of the tolerance, above 0."""
    mode: Literal["absolute", "relative"]
    """Whether the amount is a distance or a share of the number."""


class _NumericValue(TypedDict):
    value: Number
    """The number."""


class NumericValue(_NumericValue, total=False):
    """A number, exactly or within a tolerance."""

    tolerance: Tolerance
    """The accepted distance from the value, bounds included."""


class NumericRange(TypedDict):
    """Every number in a range."""

    max: Number
    """The largest accepted number."""
    min: Number
    """The smallest accepted number."""


class _Unit(TypedDict):
    expected: str
    """The expected spelling: at most 30 characters."""


class Unit(_Unit, total=False):
    """The unit of a numeric answer. Public in the format: hosts show it next to the answer box."""

    accepted: Sequence[str]
    """Other spellings that count as the same: at most 10, each at most 30 characters."""
    required: bool
    """Whether an answer must have a unit."""


class _NumericSpec(TypedDict):
    type: Literal["numeric"]
    """The question type."""
    answer: Union[NumericValue, NumericRange]
    """The accepted numbers."""


class NumericSpec(_NumericSpec, total=False):
    """A numeric question."""

    inputHint: str
    """A placeholder for the answer box: at most 200 characters."""
    integerOnly: bool
    """Whether only integers are correct."""
    unit: Unit
    """The unit, if the question has one."""


class Domain(TypedDict, total=False):
    """The values a variable takes."""

    exclude: Sequence[Number]
    """Values it never takes: at most 20."""
    integer: bool
    """Whether it takes integers only."""
    max: Number
    """The maximum."""
    min: Number
    """The minimum."""


class _Variable(TypedDict):
    name: str
    """Its name: a letter, then up to 15 letters, digits or `_`."""


class Variable(_Variable, total=False):
    """A variable and its domain."""

    domain: Domain
    """Its domain, if the question gives one."""


class _ExpressionSpec(TypedDict):
    type: Literal["expression"]
    """The question type."""
    canonical: str
    """The correct answer in LaTeX: 1 to 2,000 characters."""
    equivalence: Literal["symbolic", "numeric_sampling", "literal"]
    """The comparison with the key: by values everywhere, by values at sample points, or by form."""


class ExpressionSpec(_ExpressionSpec, total=False):
    """An expression question."""

    allowedFunctions: Sequence[str]
    """The only functions that an answer may use, if they are restricted: at most 40."""
    forbidConstantAnswer: bool
    """Whether a constant answer is incorrect if the key has variables."""
    samplePoints: int
    """Number of points under `numeric_sampling`: 5 to 100."""
    tolerance: Number
    """Relative tolerance under `numeric_sampling`: above 0, at most 0.001."""
    variables: Sequence[Variable]
    """The variables, if the question declares them: at most 10."""


class _Criterion(TypedDict):
    criterion: str
    """The criterion: at most 300 characters."""
    points: int
    """The maximum points for this criterion: 1 to 20."""


class Criterion(_Criterion, total=False):
    """One line of a rubric."""

    description: str
    """Advice on judging the criterion, which learners see too: at most 1,000 characters."""


class _FreeTextSpec(TypedDict):
    type: Literal["free_text"]
    """The question type."""
    gradingMode: Literal["self_assess", "peer_review", "reviewer"]
    """The person who grades."""


class FreeTextSpec(_FreeTextSpec, total=False):
    """A free-text question; people grade it."""

    allowMath: bool
    """Whether formulas are allowed."""
    maxWords: int
    """The maximum number of words: 10 to 10,000."""
    minWords: int
    """The minimum number of words: 1 to 5,000."""
    rubric: Sequence[Criterion]
    """Criteria for judging, which learners see too: at most 10."""
    selfAssessChecklist: Sequence[str]
    """Lines against which learners check their own texts: at most 10, each at most 300 characters."""


class _Harness(TypedDict):
    mode: Literal["stdin_stdout", "function"]
    """Standard input and output, or a function that is called with JSON."""


class Harness(_Harness, total=False):
    """The way a program is called."""

    functionName: str
    """The entry function, required if the mode is `function`: a letter or `_`, then up to 63 letters, digits or `_`."""


class Limits(TypedDict, total=False):
    """Limits of a program."""

    memoryMb: int
    """Memory in MiB: 16 to 512."""
    outputKb: int
    """Output in KiB: 1 to 1,024."""
    sourceKb: int
    """Source in KiB of UTF-8: 1 to 256."""
    timeMsPerCase: int
    """CPU time of a case in milliseconds: 100 to 30,000."""


class StarterCode(TypedDict, total=False):
    """The initial content of the editor, by language."""

    c: str
    """Starter code in the language `c`."""
    cpp: str
    """Starter code in the language `cpp`."""
    go: str
    """Starter code in the language `go`."""
    java: str
    """Starter code in the language `java`."""
    javascript: str
    """Starter code in the language `javascript`."""
    python: str
    """Starter code in the language `python`."""
    rust: str
    """Starter code in the language `rust`."""


class _TestCase(TypedDict):
    expected: str
    """The expected output, or the expected value as JSON: at most 65,536 characters."""
    input: str
    """Standard input, or in function mode a JSON array of arguments: at most 65,536 characters."""


class TestCase(_TestCase, total=False):
    """A test case."""

    floatTolerance: Number
    """The tolerance for numbers: above 0, at most 0.01."""
    matcher: Literal["exact", "trimmed_lines", "tokens", "json", "float_tolerance"]
    """The method of comparison: byte for byte, by lines without trailing whitespace, by tokens, as JSON, or by
    tokens with a tolerance for numbers.
    """
    name: str
    """Its name: at most 100 characters."""
    points: int
    """Points of the case: 1 to 100."""
    timeoutMs: int
    """CPU time in milliseconds, overriding that of the question: 100 to 30,000."""


class SuiteSpec(TypedDict):
    """A named suite of test cases."""

    cases: Sequence[TestCase]
    """The cases: 1 to 50."""
    name: str
    """Its name, shown to learners: at most 100 characters."""
    visibility: Literal["public", "hidden"]
    """Whether learners see the cases; for hidden cases they see only the verdict."""


class _CodeSpec(TypedDict):
    type: Literal["code"]
    """The question type."""
    languages: Sequence[Literal["python", "javascript", "c", "cpp", "java", "rust", "go"]]
    """The offered languages: 1 to 6, all different."""
    limits: Limits
    """Limits of a program."""
    testSuites: Sequence[SuiteSpec]
    """The suites: 1 to 10."""


class CodeSpec(_CodeSpec, total=False):
    """A code question."""

    harness: Harness
    """The way a program is called."""
    starterCode: StarterCode
    """The initial content of the editor, by language."""


class ItemView(TypedDict):
    """An item as the learner sees it, in an ordering or a matching question."""

    content: Json
    """The content that is shown."""
    id: str
    """Its id."""


class _OrderingSpec(TypedDict):
    type: Literal["ordering"]
    """The question type."""
    correctOrder: Sequence[str]
    """The correct order: a permutation of the items' ids: 2 to 12, all different."""
    items: Sequence[ItemView]
    """The items; authors often list them in the correct order, so their order is never shown: 2 to 12."""


class OrderingSpec(_OrderingSpec, total=False):
    """An ordering question."""

    partialCredit: Literal["none", "adjacent_pairs", "longest_subsequence"]
    """The credit for a partly correct order: none, the share of correct neighbours, or the share of the longest
    correct subsequence.
    """
    prompt: str
    """The task, as the learner reads it: at most 300 characters."""


class Pair(TypedDict):
    """A left item and its partner."""

    left: str
    """Id of the left item."""
    right: str
    """Id of the right item."""


class _MatchingSpec(TypedDict):
    type: Literal["matching"]
    """The question type."""
    correctPairs: Sequence[Pair]
    """The correct pairs: 2 to 14."""
    left: Sequence[ItemView]
    """The items on the left: 2 to 10."""
    right: Sequence[ItemView]
    """The items on the right; some may have no partner: 2 to 14."""


class MatchingSpec(_MatchingSpec, total=False):
    """A matching question."""

    allowManyToOne: bool
    """Whether several left items may have the same partner."""
    partialCredit: bool
    """Whether a partly correct answer earns part of the score."""
    prompt: str
    """The task, as the learner reads it: at most 300 characters."""


class StateEqualsValidator(TypedDict):
    expectedState: Mapping[str, Json]
    """The correct state, compared as JSON."""
    kind: Literal["state_equals"]
    """The state equals a given state."""


class StateSchemaValidator(TypedDict):
    kind: Literal["state_schema"]
    """The state is valid against a JSON Schema."""
    stateSchema: Mapping[str, Json]
    """A JSON Schema for the correct states."""


class _BuiltinValidator(TypedDict):
    kind: Literal["builtin"]
    """A validator that the host has registered under a name decides."""
    name: str
    """Its name: 1 to 64 lower-case letters, digits or `_`."""


class BuiltinValidator(_BuiltinValidator, total=False):
    config: Mapping[str, Json]
    """The configuration of the validator."""


class _WidgetSpec(TypedDict):
    type: Literal["widget"]
    """The question type."""
    validator: Union[StateEqualsValidator, StateSchemaValidator, BuiltinValidator]
    """The validator of the state."""
    widgetName: str
    """Name of the widget: lower-case words with hyphens, at most 80 characters."""
    widgetVersion: str
    """Version of the widget, such as `1.2.3`."""


class WidgetSpec(_WidgetSpec, total=False):
    """A widget question."""

    params: Mapping[str, Json]
    """Parameters of the widget: a JSON object."""

AnswerSpec = Union[MultipleChoiceSpec, NumericSpec, ExpressionSpec, FreeTextSpec, CodeSpec, OrderingSpec, MatchingSpec, WidgetSpec]
"""One of the eight question types, identified by `type`."""


class MultipleChoiceSubmission(TypedDict):
    """The selected choices."""

    type: Literal["multiple_choice"]
    selectedChoiceIds: Sequence[str]
    """The ids as they were sent; their order has no meaning: 1 to 10, all different."""


class _NumericSubmission(TypedDict):
    type: Literal["numeric"]
    value: Number
    """The number."""


class NumericSubmission(_NumericSubmission, total=False):
    """The number, exactly as written, and the unit."""

    unit: str
    """The unit as typed: at most 30 characters."""


class ExpressionSubmission(TypedDict):
    """A formula in LaTeX."""

    type: Literal["expression"]
    latex: str
    """The LaTeX as typed: 1 to 2,000 characters."""


class _FreeTextSubmission(TypedDict):
    type: Literal["free_text"]
    content: Json
    """The text."""


class FreeTextSubmission(_FreeTextSubmission, total=False):
    """A free text and the learner's self-assessment of it."""

    selfAssessment: Sequence[bool]
    """For each line of the checklist, whether the learner ticked it: at most 10."""


class CodeSubmission(TypedDict):
    """A program."""

    type: Literal["code"]
    language: Literal["python", "javascript", "c", "cpp", "java", "rust", "go"]
    """The language of the program."""
    source: str
    """The source of the program: 1 to 262,144 characters."""


class OrderingSubmission(TypedDict):
    """All items in the learner's order."""

    type: Literal["ordering"]
    order: Sequence[str]
    """The ids, first to last: 2 to 12, all different."""


class MatchingSubmission(TypedDict):
    """The pairs."""

    type: Literal["matching"]
    pairs: Sequence[Pair]
    """The pairs as they were sent; their order has no meaning: 1 to 14."""


class WidgetSubmission(TypedDict):
    """The widget's state."""

    type: Literal["widget"]
    state: Mapping[str, Json]
    """The state: a JSON object."""

Submission = Union[MultipleChoiceSubmission, NumericSubmission, ExpressionSubmission, FreeTextSubmission, CodeSubmission, OrderingSubmission, MatchingSubmission, WidgetSubmission]
"""One of the eight question types, identified by `type`."""


class ChoiceView(TypedDict):
    """A choice as the learner sees it."""

    content: Json
    """The content that is shown."""
    id: str
    """Its id."""


class _MultipleChoiceView(TypedDict):
    type: Literal["multiple_choice"]
    choices: Sequence[ChoiceView]
    """The choices, in the order to show them: 2 to 10."""


class MultipleChoiceView(_MultipleChoiceView, total=False):
    """A multiple-choice question without its key."""

    multipleSelect: bool
    """Whether several choices may be selected."""
    partialCredit: bool
    """Whether a selection can earn part of the score."""
    shuffleChoices: bool
    """Whether the choices are shown in a shuffled order."""


class _NumericView(TypedDict):
    type: Literal["numeric"]


class NumericView(_NumericView, total=False):
    """A numeric question without its key."""

    inputHint: str
    """A placeholder for the answer box: at most 200 characters."""
    integerOnly: bool
    """Whether only integers are correct."""
    unit: Unit
    """The unit, if the question has one."""


class _ExpressionView(TypedDict):
    type: Literal["expression"]
    equivalence: Literal["symbolic", "numeric_sampling", "literal"]
    """The comparison with the key: by values everywhere, by values at sample points, or by form."""


class ExpressionView(_ExpressionView, total=False):
    """An expression question without its key."""

    allowedFunctions: Sequence[str]
    """The only functions that an answer may use, if they are restricted: at most 40."""
    forbidConstantAnswer: bool
    """Whether a constant answer is incorrect if the key has variables."""
    samplePoints: int
    """Number of points under `numeric_sampling`: 5 to 100."""
    tolerance: Number
    """Relative tolerance under `numeric_sampling`: above 0, at most 0.001."""
    variables: Sequence[Variable]
    """The variables, if the question declares them: at most 10."""


class _FreeTextView(TypedDict):
    type: Literal["free_text"]
    gradingMode: Literal["self_assess", "peer_review", "reviewer"]
    """The person who grades."""


class FreeTextView(_FreeTextView, total=False):
    """A free-text question. It has no secret field."""

    allowMath: bool
    """Whether formulas are allowed."""
    maxWords: int
    """The maximum number of words: 10 to 10,000."""
    minWords: int
    """The minimum number of words: 1 to 5,000."""
    rubric: Sequence[Criterion]
    """Criteria for judging, which learners see too: at most 10."""
    selfAssessChecklist: Sequence[str]
    """Lines against which learners check their own texts: at most 10, each at most 300 characters."""


class PublicSuiteView(TypedDict):
    """A public suite."""

    cases: Sequence[TestCase]
    """The cases: 1 to 50."""
    name: str
    """Its name: at most 100 characters."""
    visibility: Literal["public"]


class HiddenSuiteView(TypedDict):
    """A hidden suite."""

    name: str
    """Its name: at most 100 characters."""
    visibility: Literal["hidden"]

SuiteView = Union[PublicSuiteView, HiddenSuiteView]


class _CodeView(TypedDict):
    type: Literal["code"]
    languages: Sequence[Literal["python", "javascript", "c", "cpp", "java", "rust", "go"]]
    """The offered languages: 1 to 6, all different."""
    limits: Limits
    """Limits of a program."""
    testSuites: Sequence[SuiteView]
    """The suites: 1 to 10."""


class CodeView(_CodeView, total=False):
    """A code question as the learner sees it, with only the names of hidden suites."""

    harness: Harness
    """The way a program is called."""
    starterCode: StarterCode
    """The initial content of the editor, by language."""


class _OrderingView(TypedDict):
    type: Literal["ordering"]
    items: Sequence[ItemView]
    """The items, in the order to show them: 2 to 12."""


class OrderingView(_OrderingView, total=False):
    """An ordering question without its key."""

    partialCredit: Literal["none", "adjacent_pairs", "longest_subsequence"]
    """The credit for a partly correct order: none, the share of correct neighbours, or the share of the longest
    correct subsequence.
    """
    prompt: str
    """The task, as the learner reads it: at most 300 characters."""


class _MatchingView(TypedDict):
    type: Literal["matching"]
    left: Sequence[ItemView]
    """The items on the left, in the order to show them: 2 to 10."""
    right: Sequence[ItemView]
    """The items on the right, in the order to show them; some may have no partner: 2 to 14."""


class MatchingView(_MatchingView, total=False):
    """A matching question without its key."""

    allowManyToOne: bool
    """Whether several left items may have the same partner."""
    partialCredit: bool
    """Whether a partly correct answer earns part of the score."""
    prompt: str
    """The task, as the learner reads it: at most 300 characters."""


class _WidgetView(TypedDict):
    type: Literal["widget"]
    widgetName: str
    """Name of the widget: lower-case words with hyphens, at most 80 characters."""
    widgetVersion: str
    """Version of the widget, such as `1.2.3`."""


class WidgetView(_WidgetView, total=False):
    """A widget question without its validator."""

    params: Mapping[str, Json]
    """Parameters of the widget: a JSON object."""

DeliveryView = Union[MultipleChoiceView, NumericView, ExpressionView, FreeTextView, CodeView, OrderingView, MatchingView, WidgetView]
"""One of the eight question types, identified by `type`."""


class ClientContext(TypedDict, total=False):
    """Coarse, privacy-respecting context of an attempt."""

    locale: str
    """The learner's language: at most 20 characters."""
    offlineQueued: bool
    """Whether the attempt was queued offline."""
    platform: Literal["web", "pwa", "api"]
    """The platform that sent the attempt."""


class _Attempt(TypedDict):
    problemId: str
    """The problem."""
    problemVersionId: str
    """The version of the problem that was answered."""
    submission: Submission


class Attempt(_Attempt, total=False):
    """A submission with its metadata, as hosts store and receive it."""

    attemptId: str
    """The attempt's id. Without one, the id is derived from the question and the answer, and is the same for equal
    answers: give an id where each attempt needs its own.
    """
    clientContext: ClientContext
    """Coarse context."""
    hintsUsed: Sequence[str]
    """The hints that were revealed: at most 8, all different."""
    submittedAt: str
    """The time of the submission."""
    timeSpentSeconds: int
    """Seconds spent: 0 to 86,400."""
    userId: str
    """The learner."""


class _CodeResult(TypedDict):
    caseIndex: int
    """Index of the case within its suite, from 0."""
    suite: str
    """Name of the suite."""
    verdict: Literal["passed", "failed", "timeout", "memory_exceeded", "output_limit", "runtime_error", "compile_error", "sandbox_error"]
    """Its verdict."""


class CodeResult(_CodeResult, total=False):
    """One test case as the learner sees it. Of a hidden case only suite, index and verdict are ever filled."""

    caseName: str
    """Name of the case (public cases only)."""
    diffExcerpt: str
    """Lines around the first difference of the output (public cases only), at most 4,096 code points."""
    memoryKb: int
    """Peak memory in KiB (public cases only)."""
    stderrExcerpt: str
    """The beginning of standard error (public cases only), at most 4,096 code points."""
    timeMs: int
    """CPU time in milliseconds (public cases only)."""


class _Feedback(TypedDict):
    message: str


class Feedback(_Feedback, total=False):
    """One message to the learner: at most 2,000 code points."""

    severity: Literal["info", "hint", "error"]


class _AttemptResultDocument(TypedDict):
    attemptId: str
    """The attempt's id."""
    gradedBy: Literal["auto", "self", "peer", "reviewer"]
    """The person or engine that graded the attempt."""
    verdict: Literal["correct", "partial", "incorrect", "pending", "error"]
    """The judgement, from the score before penalties."""


class AttemptResultDocument(_AttemptResultDocument, total=False):
    """The result of one attempt: nothing in it comes from a secret field, except the feedback of choices that the
    learner selected, and messages that an author wrote into a validator's configuration.
    """

    codeResults: Sequence[CodeResult]
    """For a code question, one entry per test case that was not skipped."""
    feedback: Sequence[Feedback]
    """At most 20 messages."""
    gradedAt: str
    """The time of grading, if the caller gave it."""
    score: Number
    """Score in `[0, 1]` after penalties; present exactly when the verdict is scored."""
    scorePenaltyApplied: Number
    """The penalty for hints that was deducted from the score, in `[0, 0.8]`."""


class FlowmcpGraderIdentity(TypedDict):
    """The grader: a model, a person or a program, with name and version."""

    kind: Literal["llm", "human", "script"]
    """The kind of grader."""
    name: str
    """Its name."""
    version: str
    """Its version."""


class _FlowmcpCategoricalVeto(TypedDict):
    evidence: str
    """The evidence, as text."""
    graderIdentity: FlowmcpGraderIdentity
    """The grader who raised it."""
    timestamp: str
    """The time."""
    triggeredBy: Literal["malicious-module", "api-key-domain-mismatch", "illegal-content", "ai-security-veto"]
    """The reason."""


class FlowmcpCategoricalVeto(_FlowmcpCategoricalVeto, total=False):
    """A veto. It overrides every aggregation: the entry's grade is `REJECTED`."""

    reasoning: str
    """The reasoning; required when the trigger is `ai-security-veto`."""


class _FlowmcpSelectionContext(TypedDict):
    groupId: str
    """The id of the group."""
    personaIds: Sequence[str]
    """The ids of the personas, at least one."""


class FlowmcpSelectionContext(_FlowmcpSelectionContext, total=False):
    """The group, personas and domain knowledge under which an answer was given."""

    domainDocId: str
    """The id of the document with the domain knowledge."""


class _FlowmcpAnswer(TypedDict):
    determinism: Literal["deterministic", "non-deterministic"]
    """Whether the answer is reproducible."""
    graderIdentity: FlowmcpGraderIdentity
    """The grader who answered."""
    questionId: str
    """The question."""
    score: Union[Number, Literal["pass", "fail", "stale", "n/a"]]
    """The score."""
    timestamp: str
    """The time."""
    weight: Number
    """The weight in the mean; not negative."""


class FlowmcpAnswer(_FlowmcpAnswer, total=False):
    """One answer to one question, by one grader at one time."""

    evidence: Union[str, Mapping[str, Json]]
    """The evidence."""
    llmModel: str
    """The model, if a language model answered."""
    naReason: Literal["not-applicable-to-tool-type", "requires-private-data", "blocked-by-precondition", "out-of-scope-resource", "out-of-scope-prompt", "out-of-scope-procedure"]
    """The reason why the question does not apply."""
    reasoning: str
    """The reason for this score."""
    selectionContext: FlowmcpSelectionContext
    """The context of a non-deterministic answer."""


class FlowmcpPersona(TypedDict):
    """The persona and lens under which a persona-bound area was graded."""

    basePersonaId: Literal["ai-engineer", "decision-maker", "hackathon-builder", "schema-maintainer"]
    """The generalised persona."""
    lensId: str
    """The lens of the domain."""


class _FlowmcpRegradingTrigger(TypedDict):
    previousGradingId: str
    """The `gradingId` of the superseded entry."""
    timestamp: str
    """The time."""
    triggeredBy: Literal["user-report", "scheduled", "scoring-system-bump", "grading-system-bump"]
    """The cause."""


class FlowmcpRegradingTrigger(_FlowmcpRegradingTrigger, total=False):
    """The trigger of a re-grading, which also names the superseded entry."""

    reportedIssue: str
    """The user's report; required for the cause `user-report`."""
    requestedBy: str
    """The user who requested the re-grading; required for the cause `user-report`."""


class _FlowmcpGradingEntry(TypedDict):
    aggregateGrade: Literal["A", "B", "C", "D", "F", "REJECTED"]
    """The grade."""
    area: Literal["single-test", "tools-aggregate-schema", "tools-aggregate-namespace", "namespace-description", "namespace-skills", "about-namespace", "about-selection", "selection-skills-L1", "selection-skills-L2", "selection-skills-L3", "selection-aggregate"]
    """The area."""
    categoricalVeto: Union[None, FlowmcpCategoricalVeto]
    """The veto, or `null`."""
    gradingId: str
    """The id of this grading."""
    gradingMode: Literal["partial", "full"]
    """Full or partial."""
    gradingSystem: str
    """The version of the grading system."""
    gradingTier: Literal["autonomous", "group-bound"]
    """The tier."""
    gradings: Sequence[FlowmcpAnswer]
    """The answers, at least one."""
    harness: Literal["claude-code"]
    """The program that drove the judgements."""
    maxAttainableGrade: Literal["A", "B"]
    """The highest grade of the tier."""
    schemaHash: str
    """The hash of the graded schema."""
    schemaId: str
    """The graded schema."""
    scoringSystem: str
    """The version of the scoring system."""
    version: str
    """The version of the FlowMCP specification."""


class FlowmcpGradingEntry(_FlowmcpGradingEntry, total=False):
    """A grading entry: answers of one area, a veto if there is one, and the grade. A schema cannot express all
    rules; `fablegrade flowmcp check` also checks the others about a single entry, and `flowmcp verify` those about
    several.
    """

    aboutHash: str
    """The hash of the About page."""
    persona: FlowmcpPersona
    """The persona of a persona-bound area."""
    regradingTrigger: FlowmcpRegradingTrigger
    """The trigger, if this entry is a re-grading."""
    selectionId: str
    """The selection of a group-bound grading."""
    skillId: str
    """The skill of a per-skill area."""


class _FormspecInputEntry(TypedDict):
    state: Literal["answered", "declined", "not-presented"]


class FormspecInputEntry(_FormspecInputEntry, total=False):
    value: Json


class _FormspecRouteResult(TypedDict):
    target: str


class FormspecRouteResult(_FormspecRouteResult, total=False):
    label: str
    message: str
    metadata: Mapping[str, Json]
    reason: str
    score: Number


class FormspecDeterminationOverrides(TypedDict):
    halted: bool
    matched: Sequence[FormspecRouteResult]


class _FormspecPhaseResult(TypedDict):
    eliminated: Sequence[FormspecRouteResult]
    id: str
    matched: Sequence[FormspecRouteResult]
    status: Literal["evaluated", "skipped", "unsupported-strategy"]
    strategy: str


class FormspecPhaseResult(_FormspecPhaseResult, total=False):
    warnings: Sequence[str]


class FormspecDeterminationScreener(TypedDict):
    url: str
    version: str


class FormspecDeterminationValidity(TypedDict, total=False):
    resultValidity: str
    validUntil: str

_FormspecDetermination = TypedDict(
    "_FormspecDetermination",
    {
        "$formspecDetermination": 'Literal["1.0"]',
        "evaluationVersion": 'str',
        "inputs": 'Mapping[str, FormspecInputEntry]',
        "overrides": 'FormspecDeterminationOverrides',
        "phases": 'Sequence[FormspecPhaseResult]',
        "screener": 'FormspecDeterminationScreener',
        "status": 'Literal["completed", "partial", "expired", "unavailable"]',
        "timestamp": 'str',
    },
)
_FormspecDeterminationRest = TypedDict(
    "_FormspecDeterminationRest",
    {
        "extensions": 'Mapping[str, Json]',
        "validity": 'FormspecDeterminationValidity',
    },
    total=False,
)


class FormspecDetermination(_FormspecDetermination, _FormspecDeterminationRest):
    """A document with the fields of `FormspecDetermination`."""


class Context(TypedDict, total=False):
    """Facts beyond the answer: the engine has no clock and no memory."""

    attemptId: str
    """The attempt's id, a UUID; without one it is derived from the question and the answer."""
    gradedAt: str
    """When it is graded (RFC 3339)."""
    problemVersionId: str
    """The version of the problem that the question belongs to: attempts at another one are refused."""
    hints: Mapping[str, Number]
    """What each hint costs, in [0, 1]."""
    locale: str
    """The language of messages to the learner, such as "de" (default "en")."""
    shuffleSeed: str
    """The seed that the view was delivered under."""


Text = Union[str, bytes, bytearray, memoryview]
"""A document as JSON text."""
