/** Fablegrade for the author's own page. It reads answer keys: never serve it to learners. */

export interface AuthorError {
  /** The violated rule, in kebab case. */
  readonly rule: string;
  readonly document: "spec" | "state" | "params" | "arguments";
  /** A JSON pointer into the spec; "" is all of it. */
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

/** Where the module comes from. */
export type ModuleSource = string | URL | Request | Response | BufferSource | WebAssembly.Module;

/** Loads the module: from beside this file, or from what is given. Before it, all functions answer `not-initialised`. */
export default function init(source?: ModuleSource | Promise<ModuleSource>): Promise<void>;
/** Loads the module at once. */
export declare function initSync(source: BufferSource | WebAssembly.Module): void;
