// Documents with keys: written by document-types.js from schemas/ and the catalogue of messages. Do not edit.

import type { Content, Criterion, Harness, ItemView, JsonObject, Limits, Pair, Submission, TestCase, Unit, Variable } from "./documents.js";

/** A choice with its key. */
export interface ChoiceSpec {
  /** The content that is shown. */
  readonly content: Content;
  /** Whether this choice is correct. */
  readonly correct: boolean;
  /** Feedback for a learner who selected it. */
  readonly feedback?: Content;
  /** Its id. */
  readonly id: string;
}

/** A named suite of test cases. */
export interface SuiteSpec {
  /** The cases: 1 to 50. */
  readonly cases: readonly TestCase[];
  /** Its name, shown to learners: at most 100 characters. */
  readonly name: string;
  /** Whether learners see the cases; for hidden cases they see only the verdict. */
  readonly visibility: "public" | "hidden";
}

/** Coarse, privacy-respecting context of an attempt. */
export interface ClientContext {
  /** The learner's language: at most 20 characters. */
  readonly locale?: string;
  /** Whether the attempt was queued offline. */
  readonly offlineQueued?: boolean;
  /** The platform that sent the attempt. */
  readonly platform?: "web" | "pwa" | "api";
}

/** A multiple-choice question. */
export interface MultipleChoiceSpec {
  /** The schema, for editors; only if the question is a separate file. */
  readonly "$schema"?: string;
  /** The choices: 2 to 10. */
  readonly choices: readonly ChoiceSpec[];
  /** Whether several choices may be selected. */
  readonly multipleSelect?: boolean;
  /** Whether a selection can earn part of the score; only with `multipleSelect`. */
  readonly partialCredit?: boolean;
  /** Whether the view shows the choices in a shuffled order. */
  readonly shuffleChoices?: boolean;
  /** The question type. */
  readonly type: "multiple_choice";
}

/** A numeric question. */
export interface NumericSpec {
  /** The schema, for editors; only if the question is a separate file. */
  readonly "$schema"?: string;
  /** The accepted numbers. */
  readonly answer: {
    /** The accepted distance from the value, bounds included. */
    readonly tolerance?: {
      /** The size of the tolerance, above 0. */
      readonly amount: number;
      /** Whether the amount is a distance or a share of the number. */
      readonly mode: "absolute" | "relative";
    };
    /** The number. */
    readonly value: number;
  } | {
    /** The largest accepted number. */
    readonly max: number;
    /** The smallest accepted number. */
    readonly min: number;
  };
  /** A placeholder for the answer box: at most 200 characters. */
  readonly inputHint?: string;
  /** Whether only integers are correct. */
  readonly integerOnly?: boolean;
  /** The question type. */
  readonly type: "numeric";
  /** The unit, if the question has one. */
  readonly unit?: Unit;
}

/** An expression question. */
export interface ExpressionSpec {
  /** The schema, for editors; only if the question is a separate file. */
  readonly "$schema"?: string;
  /** The only functions that an answer may use, if they are restricted: at most 40. */
  readonly allowedFunctions?: readonly string[];
  /** The correct answer in LaTeX: 1 to 2,000 characters. */
  readonly canonical: string;
  /** The comparison with the key: by values everywhere, by values at sample points, or by form. */
  readonly equivalence: "symbolic" | "numeric_sampling" | "literal";
  /** Whether a constant answer is incorrect if the key has variables. */
  readonly forbidConstantAnswer?: boolean;
  /** Number of points under `numeric_sampling`: 5 to 100. */
  readonly samplePoints?: number;
  /** Relative tolerance under `numeric_sampling`: above 0, at most 0.001. */
  readonly tolerance?: number;
  /** The question type. */
  readonly type: "expression";
  /** The variables, if the question declares them: at most 10. */
  readonly variables?: readonly Variable[];
}

/** A free-text question; people grade it. */
export interface FreeTextSpec {
  /** The schema, for editors; only if the question is a separate file. */
  readonly "$schema"?: string;
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
  /** The question type. */
  readonly type: "free_text";
}

/** A code question. */
export interface CodeSpec {
  /** The schema, for editors; only if the question is a separate file. */
  readonly "$schema"?: string;
  /** The way a program is called. */
  readonly harness?: Harness;
  /** The offered languages: 1 to 6, all different. */
  readonly languages: readonly ("python" | "javascript" | "c" | "cpp" | "java" | "rust" | "go")[];
  /** Limits of a program. */
  readonly limits: Limits;
  /** The initial content of the editor, by language. */
  readonly starterCode?: {
    /** Starter code in the language `c`. */
    readonly c?: string;
    /** Starter code in the language `cpp`. */
    readonly cpp?: string;
    /** Starter code in the language `go`. */
    readonly go?: string;
    /** Starter code in the language `java`. */
    readonly java?: string;
    /** Starter code in the language `javascript`. */
    readonly javascript?: string;
    /** Starter code in the language `python`. */
    readonly python?: string;
    /** Starter code in the language `rust`. */
    readonly rust?: string;
  };
  /** The suites: 1 to 10. */
  readonly testSuites: readonly SuiteSpec[];
  /** The question type. */
  readonly type: "code";
}

