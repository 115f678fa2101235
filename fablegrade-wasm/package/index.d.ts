/** Fablegrade in a learner's browser, on public data only. Apart from `init` and `initSync`, no function throws. */

/** A document: its JSON text or the text's bytes in UTF-8 (numbers keep every digit), or the value itself. */
export type Given<T> = string | ArrayBuffer | ArrayBufferView | T;

/** The argument that an error is about. */
export type GivenName = "view" | "submission" | "result" | "outcomes" | "content" | "latex" | "options" | "arguments";

/** A range of a text in UTF-16 code units, as for `String.prototype.slice`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Rules about the arguments of a call. */
export type CallRule =
  | "not-initialised" | "not-a-text" | "not-json" | "invalid-utf8" | "too-large" | "wrong-type" | "unknown-word" | "unknown-locale"
  | "out-of-range" | "other-type" | "hidden-suite" | "unknown-case" | "case-twice" | "not-readable" | "worker-ended" | "internal";

export interface PreviewError {
  /** The violated rule, in kebab case. */
  readonly rule: Rule | FormulaCode | CallRule;
  readonly document: GivenName;
  /** A JSON pointer into the document; "" is the whole document. */
  readonly pointer: string;
  /** The defect. It never repeats a value from a document, but can quote a formula to the person who typed it. */
  readonly message: string;
  /**
   * The code of a message that a learner can act on. A host can translate the message with it and the parameters.
   * Without a code, the mistake is in the page.
   */
  readonly code?: MessageCode | FormulaCode;
  readonly params?: Params;
  /** The remedy. */
  readonly help?: string;
  /** The position of an error in a formula. */
  readonly span?: Span;
  /** The input that was expected at this position. */
  readonly expected?: string;
}

/** The parameters of a message, by name. */
export interface Params {
  readonly [name: string]: string;
}

/** The languages that come with the package; a tag such as `de-AT` is read by its language. */
export type Locale = "en" | "de" | `en-${string}` | `de-${string}`;

/** Options of a call. */
export interface InLanguage {
  /** The language of messages to the learner (default "en"). */
  readonly locale?: Locale | undefined;
}

export interface Failure {
  readonly ok: false;
  readonly errors: readonly PreviewError[];
}

export type Reply<T> = ({ readonly ok: true } & Readonly<T>) | Failure;

import type {
  AttemptResult, CodeResult, CodeView, Content, DeliveryView, ExpressionView, FormulaCode, Matcher, MessageCode, NoteCode, QuestionType,
  Rule, Severity, Submission,
} from "./documents.js";

export type * from "./documents.js";

/** The public documents by name. */
export interface Documents {
  DeliveryView: DeliveryView;
  Submission: Submission;
  AttemptResult: AttemptResult;
}

/** The outcome of one executed case. */
export interface CaseOutcome {
  readonly suite: string;
  readonly caseIndex: number;
  readonly end:
    | "exited"
    | "signalled"
    | "timeout"
    | "memory_exceeded"
    | "output_limit"
    | "compile_error"
    | "sandbox_error"
    | "skipped";
  readonly exitCode?: number;
  readonly signal?: number;
  readonly message?: string;
  readonly stdout?: string;
  readonly stdoutBase64?: string;
  readonly stderr?: string;
  readonly stderrBase64?: string;
  readonly returned?: string;
  readonly returnedBase64?: string;
  readonly timeMs?: number;
  readonly memoryKb?: number;
  readonly isolation?: string;
}

/** A finding of the linter. */
export interface Finding {
  readonly severity: Severity;
  readonly rule: Rule;
  readonly pointer: string;
  readonly message: string;
  readonly help: string;
}

/** A position at which the notation is ambiguous. */
export interface ReadingNote {
  readonly rule: NoteCode;
  readonly message: string;
  readonly params: Params;
  readonly span: Span;
}

/** A name that an answer to this question cannot use. */
export interface ReadingWarning {
  readonly rule: "symbol-not-listed" | "function-not-allowed";
  readonly name: string;
  readonly message: string;
  readonly params: Params;
}

/** A remark on a submission before it is sent. It uses only the view and never prevents sending. */
export interface Remark {
  readonly code:
    | "unit-missing" | "unit-not-asked" | "not-an-integer" | "items-unmatched" | "text-empty" | "checks-missing" | "source-empty"
    | "starter-unchanged" | "symbol-not-listed" | "function-not-allowed" | "constant-answer";
  /** A JSON pointer into the submission. */
  readonly pointer: string;
  readonly message: string;
  readonly params: Params;
  /** The items of the question that the remark is about. */
  readonly ids?: readonly string[];
}

/** The reading of a formula. */
export interface Reading {
  /** The formula in normalised LaTeX: reading it again gives the same formula. */
  readonly latex: string;
  readonly notes: readonly ReadingNote[];
  /** Free variables, in their plain spelling. */
  readonly symbols: readonly string[];
  /** Known functions, by their plain names. */
  readonly functions: readonly string[];
  /** Functions that are called but not known. */
  readonly calls: readonly string[];
  readonly warnings: readonly ReadingWarning[];
}

/** The context for reading a formula: the question that it answers, or declared names. */
export type ReadingOptions = InLanguage & (
  | { readonly view: Given<ExpressionView>; readonly variables?: never; readonly functions?: never; readonly logBase?: never }
  | {
      readonly view?: undefined;
      /** Names of variables, in LaTeX or plain text: at most 40. */
      readonly variables?: readonly string[];
      /** Names of functions: `f(x+1)` is then a call and not a product. */
      readonly functions?: readonly string[];
      /** The base of `\log` without an explicit base (default "ten"). */
      readonly logBase?: "ten" | "natural";
    }
);

