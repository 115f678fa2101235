// Public documents, and codes: written by document-types.js from schemas/ and the catalogue of messages. Do not edit.

/** Any JSON. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Any JSON object. */
export type JsonObject = { readonly [key: string]: Json };

/** Content that the host renders, such as a plain string or a rich document. */
export type Content = Json;

/** A choice as the learner sees it. */
export interface ChoiceView {
  /** The content that is shown. */
  readonly content: Content;
  /** Its id. */
  readonly id: string;
  /** Part of the key: never in a view. */
  readonly correct?: never;
  /** Part of the key: never in a view. */
  readonly feedback?: never;
}

/** One line of a rubric. */
export interface Criterion {
  /** The criterion: at most 300 characters. */
  readonly criterion: string;
  /** Advice on judging the criterion, which learners see too: at most 1,000 characters. */
  readonly description?: string;
  /** The maximum points for this criterion: 1 to 20. */
  readonly points: number;
}

/** The values a variable takes. */
export interface Domain {
  /** Values it never takes: at most 20. */
  readonly exclude?: readonly number[];
  /** Whether it takes integers only. */
  readonly integer?: boolean;
  /** The maximum. */
  readonly max?: number;
  /** The minimum. */
  readonly min?: number;
}

/** The way a program is called. */
export interface Harness {
  /** The entry function, required if the mode is `function`: a letter or `_`, then up to 63 letters, digits or `_`. */
  readonly functionName?: string;
  /** Standard input and output, or a function that is called with JSON. */
  readonly mode: "stdin_stdout" | "function";
}

/** An item as the learner sees it, in an ordering or a matching question. */
export interface ItemView {
  /** The content that is shown. */
  readonly content: Content;
  /** Its id. */
  readonly id: string;
}

/** Limits of a program. */
export interface Limits {
  /** Memory in MiB: 16 to 512. */
  readonly memoryMb?: number;
  /** Output in KiB: 1 to 1,024. */
  readonly outputKb?: number;
  /** Source in KiB of UTF-8: 1 to 256. */
  readonly sourceKb?: number;
  /** CPU time of a case in milliseconds: 100 to 30,000. */
  readonly timeMsPerCase?: number;
}

/** A test case. */
export interface TestCase {
  /** The expected output, or the expected value as JSON: at most 65,536 characters. */
  readonly expected: string;
  /** The tolerance for numbers: above 0, at most 0.01. */
  readonly floatTolerance?: number;
  /** Standard input, or in function mode a JSON array of arguments: at most 65,536 characters. */
  readonly input: string;
  /**
   * The method of comparison: byte for byte, by lines without trailing whitespace, by tokens, as JSON, or by tokens
   * with a tolerance for numbers.
   */
  readonly matcher?: "exact" | "trimmed_lines" | "tokens" | "json" | "float_tolerance";
  /** Its name: at most 100 characters. */
  readonly name?: string;
  /** Points of the case: 1 to 100. */
  readonly points?: number;
  /** CPU time in milliseconds, overriding that of the question: 100 to 30,000. */
  readonly timeoutMs?: number;
}

/** The unit of a numeric answer. Public in the format: hosts show it next to the answer box. */
export interface Unit {
  /** Other spellings that count as the same: at most 10, each at most 30 characters. */
  readonly accepted?: readonly string[];
  /** The expected spelling: at most 30 characters. */
  readonly expected: string;
  /** Whether an answer must have a unit. */
  readonly required?: boolean;
}

/** A variable and its domain. */
export interface Variable {
  /** Its domain, if the question gives one. */
  readonly domain?: Domain;
  /** Its name: a letter, then up to 15 letters, digits or `_`. */
  readonly name: string;
}

/** A left item and its partner. */
export interface Pair {
  /** Id of the left item. */
  readonly left: string;
  /** Id of the right item. */
  readonly right: string;
}