/** An ordering question. */
export interface OrderingSpec {
  /** The schema, for editors; only if the question is a separate file. */
  readonly "$schema"?: string;
  /** The correct order: a permutation of the items' ids: 2 to 12, all different. */
  readonly correctOrder: readonly string[];
  /** The items; authors often list them in the correct order, so their order is never shown: 2 to 12. */
  readonly items: readonly ItemView[];
  /**
   * The credit for a partly correct order: none, the share of correct neighbours, or the share of the longest correct
   * subsequence.
   */
  readonly partialCredit?: "none" | "adjacent_pairs" | "longest_subsequence";
  /** The task, as the learner reads it: at most 300 characters. */
  readonly prompt?: string;
  /** The question type. */
  readonly type: "ordering";
}

/** A matching question. */
export interface MatchingSpec {
  /** The schema, for editors; only if the question is a separate file. */
  readonly "$schema"?: string;
  /** Whether several left items may have the same partner. */
  readonly allowManyToOne?: boolean;
  /** The correct pairs: 2 to 14. */
  readonly correctPairs: readonly Pair[];
  /** The items on the left: 2 to 10. */
  readonly left: readonly ItemView[];
  /** Whether a partly correct answer earns part of the score. */
  readonly partialCredit?: boolean;
  /** The task, as the learner reads it: at most 300 characters. */
  readonly prompt?: string;
  /** The items on the right; some may have no partner: 2 to 14. */
  readonly right: readonly ItemView[];
  /** The question type. */
  readonly type: "matching";
}

/** A widget question. */
export interface WidgetSpec {
  /** The schema, for editors; only if the question is a separate file. */
  readonly "$schema"?: string;
  /** Parameters of the widget: a JSON object. */
  readonly params?: JsonObject;
  /** The question type. */
  readonly type: "widget";
  /** The validator of the state. */
  readonly validator: {
    /** The correct state, compared as JSON. */
    readonly expectedState: JsonObject;
    /** The state equals a given state. */
    readonly kind: "state_equals";
  } | {
    /** The state is valid against a JSON Schema. */
    readonly kind: "state_schema";
    /** A JSON Schema for the correct states. */
    readonly stateSchema: JsonObject;
  } | {
    /** The configuration of the validator. */
    readonly config?: JsonObject;
    /** A validator that the host has registered under a name decides. */
    readonly kind: "builtin";
    /** Its name: 1 to 64 lower-case letters, digits or `_`. */
    readonly name: string;
  };
  /** Name of the widget: lower-case words with hyphens, at most 80 characters. */
  readonly widgetName: string;
  /** Version of the widget, such as `1.2.3`. */
  readonly widgetVersion: string;
}

/** A question with its key. It must never reach a learner. */
export type AnswerSpec =
  | MultipleChoiceSpec
  | NumericSpec
  | ExpressionSpec
  | FreeTextSpec
  | CodeSpec
  | OrderingSpec
  | MatchingSpec
  | WidgetSpec;

/** A submission with its metadata, as hosts store and receive it. */
export interface Attempt {
  /**
   * The attempt's id. Without one, the id is derived from the question and the answer, and is the same for equal
   * answers: give an id where each attempt needs its own.
   */
  readonly attemptId?: string;
  /** Coarse context. */
  readonly clientContext?: ClientContext;
  /** The hints that were revealed: at most 8, all different. */
  readonly hintsUsed?: readonly string[];
  /** The problem. */
  readonly problemId: string;
  /** The version of the problem that was answered. */
  readonly problemVersionId: string;
  /** The answer. */
  readonly submission: Submission;
  /** The time of the submission. */
  readonly submittedAt?: string;
  /** Seconds spent: 0 to 86,400. */
  readonly timeSpentSeconds?: number;
  /** The learner. */
  readonly userId?: string;
}