export interface JudgedCases {
  /** The cases that were run, in the order of the view. */
  readonly cases: readonly CodeResult[];
  readonly passed: number;
  /** Number of public cases. */
  readonly total: number;
  readonly earned: number;
  /** The points of the public cases. */
  readonly points: number;
}

export interface Comparison {
  readonly accept: boolean;
  /** The first difference from the expected output. It quotes neither text, apart from keys in a JSON pointer. */
  readonly difference?: string;
  /** With `float_tolerance`: the exact value of the largest absolute error. */
  readonly largestError?: string;
}

/** All functions of the package. */
export interface PreviewFunctions {
  /** Reads a public document and returns it as canonical JSON. A view that contains a key is refused. */
  read<K extends keyof Documents>(kind: K, document: Given<Documents[K]>): Reply<{ json: string }>;
  /** Checks whether a submission can be graded for a view, and returns its canonical JSON. */
  validate(view: Given<DeliveryView>, submission: Given<Submission>, options?: InLanguage): Reply<{ json: string }>;
  /** Returns remarks about anything missing or unusual in a submission that can be graded. */
  completeness(view: Given<DeliveryView>, submission: Given<Submission>, options?: InLanguage): Reply<{ remarks: readonly Remark[] }>;
  /** Returns a result with the messages of graders in another language; an author's texts stay unchanged. */
  translate(result: Given<AttemptResult>, locale: Locale): Reply<{ json: string }>;
  /** Returns the defects of a question that are visible in its view. */
  lintView(view: Given<DeliveryView>): Reply<{ findings: readonly Finding[] }>;
  /**
   * Returns the number of words, counted as graders do, and whether there is a formula. A string is plain text, not
   * JSON.
   */
  countWords(content: Content): Reply<{ words: number; math: boolean }>;
  /** Returns the reading of a formula. */
  understand(latex: string, options?: ReadingOptions): Reply<Reading>;
  /** Judges public cases by their outcomes. Outcomes of hidden suites are refused. */
  previewCases(view: Given<CodeView>, outcomes: Given<readonly CaseOutcome[]>): Reply<JudgedCases>;
  /** Compares an output with the expected output. */
  matchOutput(
    matcher: Matcher,
    expected: string | ArrayBuffer | ArrayBufferView,
    actual: string | ArrayBuffer | ArrayBufferView,
    tolerance?: number | string,
  ): Reply<Comparison>;
  /** Returns the version of the package; undefined before `init`. */
  version(): string | undefined;
  /** Returns the build; undefined before `init`. */
  about(): About | undefined;
}

/** The build. */
export interface About {
  readonly version: string;
  /**
   * The version of the grading semantics, raised whenever a verdict or a score can change; the server's must be the
   * same.
   */
  readonly gradingSemantics: number;
  /** The languages of messages. */
  readonly locales: readonly string[];
}

/** The type of submissions for a type of view. */
export type SubmissionOf<V extends DeliveryView> = Extract<Submission, { readonly type: V["type"] }>;

/** A question as a learner may see it, checked once. The view's type determines the preview's: `Preview<NumericView>`. */
export declare class Preview<V extends DeliveryView = DeliveryView> {
  private constructor();
  /** Checks a view. A document that contains a key is refused. */
  static open<V extends DeliveryView>(view: V, options?: InLanguage): Preview<V> | Failure;
  static open(view: Given<DeliveryView>, options?: InLanguage): AnyPreview | Failure;
  readonly ok: true;
  readonly type: V["type"];
  readonly view: V;
  /** The view as canonical JSON. */
  readonly json: string;
  check(submission: Given<SubmissionOf<V>>): Reply<{ json: string }>;
  /** Returns remarks on a submission before it is sent. */
  completeness(submission: Given<SubmissionOf<V>>): Reply<{ remarks: readonly Remark[] }>;
  understand(latex: string): Reply<Reading>;
  previewCases(outcomes: Given<readonly CaseOutcome[]>): Reply<JudgedCases>;
  lint(): Reply<{ findings: readonly Finding[] }>;
  countWords(content: Content): Reply<{ words: number; math: boolean }>;
}

/** A preview of any type: `preview.type === "numeric"` makes it a `Preview<NumericView>`. */
export type AnyPreview = { [T in QuestionType]: Preview<Extract<DeliveryView, { readonly type: T }>> }[QuestionType];

/** A platform type, if the program's libraries declare it. */
type Platform<Name extends string> = typeof globalThis extends { [N in Name]: { prototype: infer T } } ? T : never;
type CompiledModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer T } } } ? T : never;

/** The source of the module: a URL, a response, bytes, or a compiled module. */
export type ModuleSource =
  | string | Platform<"URL"> | Platform<"Request"> | Platform<"Response"> | ArrayBuffer | ArrayBufferView | CompiledModule;

/**
 * Loads the module, from the folder of this file or from the given source. Before that, functions with a `Reply` return
 * the error `not-initialised`.
 */
export default function init(source?: ModuleSource | Promise<ModuleSource>): Promise<void>;
/** Loads the module synchronously. */
export declare function initSync(source: ArrayBuffer | ArrayBufferView | CompiledModule): void;

export declare const read: PreviewFunctions["read"];
export declare const validate: PreviewFunctions["validate"];
export declare const lintView: PreviewFunctions["lintView"];
export declare const countWords: PreviewFunctions["countWords"];
export declare const understand: PreviewFunctions["understand"];
export declare const previewCases: PreviewFunctions["previewCases"];
export declare const matchOutput: PreviewFunctions["matchOutput"];
export declare const version: PreviewFunctions["version"];
export declare const about: PreviewFunctions["about"];
export declare const completeness: PreviewFunctions["completeness"];
export declare const translate: PreviewFunctions["translate"];