/** One test case as the learner sees it. Of a hidden case only suite, index and verdict are ever filled. */
export interface CodeResult {
  /** Index of the case within its suite, from 0. */
  readonly caseIndex: number;
  /** Name of the case (public cases only). */
  readonly caseName?: string;
  /** Lines around the first difference of the output (public cases only), at most 4,096 code points. */
  readonly diffExcerpt?: string;
  /** Peak memory in KiB (public cases only). */
  readonly memoryKb?: number;
  /** The beginning of standard error (public cases only), at most 4,096 code points. */
  readonly stderrExcerpt?: string;
  /** Name of the suite. */
  readonly suite: string;
  /** CPU time in milliseconds (public cases only). */
  readonly timeMs?: number;
  /** Its verdict. */
  readonly verdict: "passed" | "failed" | "timeout" | "memory_exceeded" | "output_limit" | "runtime_error" | "compile_error" | "sandbox_error";
}

/** One message to the learner: at most 2,000 code points. */
export interface Feedback {
  readonly message: string;
  readonly severity?: "info" | "hint" | "error";
}

/** A suite as a learner sees it. A hidden suite has no cases. */
export type SuiteView =
  | {
  /** The cases: 1 to 50. */
  readonly cases: readonly TestCase[];
  /** Its name: at most 100 characters. */
  readonly name: string;
  readonly visibility: "public";
}
  | {
  /** Its name: at most 100 characters. */
  readonly name: string;
  readonly visibility: "hidden";
  /** Part of the key: never in a view. */
  readonly cases?: never;
};

/** A multiple-choice question without its key. */
export interface MultipleChoiceView {
  /** The choices, in the order to show them: 2 to 10. */
  readonly choices: readonly ChoiceView[];
  /** Whether several choices may be selected. */
  readonly multipleSelect?: boolean;
  /** Whether a selection can earn part of the score. */
  readonly partialCredit?: boolean;
  /** Whether the choices are shown in a shuffled order. */
  readonly shuffleChoices?: boolean;
  readonly type: "multiple_choice";
}

/** A numeric question without its key. */
export interface NumericView {
  /** A placeholder for the answer box: at most 200 characters. */
  readonly inputHint?: string;
  /** Whether only integers are correct. */
  readonly integerOnly?: boolean;
  readonly type: "numeric";
  /** The unit, if the question has one. */
  readonly unit?: Unit;
  /** Part of the key: never in a view. */
  readonly answer?: never;
}

/** An expression question without its key. */
export interface ExpressionView {
  /** The only functions that an answer may use, if they are restricted: at most 40. */
  readonly allowedFunctions?: readonly string[];
  /** The comparison with the key: by values everywhere, by values at sample points, or by form. */
  readonly equivalence: "symbolic" | "numeric_sampling" | "literal";
  /** Whether a constant answer is incorrect if the key has variables. */
  readonly forbidConstantAnswer?: boolean;
  /** Number of points under `numeric_sampling`: 5 to 100. */
  readonly samplePoints?: number;
  /** Relative tolerance under `numeric_sampling`: above 0, at most 0.001. */
  readonly tolerance?: number;
  readonly type: "expression";
  /** The variables, if the question declares them: at most 10. */
  readonly variables?: readonly Variable[];
  /** Part of the key: never in a view. */
  readonly canonical?: never;
}

/** A free-text question. It has no secret field. */
export interface FreeTextView {
  /** Whether formulas are allowed. */
  readonly allowMath?: boolean;
  /** The person who grades. */
  readonly gradingMode: "self_assess" | "peer_review" | "reviewer";
  /** The maximum number of words: 10 to 10,000. */
  readonly maxWords?: number;
  /** The minimum number of words: 1 to 5,000. */
  readonly minWords?: number;
  /** Criteria for judging, which learners see too: at most 10. */
  readonly rubric?: readonly Criterion[];
  /** Lines against which learners check their own texts: at most 10, each at most 300 characters. */
  readonly selfAssessChecklist?: readonly string[];
  readonly type: "free_text";
}

