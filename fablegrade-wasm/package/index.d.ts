/** Fablegrade in a learner's browser, on public data alone. Every function answers with a value; none throws. */

/** What a document may be given as: the JSON text (numbers keep every digit), or the value itself. */
export type Given<T> = string | T;

/** Which of the things that were handed over an error is about. */
export type GivenName = "view" | "submission" | "result" | "outcomes" | "content" | "latex" | "options" | "arguments";

/** A range of a text in UTF-16 code units, as `String.prototype.slice` takes it. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface PreviewError {
  /** The violated rule, in kebab case. */
  readonly rule: string;
  readonly document: GivenName;
  /** A JSON pointer into the document; "" is all of it. */
  readonly pointer: string;
  /** What is wrong. Never repeats a value of a document, but may quote a formula to the one who typed it. */
  readonly message: string;
  /** What to do. */
  readonly help?: string;
  /** In a formula: where. */
  readonly span?: Span;
  /** In a formula: what could have stood there. */
  readonly expected?: string;
}

export interface Failure {
  readonly ok: false;
  readonly errors: readonly PreviewError[];
}

export type Reply<T> = ({ readonly ok: true } & Readonly<T>) | Failure;

/** Any JSON. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Rich content of a host; a plain string is fine. */
export type Content = Json;

export interface Item {
  readonly id: string;
  readonly content: Content;
}

export type Language = "python" | "javascript" | "c" | "cpp" | "java" | "rust" | "go";
export type Matcher = "exact" | "trimmed_lines" | "tokens" | "json" | "float_tolerance";

export interface MultipleChoiceView {
  readonly type: "multiple_choice";
  readonly multipleSelect?: boolean;
  readonly shuffleChoices?: boolean;
  readonly partialCredit?: boolean;
  readonly choices: readonly Item[];
}

export interface Unit {
  readonly expected: string;
  readonly required?: boolean;
  readonly accepted?: readonly string[];
}

export interface NumericView {
  readonly type: "numeric";
  readonly integerOnly?: boolean;
  readonly unit?: Unit;
  readonly inputHint?: string;
}

export interface Domain {
  readonly min?: number;
  readonly max?: number;
  readonly exclude?: readonly number[];
  readonly integer?: boolean;
}

export interface Variable {
  readonly name: string;
  readonly domain?: Domain;
}

export interface ExpressionView {
  readonly type: "expression";
  readonly equivalence: "symbolic" | "numeric_sampling" | "literal";
  readonly variables?: readonly Variable[];
  readonly samplePoints?: number;
  readonly tolerance?: number;
  readonly allowedFunctions?: readonly string[];
  readonly forbidConstantAnswer?: boolean;
}

export interface Criterion {
  readonly criterion: string;
  readonly points: number;
  readonly description?: string;
}

export interface FreeTextView {
  readonly type: "free_text";
  readonly gradingMode: "self_assess" | "peer_review" | "reviewer";
  readonly minWords?: number;
  readonly maxWords?: number;
  readonly allowMath?: boolean;
  readonly rubric?: readonly Criterion[];
  readonly selfAssessChecklist?: readonly string[];
}

export interface Harness {
  readonly mode: "stdin_stdout" | "function";
  readonly functionName?: string;
}

export interface TestCase {
  readonly name?: string;
  readonly input: string;
  readonly expected: string;
  readonly matcher?: Matcher;
  readonly floatTolerance?: number;
  readonly points?: number;
  readonly timeoutMs?: number;
}

/** A hidden suite has a name and nothing else. */
export type SuiteView =
  | { readonly name: string; readonly visibility: "public"; readonly cases: readonly TestCase[] }
  | { readonly name: string; readonly visibility: "hidden"; readonly cases?: never };

export interface Limits {
  readonly timeMsPerCase?: number;
  readonly memoryMb?: number;
  readonly outputKb?: number;
  readonly sourceKb?: number;
}

export interface CodeView {
  readonly type: "code";
  readonly languages: readonly Language[];
  readonly starterCode?: { readonly [L in Language]?: string };
  readonly harness?: Harness;
  readonly testSuites: readonly SuiteView[];
  readonly limits: Limits;
}

