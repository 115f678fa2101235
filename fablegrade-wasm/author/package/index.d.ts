/** Fablegrade for the author's own page. It reads answer keys: never serve it to learners. */

export interface AuthorError {
  /** The violated rule, in kebab case. */
  readonly rule: string;
  readonly document:
    | "spec" | "state" | "params" | "submission" | "attempt" | "outcomes" | "context" | "sentences" | "arguments";
  /** A JSON pointer into the document; "" is all of it. */
  readonly pointer: string;
  readonly message: string;
  /** What to do. */
  readonly help: string;
}

export interface Failure {
  readonly ok: false;
  readonly errors: readonly AuthorError[];
}

export type Reply<T> = ({ readonly ok: true } & Readonly<T>) | Failure;

/** A finding of the linter. Every rule has an entry in docs/lint.md. */
export interface Finding {
  readonly severity: "error" | "warning" | "info";
  readonly rule: string;
  readonly pointer: string;
  readonly message: string;
  readonly help: string;
}

/** A spec: its JSON text (numbers keep every digit), or the value. schemas/AnswerSpec.json has its form. */
export type GivenSpec = string | { readonly type: string; readonly [field: string]: unknown };

/**
 * The view that a learner gets, shuffled under a seed: the same seed gives the same view. `json` is its canonical text,
 * `view` the value; both go to `fablegrade-preview`.
 */
export declare function deliver(
  spec: GivenSpec,
  seed: string,
): Reply<{ json: string; view: { readonly type: string; readonly [field: string]: unknown } }>;

/** What is wrong with a spec, the most severe first. A text that is no spec has findings too. */
export declare function lint(spec: GivenSpec): Reply<{ findings: readonly Finding[] }>;

/** What is wrong with the form of a state: a sentence for the learner, and the blank it is about. */
export interface Said {
  readonly code: string;
  readonly text: string;
  readonly blank?: string;
}

/**
 * Whether a state of a standard validator (`short_text`, `number_text`, ...) can be read, without its key. `params` are
 * the public parameters of the widget: `decimal` and `grouping` of numbers; for `blanks` the `validator` of each.
 */
export declare function checkState(
  validator: string,
  state: string | { readonly [field: string]: unknown },
  params?: string | { readonly [field: string]: unknown } | null,
): Reply<{ said?: Said }>;

/**
 * Grades an answer as a server would, to try a question out. `json` is the result's canonical text, `result` the value;
 * `outcomes` are those of programs that were run, `context` has `gradedAt` and `hints`.
 */
export declare function grade(
  spec: GivenSpec,
  submission: string | { readonly type: string; readonly [field: string]: unknown },
  more?: { readonly outcomes?: string | readonly unknown[]; readonly context?: string | { readonly [field: string]: unknown } },
): Reply<{ json: string; result: { readonly verdict: string; readonly score: number | null; readonly [field: string]: unknown } }>;

/** What a validator decides about a state. */
export interface Judgement {
  /** In 0..1; a fraction as text (`"1/3"`) is exact. */
  readonly score?: number | string | boolean;
  /** Codes of declared sentences, or JSON pointers (with a leading `/`) to fields `message` of the configuration. */
  readonly messages?: Iterable<string>;
  /** The code of the sentence that tells why the state cannot be read; then there is no score. */
  readonly unreadable?: string;
  /** For the author's explanation. */
  readonly steps?: Iterable<{ readonly [field: string]: unknown }>;
}

/** What is wrong with a configuration: the code of a declared sentence, and the place. */
export interface ConfigFinding {
  readonly code: string;
  readonly pointer?: string;
  readonly severity?: "error" | "warning" | "info";
}

/** A function of the configuration (null without one) and the state. */
export type Judge = (config: any, state: any) => number | string | boolean | Judgement;

/** All that learners can be told, by code; and the check of a configuration, asked once for each question. */
export interface ValidatorOptions {
  readonly sentences?: { readonly [code: string]: string };
  readonly check?: (config: any) => Iterable<ConfigFinding>;
}

/**
 * Registers a validator of widgets in this page; one of the same name is replaced. `lint` and `grade` use it from then on.
 * What it throws, and every answer that is no judgement, gives verdict `error`.
 */
export declare function registerValidator(
  name: string,
  validator: Judge | ({ judge: Judge } & ValidatorOptions),
  options?: ValidatorOptions,
): Reply<{}>;

/** Where the module comes from. */
export type ModuleSource = string | URL | Request | Response | BufferSource | WebAssembly.Module;

/** Loads the module: from beside this file, or from what is given. Before it, all functions answer `not-initialised`. */
export default function init(source?: ModuleSource | Promise<ModuleSource>): Promise<void>;
/** Loads the module at once. */
export declare function initSync(source: BufferSource | WebAssembly.Module): void;