/** A code question as the learner sees it, with only the names of hidden suites. */
export interface CodeView {
  /** The way a program is called. */
  readonly harness?: Harness;
  /** The offered languages: 1 to 6, all different. */
  readonly languages: readonly ("python" | "javascript" | "c" | "cpp" | "java" | "rust" | "go")[];
  /** Limits of a program. */
  readonly limits: Limits;
  /** The initial content of the editor, by language. */
  readonly starterCode?: {
    readonly c?: string;
    readonly cpp?: string;
    readonly go?: string;
    readonly java?: string;
    readonly javascript?: string;
    readonly python?: string;
    readonly rust?: string;
  };
  /** The suites: 1 to 10. */
  readonly testSuites: readonly SuiteView[];
  readonly type: "code";
}

/** An ordering question without its key. */
export interface OrderingView {
  /** The items, in the order to show them: 2 to 12. */
  readonly items: readonly ItemView[];
  /**
   * The credit for a partly correct order: none, the share of correct neighbours, or the share of the longest correct
   * subsequence.
   */
  readonly partialCredit?: "none" | "adjacent_pairs" | "longest_subsequence";
  /** The task, as the learner reads it: at most 300 characters. */
  readonly prompt?: string;
  readonly type: "ordering";
  /** Part of the key: never in a view. */
  readonly correctOrder?: never;
}

/** A matching question without its key. */
export interface MatchingView {
  /** Whether several left items may have the same partner. */
  readonly allowManyToOne?: boolean;
  /** The items on the left, in the order to show them: 2 to 10. */
  readonly left: readonly ItemView[];
  /** Whether a partly correct answer earns part of the score. */
  readonly partialCredit?: boolean;
  /** The task, as the learner reads it: at most 300 characters. */
  readonly prompt?: string;
  /** The items on the right, in the order to show them; some may have no partner: 2 to 14. */
  readonly right: readonly ItemView[];
  readonly type: "matching";
  /** Part of the key: never in a view. */
  readonly correctPairs?: never;
}

/** A widget question without its validator. */
export interface WidgetView {
  /** Parameters of the widget: a JSON object. */
  readonly params?: JsonObject;
  readonly type: "widget";
  /** Name of the widget: lower-case words with hyphens, at most 80 characters. */
  readonly widgetName: string;
  /** Version of the widget, such as `1.2.3`. */
  readonly widgetVersion: string;
  /** Part of the key: never in a view. */
  readonly validator?: never;
}

/** A question as a learner may see it. It cannot contain a key. */
export type DeliveryView =
  | MultipleChoiceView
  | NumericView
  | ExpressionView
  | FreeTextView
  | CodeView
  | OrderingView
  | MatchingView
  | WidgetView;

/** The eight question types. */
export type QuestionType = DeliveryView["type"];

/** The selected choices. */
export interface MultipleChoiceSubmission {
  /** The ids as they were sent; their order has no meaning: 1 to 10, all different. */
  readonly selectedChoiceIds: readonly string[];
  readonly type: "multiple_choice";
}

/** The number, exactly as written, and the unit. */
export interface NumericSubmission {
  readonly type: "numeric";
  /** The unit as typed: at most 30 characters. */
  readonly unit?: string;
  /** The number. */
  readonly value: number;
}

/** A formula in LaTeX. */
export interface ExpressionSubmission {
  /** The LaTeX as typed: 1 to 2,000 characters. */
  readonly latex: string;
  readonly type: "expression";
}

/** A free text and the learner's self-assessment of it. */
export interface FreeTextSubmission {
  /** The text. */
  readonly content: Content;
  /** For each line of the checklist, whether the learner ticked it: at most 10. */
  readonly selfAssessment?: readonly boolean[];
  readonly type: "free_text";
}

/** A program. */
export interface CodeSubmission {
  /** The language of the program. */
  readonly language: "python" | "javascript" | "c" | "cpp" | "java" | "rust" | "go";
  /** The source of the program: 1 to 262,144 characters. */
  readonly source: string;
  readonly type: "code";
}

