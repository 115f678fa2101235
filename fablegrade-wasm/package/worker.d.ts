import type {
  CaseOutcome, Content, DeliveryView, Failure, Finding, Given, InLanguage, JudgedCases, ModuleSource, PreviewFunctions, QuestionType,
  Reading, Remark, Reply, SubmissionOf,
} from "./index.js";

/**
 * The functions of the package. Each call returns a promise that is never rejected. Code with `await` works with and
 * without a worker.
 */
export type RemoteFunctions = {
  readonly [Name in Exclude<keyof PreviewFunctions, "version" | "about">]: (
    ...given: Parameters<PreviewFunctions[Name]>
  ) => Promise<ReturnType<PreviewFunctions[Name]>>;
} & {
  /** Returns a failure if the worker has ended. */
  version(): Promise<string | Failure>;
  about(): Promise<NonNullable<ReturnType<PreviewFunctions["about"]>> | Failure>;
};

/** A `Preview` in a worker. */
export interface RemotePreview<V extends DeliveryView = DeliveryView> {
  readonly ok: true;
  readonly type: V["type"];
  readonly view: V;
  readonly json: string;
  check(submission: Given<SubmissionOf<V>>): Promise<Reply<{ json: string }>>;
  completeness(submission: Given<SubmissionOf<V>>): Promise<Reply<{ remarks: readonly Remark[] }>>;
  understand(latex: string): Promise<Reply<Reading>>;
  previewCases(outcomes: Given<readonly CaseOutcome[]>): Promise<Reply<JudgedCases>>;
  lint(): Promise<Reply<{ findings: readonly Finding[] }>>;
  countWords(content: Content): Promise<Reply<{ words: number; math: boolean }>>;
}

/** A preview of any type: `preview.type === "numeric"` narrows it. */
export type AnyRemotePreview = { [T in QuestionType]: RemotePreview<Extract<DeliveryView, { readonly type: T }>> }[QuestionType];

export type PreviewWorker = RemoteFunctions & {
  readonly Preview: {
    open<V extends DeliveryView>(view: V, options?: InLanguage): Promise<RemotePreview<V> | Failure>;
    open(view: Given<DeliveryView>, options?: InLanguage): Promise<AnyRemotePreview | Failure>;
  };
  /** Ends the worker; pending calls get a failure. */
  terminate(): void;
};

/** A worker as the platform provides it. */
export interface WorkerLike {
  postMessage(message: unknown): void;
  addEventListener(type: "message" | "error", listener: (event: any) => void): void;
  terminate(): void;
}

/**
 * Starts a worker, or uses one that runs `fablegrade-preview/worker-thread`, and loads the module in it. The promise is
 * rejected if this fails.
 */
export function connect(options?: { worker?: WorkerLike; source?: ModuleSource }): Promise<PreviewWorker>;