export interface OrderingView {
  readonly type: "ordering";
  readonly prompt?: string;
  readonly items: readonly Item[];
  readonly partialCredit?: "none" | "adjacent_pairs" | "longest_subsequence";
}

export interface MatchingView {
  readonly type: "matching";
  readonly prompt?: string;
  readonly left: readonly Item[];
  readonly right: readonly Item[];
  readonly allowManyToOne?: boolean;
  readonly partialCredit?: boolean;
}

export interface WidgetView {
  readonly type: "widget";
  readonly widgetName: string;
  readonly widgetVersion: string;
  readonly params?: { readonly [key: string]: Json };
}

/** A question as a learner may see it. No key can be expressed in it. */
export type DeliveryView =
  | MultipleChoiceView
  | NumericView
  | ExpressionView
  | FreeTextView
  | CodeView
  | OrderingView
  | MatchingView
  | WidgetView;

export type QuestionType = DeliveryView["type"];

export interface Pair {
  readonly left: string;
  readonly right: string;
}

export interface MultipleChoiceSubmission {
  readonly type: "multiple_choice";
  readonly selectedChoiceIds: readonly string[];
}
export interface NumericSubmission {
  readonly type: "numeric";
  readonly value: number;
  readonly unit?: string;
}
export interface ExpressionSubmission {
  readonly type: "expression";
  readonly latex: string;
}
export interface FreeTextSubmission {
  readonly type: "free_text";
  readonly content: Content;
  readonly selfAssessment?: readonly boolean[];
}
export interface CodeSubmission {
  readonly type: "code";
  readonly language: Language;
  readonly source: string;
}
export interface OrderingSubmission {
  readonly type: "ordering";
  readonly order: readonly string[];
}
export interface MatchingSubmission {
  readonly type: "matching";
  readonly pairs: readonly Pair[];
}
export interface WidgetSubmission {
  readonly type: "widget";
  readonly state: { readonly [key: string]: Json };
}

/** What a learner sends. */
export type Submission =
  | MultipleChoiceSubmission
  | NumericSubmission
  | ExpressionSubmission
  | FreeTextSubmission
  | CodeSubmission
  | OrderingSubmission
  | MatchingSubmission
  | WidgetSubmission;

export type CaseVerdict =
  | "passed"
  | "failed"
  | "timeout"
  | "memory_exceeded"
  | "output_limit"
  | "runtime_error"
  | "compile_error"
  | "sandbox_error";

/** A judged case. */
export interface CodeResult {
  readonly suite: string;
  readonly caseIndex: number;
  readonly caseName?: string;
  readonly verdict: CaseVerdict;
  readonly timeMs?: number;
  readonly memoryKb?: number;
  readonly stderrExcerpt?: string;
  readonly diffExcerpt?: string;
}

export interface Feedback {
  readonly message: string;
  readonly severity?: "info" | "hint" | "error";
}

/** What comes back for an attempt. */
export interface AttemptResult {
  readonly attemptId: string;
  readonly verdict: "correct" | "partial" | "incorrect" | "pending" | "error";
  readonly score?: number;
  readonly scorePenaltyApplied?: number;
  readonly gradedBy: "auto" | "self" | "peer" | "reviewer";
  readonly gradedAt?: string;
  readonly feedback?: readonly Feedback[];
  readonly codeResults?: readonly CodeResult[];
}

/** The public documents by their names. */
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
  readonly timeMs?: number;
  readonly memoryKb?: number;
  readonly isolation?: string;
}

/** A finding of the linter. */
export interface Finding {
  readonly severity: "error" | "warning" | "info";
  readonly rule: string;
  readonly pointer: string;
  readonly message: string;
  readonly help: string;
}

/** A place where the reader chose between readings. */
export interface ReadingNote {
  readonly rule: string;
  readonly message: string;
  readonly span: Span;
}

/** A name that an answer to this question cannot use. */
export interface ReadingWarning {
  readonly rule: "symbol-not-listed" | "function-not-allowed";
  readonly name: string;
  readonly message: string;
}

/** How a formula was read. */
export interface Reading {
  /** The formula in normalised LaTeX: reading it again gives the same. */
  readonly latex: string;
  readonly notes: readonly ReadingNote[];
  /** Free variables, in their plain spelling. */
  readonly symbols: readonly string[];
  /** Known functions by their plain names. */
  readonly functions: readonly string[];
  /** Unknown functions that are called. */
  readonly calls: readonly string[];
  readonly warnings: readonly ReadingWarning[];
}