/** All items in the learner's order. */
export interface OrderingSubmission {
  /** The ids, first to last: 2 to 12, all different. */
  readonly order: readonly string[];
  readonly type: "ordering";
}

/** The pairs. */
export interface MatchingSubmission {
  /** The pairs as they were sent; their order has no meaning: 1 to 14. */
  readonly pairs: readonly Pair[];
  readonly type: "matching";
}

/** The widget's state. */
export interface WidgetSubmission {
  /** The state: a JSON object. */
  readonly state: JsonObject;
  readonly type: "widget";
}

/** A learner's submission. */
export type Submission =
  | MultipleChoiceSubmission
  | NumericSubmission
  | ExpressionSubmission
  | FreeTextSubmission
  | CodeSubmission
  | OrderingSubmission
  | MatchingSubmission
  | WidgetSubmission;

/**
 * The result of one attempt: nothing in it comes from a secret field, except the feedback of choices that the learner
 * selected, and messages that an author wrote into a validator's configuration.
 */
export interface AttemptResult {
  /** The attempt's id. */
  readonly attemptId: string;
  /** For a code question, one entry per test case that was not skipped. */
  readonly codeResults?: readonly CodeResult[];
  /** At most 20 messages. */
  readonly feedback?: readonly Feedback[];
  /** The time of grading, if the caller gave it. */
  readonly gradedAt?: string;
  /** The person or engine that graded the attempt. */
  readonly gradedBy: "auto" | "self" | "peer" | "reviewer";
  /** Score in `[0, 1]` after penalties; present exactly when the verdict is scored. */
  readonly score?: number;
  /** The penalty for hints that was deducted from the score, in `[0, 0.8]`. */
  readonly scorePenaltyApplied?: number;
  /** The judgement, from the score before penalties. */
  readonly verdict: "correct" | "partial" | "incorrect" | "pending" | "error";
}

export type Item = ItemView;
export type Language = CodeSubmission["language"];
export type Matcher = NonNullable<TestCase["matcher"]>;
export type Verdict = AttemptResult["verdict"];
export type CaseVerdict = CodeResult["verdict"];
export type Severity = "error" | "warning" | "info";

/**
 * The codes of messages to learners. English and German come with the package; a host can write its own text from code
 * and parameters.
 */
export type MessageCode =
  | "answer-constant"
  | "answer-not-wanted"
  | "answer-too-large"
  | "blank-empty"
  | "byte-differs"
  | "checks-missing"
  | "choice-twice"
  | "comma-list"
  | "constant-answer"
  | "content-left"
  | "does-not-compile"
  | "empty-formula"
  | "expected-not-json"
  | "forbidden-word"
  | "formula-too-long"
  | "fraction-not-wanted"
  | "fraction-wanted"
  | "function-not-allowed"
  | "grouping"
  | "items-missing"
  | "items-unmatched"
  | "language-not-offered"
  | "language-unknown"
  | "left-used-twice"
  | "letter-product"
  | "line-differs"
  | "lost-backslash"
  | "math-not-allowed"
  | "nested-fraction"
  | "no-blanks"
  | "no-number"
  | "no-text"
  | "not-a-number"
  | "not-a-permutation"
  | "not-an-integer"
  | "not-checked"
  | "not-circle"
  | "not-compared"
  | "not-completed-square"
  | "not-decimal"
  | "not-expanded"
  | "not-factored"
  | "not-line-slope"
  | "not-line-standard"
  | "not-lowest-terms"
  | "not-partial-fractions"
  | "not-reduced"
  | "not-run-safely"
  | "not-same-form"
  | "not-scientific"
  | "not-scientific-form"
  | "not-single-fraction"
  | "nothing-matched"
  | "nothing-selected"
  | "number-differs"
  | "number-expected"
  | "number-missing"
  | "number-not-wanted"
  | "number-out-of-range"
  | "one-choice-only"
  | "other-type"
  | "output-ends"
  | "output-goes-on"
  | "output-not-json"
  | "part"
  | "read-as"
  | "returned-nothing"
  | "returned-unreadable"
  | "right-used-twice"
  | "root-in-denominator"
  | "root-not-simplest"
  | "run-unsandboxed"
  | "scientific-not-wanted"
  | "source-empty"
  | "source-too-long"
  | "spelling"
  | "starter-unchanged"
  | "state-not-wanted"
  | "state-too-large"
  | "symbol-not-listed"
  | "text-empty"
  | "text-expected"
  | "text-too-long"
  | "texts-end-differently"
  | "token-differs"
  | "too-few-decimals"
  | "too-few-figures"
  | "too-few-words"
  | "too-many-checks"
  | "too-many-decimals"
  | "too-many-figures"
  | "too-many-pairs"
  | "too-many-selected"
  | "too-many-words"
  | "unit-does-not-fit"
  | "unit-missing"
  | "unit-not-asked"
  | "unit-not-expected"
  | "unit-not-wanted"
  | "unit-other"
  | "unit-place"
  | "unit-too-long"
  | "unit-unknown"
  | "unknown-choice"
  | "unknown-item"
  | "unknown-option"
  | "unreadable-expression"
  | "unreadable-formula"
  | "value-differs";

