/**
 * Fablegrade for the author's own page. It reads answer keys, so never serve it to learners. Apart from `init` and
 * `initSync`, no function throws.
 */

import type { AttemptResult, DeliveryView, MessageCode, Severity, Submission } from "./documents.js";
import type { AnswerSpec, SpecRule } from "./specs.js";

export type * from "./documents.js";
export type * from "./specs.js";

/** Rules about the arguments of a call. */
export type CallRule =
  | "not-initialised" | "not-a-text" | "not-json" | "invalid-utf8" | "too-large" | "wrong-type" | "unknown-locale" | "name-form"
  | "not-a-function" | "not-readable" | "internal";

export interface AuthorError {
  /** The violated rule, in kebab case. */
  readonly rule: SpecRule | CallRule;
  readonly document:
    | "options" | "spec" | "state" | "params" | "submission" | "attempt" | "outcomes" | "context" | "messages" | "arguments";
  /** A JSON pointer into the document; "" is the whole document. */
  readonly pointer: string;
  readonly message: string;
  /** The remedy. */
  readonly help: string;
}

export interface Failure {
  readonly ok: false;
  readonly errors: readonly AuthorError[];
}

export type Reply<T> = ({ readonly ok: true } & Readonly<T>) | Failure;

/** A finding of the linter. Every rule has an entry in docs/lint.md. */
export interface Finding {
  readonly severity: Severity;
  readonly rule: SpecRule;
  readonly pointer: string;
  readonly message: string;
  readonly help: string;
}

/** A document: its JSON text or the text's bytes in UTF-8 (numbers keep every digit), or the value itself. */
export type Given<T> = string | ArrayBuffer | ArrayBufferView | T;

/** A spec, as defined by schemas/AnswerSpec.json. */
export type GivenSpec = Given<AnswerSpec>;

/** The type of a spec's view. */
export type ViewOf<S> = S extends { readonly type: infer T } ? Extract<DeliveryView, { readonly type: T }> : DeliveryView;

/** The languages that come with the package; a tag such as `de-AT` is read by its language. */
export type Locale = "en" | "de" | `en-${string}` | `de-${string}`;

/** The build. */
export interface About {
  readonly version: string;
  /** The version of the grading semantics, raised whenever a verdict or a score can change; store it with results. */
  readonly gradingSemantics: number;
  /** The languages of messages. */
  readonly locales: readonly string[];
  /** The standard validators of widgets. */
  readonly validators: readonly string[];
}

/** Returns the version of the package; undefined before `init`. */
export declare function version(): string | undefined;
/** Returns the build; undefined before `init`. */
export declare function about(): About | undefined;

/**
 * Returns the view that a learner gets, shuffled by a seed: the same seed gives the same view. `json` is its canonical
 * text, `view` its value; `fablegrade-preview` accepts either.
 */
export declare function deliver<const S extends GivenSpec>(spec: S, seed: string | number | bigint): Reply<{ json: string; view: ViewOf<S> }>;

/** Returns the defects of a spec, the most severe first. If the text is not a spec, the findings are its errors. */
export declare function lint(spec: GivenSpec): Reply<{ findings: readonly Finding[] }>;

/** The reason why a state cannot be read: a sentence for the learner and, if any, the blank that it is about. */
export interface Said {
  readonly code: MessageCode;
  readonly text: string;
  readonly blank?: string;
}

/**
 * Checks whether a standard validator (`short_text`, `number_text`, ...) can read a state, without its key. `params`
 * are the public parameters of the widget: `decimal` and `grouping` for numbers, and for `blanks` a map `blanks` from
 * the id of each blank to its `validator` and `params`. An unknown validator accepts every state.
 */
export declare function checkState(
  validator: string,
  state: string | { readonly [field: string]: unknown },
  params?: string | { readonly [field: string]: unknown } | null,
  options?: { readonly locale?: Locale },
): Reply<{ said?: Said }>;

/**
 * Grades an answer as a server would, to test a question. `json` is the result's canonical text, `result` its value.
 * `outcomes` are the outcomes of executed cases; `context` can have `gradedAt` and `hints`.
 */
export declare function grade(
  spec: GivenSpec,
  submission: Given<Submission>,
  more?: {
    readonly outcomes?: Given<readonly unknown[]>;
    readonly context?: Given<{ readonly [field: string]: unknown }>;
    /** The language of feedback (default "en"). If given, it replaces a locale of `context`. */
    readonly locale?: Locale;
  },
): Reply<{ json: string; result: AttemptResult }>;

/** A validator's decision about a state. */
export interface Judgement {
  /** The score from 0 to 1; a fraction as text (`"1/3"`) is exact. */
  readonly score?: number | string | boolean;
  /** Codes of declared messages, or JSON pointers (with a leading `/`) to fields `message` of the configuration. */
  readonly messages?: Iterable<string>;
  /** The code of the message that explains why the state cannot be read. Then there is no score. */
  readonly unreadable?: string;
  /** Steps for the author's explanation. */
  readonly steps?: Iterable<{ readonly [field: string]: unknown }>;
}

/** A defect of a configuration: the code of a declared message, and the location. */
export interface ConfigFinding {
  readonly code: string;
  readonly pointer?: string;
  readonly severity?: "error" | "warning" | "info";
}

/** A function of the configuration (null if there is none) and the state. */
export type Judge = (config: any, state: any) => number | string | boolean | Judgement;

/** Every message that the validator can use, by code, and a function that checks a configuration. */
export interface ValidatorOptions {
  readonly messages?: { readonly [code: string]: string };
  readonly check?: (config: any) => Iterable<ConfigFinding>;
}

/**
 * Registers a validator for widgets in this page, and replaces any with the same name. `lint` and `grade` use it from
 * then on. If it throws, or returns something that is not a judgement, the verdict is `error`.
 */
export declare function registerValidator(
  name: string,
  validator: Judge | ({ judge: Judge } & ValidatorOptions),
  options?: ValidatorOptions,
): Reply<{}>;

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