/** What a formula is read with: the question it answers, or names of one's own. */
export type ReadingOptions =
  | { readonly view: Given<ExpressionView>; readonly variables?: never; readonly functions?: never; readonly logBase?: never }
  | {
      readonly view?: undefined;
      /** Names of variables, as LaTeX or plainly: at most 40. */
      readonly variables?: readonly string[];
      /** Names of functions: `f(x+1)` is then a call and not a product. */
      readonly functions?: readonly string[];
      /** What `\log` without a base means (default "ten"). */
      readonly logBase?: "ten" | "natural";
    };

export interface JudgedCases {
  /** The cases that have an outcome, in the order of the view. */
  readonly cases: readonly CodeResult[];
  readonly passed: number;
  /** Number of public cases. */
  readonly total: number;
  readonly earned: number;
  /** What the public cases are worth. */
  readonly points: number;
}

export interface Comparison {
  readonly accept: boolean;
  /** Where the output first leaves what was expected, in words that hold no part of either. */
  readonly difference?: string;
  /** Under `float_tolerance`: the largest absolute error, exactly. */
  readonly largestError?: string;
}

/** Everything the package does. */
export interface PreviewFunctions {
  /** Reads a public document and gives it as canonical JSON. A view with a key in it is refused. */
  read<K extends keyof Documents>(kind: K, document: Given<Documents[K]>): Reply<{ json: string }>;
  /** Whether a submission can be graded for a view; its canonical JSON. */
  validate(view: Given<DeliveryView>, submission: Given<Submission>): Reply<{ json: string }>;
  /** What is wrong with a question as far as its view shows. */
  lintView(view: Given<DeliveryView>): Reply<{ findings: readonly Finding[] }>;
  /** Words as graders count them, and whether there is a formula. A string is a plain text. */
  countWords(content: Content): Reply<{ words: number; math: boolean }>;
  /** How a formula is read. */
  understand(latex: string, options?: ReadingOptions): Reply<Reading>;
  /** Judges public cases from their outcomes. Outcomes of hidden suites are refused. */
  previewCases(view: Given<CodeView>, outcomes: Given<readonly CaseOutcome[]>): Reply<JudgedCases>;
  /** Compares one output with what is expected. */
  matchOutput(
    matcher: Matcher,
    expected: string | Uint8Array,
    actual: string | Uint8Array,
    tolerance?: number | string,
  ): Reply<Comparison>;
  /** The version of the package; undefined before `init`. */
  version(): string | undefined;
}

/** A question as a learner may see it, checked once. */
export declare class Preview {
  private constructor();
  /** Checks a view. A document with a key in it is refused. */
  static open(view: Given<DeliveryView>): Preview | Failure;
  readonly ok: true;
  readonly type: QuestionType;
  readonly view: DeliveryView;
  /** The view as canonical JSON. */
  readonly json: string;
  check(submission: Given<Submission>): Reply<{ json: string }>;
  understand(latex: string): Reply<Reading>;
  previewCases(outcomes: Given<readonly CaseOutcome[]>): Reply<JudgedCases>;
  lint(): Reply<{ findings: readonly Finding[] }>;
  countWords(content: Content): Reply<{ words: number; math: boolean }>;
}

/** Where the module comes from. */
export type ModuleSource = string | URL | Request | Response | BufferSource | WebAssembly.Module;

/** Loads the module: from beside this file, or from what is given. Before it, every function answers `not-initialised`. */
export default function init(source?: ModuleSource | Promise<ModuleSource>): Promise<void>;
/** Loads the module at once. */
export declare function initSync(source: BufferSource | WebAssembly.Module): void;

export declare const read: PreviewFunctions["read"];
export declare const validate: PreviewFunctions["validate"];
export declare const lintView: PreviewFunctions["lintView"];
export declare const countWords: PreviewFunctions["countWords"];
export declare const understand: PreviewFunctions["understand"];
export declare const previewCases: PreviewFunctions["previewCases"];
export declare const matchOutput: PreviewFunctions["matchOutput"];
export declare const version: PreviewFunctions["version"];