/** The reasons why a formula cannot be read. */
export type FormulaCode =
  | "ambiguous"
  | "arguments"
  | "bare-function"
  | "double-exponent"
  | "double-subscript"
  | "empty"
  | "lost-backslash"
  | "not-a-value"
  | "too-deep"
  | "too-long"
  | "unclosed"
  | "unexpected"
  | "unexpected-end"
  | "unknown-character"
  | "unknown-command"
  | "unopened"
  | "unsupported";

/** The kinds of notes about ambiguous notation. */
export type NoteCode =
  | "argument-ends"
  | "bracketed-exponent"
  | "comma-list"
  | "currency"
  | "decimal-comma"
  | "euler-not-exponent"
  | "exponent"
  | "gamma-function"
  | "golden-ratio"
  | "grouping"
  | "left-to-right"
  | "letter-product"
  | "log-base"
  | "mixed-number"
  | "not-mixed"
  | "one-character"
  | "product-not-call"
  | "set-braces"
  | "spelled"
  | "split-command"
  | "wide-space"
  | "without-zero";

/** The rules of findings about public documents, and of refusals; each has an entry in docs/lint.md. */
export type Rule =
  | "arguments-not-an-array"
  | "base64-form"
  | "blank-unit"
  | "checklist-unused"
  | "content-depth"
  | "content-size"
  | "date-time-form"
  | "decimal-comma"
  | "degrees"
  | "duplicate-element"
  | "duplicate-id"
  | "duplicate-key"
  | "duplicate-suite"
  | "duplicate-variable"
  | "empty-domain"
  | "empty-output-passes"
  | "exact-without-newline"
  | "exclusions-tell"
  | "expected-above-output-limit"
  | "expected-not-json"
  | "function-name-missing"
  | "id-form"
  | "invalid-utf8"
  | "json-syntax"
  | "key-in-view"
  | "list-length"
  | "lost-backslash"
  | "min-above-max"
  | "missing-field"
  | "name-form"
  | "no-checklist"
  | "no-rubric"
  | "no-unit-accepted"
  | "not-an-integer"
  | "number-range"
  | "number-too-long"
  | "out-of-range"
  | "partial-without-multiple"
  | "same-case-twice"
  | "same-item-twice"
  | "same-unit-twice"
  | "starter-code-unused"
  | "telling-id"
  | "text-and-base64"
  | "text-length"
  | "tolerance-unused"
  | "too-deep"
  | "too-large"
  | "unit-is-public"
  | "unknown-field"
  | "unknown-item"
  | "unknown-locale"
  | "unknown-word"
  | "unreadable-expression"
  | "uuid-form"
  | "weak-matcher"
  | "widget-name-form"
  | "widget-version-form"
  | "wrong-type";
