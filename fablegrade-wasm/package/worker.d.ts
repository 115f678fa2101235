import type {
  CaseOutcome, Content, DeliveryView, Failure, Finding, Given, JudgedCases, ModuleSource, PreviewFunctions, QuestionType,
  Reading, Reply, Submission,
} from "./index.js";

/** The functions of the package; each call gives a promise. Code that awaits works with either. */
export type RemoteFunctions = {
  readonly [Name in keyof PreviewFunctions]: (
    ...given: Parameters<PreviewFunctions[Name]>
  ) => Promise<ReturnType<PreviewFunctions[Name]>>;
};

/** As `Preview`, in a worker. */
export interface RemotePreview {
  readonly ok: true;
  readonly type: QuestionType;
  readonly view: DeliveryView;
  readonly json: string;
  check(submission: Given<Submission>): Promise<Reply<{ json: string }>>;
  understand(latex: string): Promise<Reply<Reading>>;
  previewCases(outcomes: Given<readonly CaseOutcome[]>): Promise<Reply<JudgedCases>>;
  lint(): Promise<Reply<{ findings: readonly Finding[] }>>;
  countWords(content: Content): Promise<Reply<{ words: number; math: boolean }>>;
}

export interface PreviewWorker extends RemoteFunctions {
  readonly Preview: { open(view: Given<DeliveryView>): Promise<RemotePreview | Failure> };
  /** Ends the worker; what is waiting is rejected. */
  terminate(): void;
}

/** Starts a worker (or takes one) and loads the module in it. Rejected when either fails. */
export function connect(options?: { worker?: Worker; source?: ModuleSource }): Promise<PreviewWorker>;