/** The rules of all findings; each has an entry in docs/lint.md. */
export type SpecRule =
  | "absolute-tolerance-huge"
  | "always-true"
  | "any-state-passes"
  | "approximate-key"
  | "argument-count-differs"
  | "arguments-not-an-array"
  | "base64-form"
  | "blank-content"
  | "blank-unit"
  | "broken-formula"
  | "canonical-ambiguous"
  | "canonical-constant"
  | "canonical-undecided"
  | "canonical-uses-forbidden-function"
  | "carriage-return-expected"
  | "case-missing"
  | "case-twice"
  | "checklist-unused"
  | "choices-differ-in-case"
  | "constant-output-passes"
  | "content-depth"
  | "content-size"
  | "contradicting-cases"
  | "control-character"
  | "date-time-form"
  | "decimal-comma"
  | "degrees"
  | "dollar-in-key"
  | "domain-too-precise"
  | "domain-too-small"
  | "double-backslash"
  | "double-negative"
  | "duplicate-element"
  | "duplicate-id"
  | "duplicate-item"
  | "duplicate-key"
  | "duplicate-suite"
  | "duplicate-variable"
  | "echo-passes"
  | "empty-domain"
  | "empty-output-passes"
  | "empty-state-passes"
  | "endless-reference"
  | "equal-choices"
  | "equal-forms"
  | "equal-items"
  | "everything-correct"
  | "exact-fraction"
  | "exact-without-newline"
  | "exclusions-tell"
  | "expected-above-output-limit"
  | "expected-not-json"
  | "expected-state-too-large"
  | "feedback-contradicts-key"
  | "feedback-tells-key"
  | "few-cases"
  | "first-choice-correct"
  | "float-without-tolerance"
  | "formula-without-dollars"
  | "function-name-missing"
  | "function-name-reserved"
  | "function-name-unused"
  | "guessable-choice"
  | "guessable-matching"
  | "guessable-order"
  | "hidden-equals-public"
  | "hint-against-tolerance"
  | "hint-names-other-unit"
  | "hint-tells-key"
  | "html-content"
  | "html-entity"
  | "html-tag"
  | "id-form"
  | "integer-only-fraction"
  | "integer-too-large"
  | "invalid-utf8"
  | "item-id"
  | "json-syntax"
  | "key-change-unnoticed"
  | "key-in-view"
  | "labelled-choices"
  | "last-pair-by-elimination"
  | "left-paired-twice"
  | "left-without-partner"
  | "limits-too-low"
  | "list-length"
  | "literal-line-feed"
  | "literal-not-final"
  | "longest-choice-correct"
  | "lost-backslash"
  | "many-to-one-unneeded"
  | "min-above-max"
  | "missing-field"
  | "mojibake"
  | "name-form"
  | "neighbour-choice-pays"
  | "never-true"
  | "no-checklist"
  | "no-correct-choice"
  | "no-hidden-suite"
  | "no-integer-accepted"
  | "no-room-for-words"
  | "no-rubric"
  | "no-sample-answers"
  | "no-tolerance"
  | "no-unit-accepted"
  | "no-value-on-domain"
  | "not-an-integer"
  | "not-expressible"
  | "not-json"
  | "number-range"
  | "number-too-long"
  | "numbered-items"
  | "numbers-out-of-order"
  | "off-by-one-passes"
  | "one-partner-pays"
  | "order-not-a-permutation"
  | "other-language"
  | "other-version"
  | "out-of-range"
  | "outcomes-unused"
  | "params-tell"
  | "partial-without-multiple"
  | "partners-share-words"
  | "position-word"
  | "range-of-a-magnitude"
  | "range-of-everything"
  | "range-of-one"
  | "relative-to-zero"
  | "relative-tolerance-huge"
  | "remote-reference"
  | "required-unconstrained"
  | "reversed-order-pays"
  | "right-paired-twice"
  | "rounded-key"
  | "rubric-tells-answer"
  | "same-case-twice"
  | "same-choice-twice"
  | "same-item-twice"
  | "same-line-twice"
  | "same-unit-twice"
  | "samples-nowhere"
  | "sampling-unused"
  | "schema-too-large"
  | "several-correct-single-select"
  | "starter-above-source-limit"
  | "starter-code-unused"
  | "starter-misnames-function"
  | "starter-missing"
  | "starter-solves"
  | "starter-unbalanced"
  | "state-not-object"
  | "telling-id"
  | "text-and-base64"
  | "text-length"
  | "ticking-everything-pays"
  | "tolerance-below-digits"
  | "tolerance-below-noise"
  | "tolerance-from-half"
  | "tolerance-too-precise"
  | "tolerance-unused"
  | "tolerance-without-effect"
  | "too-deep"
  | "too-large"
  | "trailing-blank-expected"
  | "two-answers"
  | "typographic-output"
  | "unbalanced-dollar"
  | "unequal-partners"
  | "unit-case"
  | "unit-in-key"
  | "unit-is-public"
  | "unit-of-degrees"
  | "unit-other-size"
  | "unit-with-latex"
  | "unit-with-number"
  | "unknown-case"
  | "unknown-field"
  | "unknown-function"
  | "unknown-hint"
  | "unknown-item"
  | "unknown-keyword"
  | "unknown-locale"
  | "unknown-validator"
  | "unknown-word"
  | "unlisted-variable"
  | "unreadable-canonical"
  | "unreadable-expression"
  | "unsatisfiable-schema"
  | "unusable-schema"
  | "uuid-form"
  | "validator-config"
  | "value-and-range"
  | "variable-unused"
  | "weak-matcher"
  | "widget-name-form"
  | "widget-version-form"
  | "wrong-answer-passes"
  | "wrong-type";
