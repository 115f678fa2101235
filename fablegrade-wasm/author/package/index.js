// fablegrade-author: deliver, lint, grade, checkState and own validators, for the author's own page.
import load, * as module from "./fablegrade_author.js";

let loading;
let ready;

const start = () => {
  ready = module;
};

/** Loads the module: from beside this file, or from what is given. Later calls give the first one's promise. */
export default function init(source) {
  loading ??= load({ module_or_path: source ?? new URL("./fablegrade_author_bg.wasm", import.meta.url) }).then(start, (error) => {
    loading = undefined; // the next call may try again
    throw error;
  });
  return loading;
}

/** Loads the module from bytes or a compiled module, at once. */
export function initSync(source) {
  if (ready === undefined) {
    module.initSync({ module: source });
    start();
    loading = Promise.resolve();
  }
}

function failure(rule, document, message, help) {
  return { ok: false, errors: [{ rule, document, pointer: "", message, help }] };
}

/** A document as a text; texts pass as they are, so that numbers keep every digit. Undefined where there is none. */
function textOf(document) {
  if (typeof document === "string") return document;
  try {
    return JSON.stringify(document);
  } catch {
    return undefined; // a cycle or a BigInt
  }
}

/** Calls with documents as texts. */
function withText(given, run, document = "spec", ...more) {
  if (ready === undefined) {
    return failure("not-initialised", "arguments", "the module is not loaded yet", "await init() first");
  }
  const texts = [];
  for (const [value, name] of [[given, document], ...more]) {
    const text = textOf(value);
    if (typeof text !== "string") {
      return failure("not-json", name, "the value cannot be written as JSON", "give a JSON text or plain data");
    }
    texts.push(text);
  }
  try {
    return JSON.parse(run(...texts));
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) {
      return failure("internal", "arguments", "the module stopped", "please report the input that did this");
    }
    throw error;
  }
}

/** The view that a learner gets, shuffled under a seed. */
export function deliver(spec, seed) {
  const answer = withText(spec, (text) => ready.deliver(text, String(seed)));
  return answer.ok ? { ...answer, view: JSON.parse(answer.json) } : answer;
}

/** What is wrong with a spec, the most severe first. */
export function lint(spec) {
  return withText(spec, (text) => ready.lint(text));
}

/** Whether a state of a standard validator can be read, without its key: `said` is what the learner would be told. */
export function checkState(validator, state, params) {
  let given = "";
  if (params !== undefined && params !== null) {
    given = typeof params === "string" ? params : JSON.stringify(params);
  }
  return withText(state, (text) => ready.checkState(String(validator), given, text), "state");
}

/** Grades an answer as a server would, to try a question out. `more` may have `outcomes` and `context`. */
export function grade(spec, submission, more = {}) {
  const { outcomes, context } = more;
  const rest = [["submission", submission], ["outcomes", outcomes], ["context", context]].map(([name, value]) => [value ?? "", name]);
  const answer = withText(spec, (text, ...texts) => ready.grade(text, texts[0], "", texts[1], texts[2]), "spec", ...rest);
  return answer.ok ? { ...answer, result: JSON.parse(answer.json) } : answer;
}

/** What a validator gives back, as the module reads it. */
function judgement(given) {
  const judged = typeof given === "object" && given !== null ? given : { score: given };
  if (judged.unreadable !== undefined) return { unreadable: judged.unreadable };
  const messages = [...(judged.messages ?? [])].map((told) => (String(told).startsWith("/") ? { configured: told } : told));
  const score = typeof judged.score === "boolean" ? Number(judged.score) : judged.score;
  return { score, messages, steps: [...(judged.steps ?? [])] };
}

/** Registers a validator of widgets: a function of the configuration and the state, or an object with `judge`. */
export function registerValidator(name, validator, { sentences = validator?.sentences ?? {}, check = validator?.check } = {}) {
  const judge = typeof validator === "function" ? validator : validator?.judge;
  if (typeof judge !== "function") {
    return failure("not-a-function", "arguments", "a validator is a function, or has a method `judge`", "give a function");
  }
  const answer = (request) => {
    const asked = JSON.parse(request);
    if ("state" in asked) return JSON.stringify(judgement(judge.call(validator, asked.config, asked.state)));
    return JSON.stringify({ findings: [...(check?.call(validator, asked.config) ?? [])] });
  };
  const told = Object.entries(sentences).map(([code, text]) => ({ code, text }));
  return withText(told, (text) => ready.registerValidator(String(name), answer, text), "sentences");
}
