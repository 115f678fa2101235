// fablegrade-author: deliver, lint and checkState, for the author's own page.
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

/** Calls with a document as a text; texts pass as they are, so that numbers keep every digit. */
function withText(spec, run, document = "spec") {
  if (ready === undefined) {
    return failure("not-initialised", "arguments", "the module is not loaded yet", "await init() first");
  }
  let text = spec;
  if (typeof spec !== "string") {
    try {
      text = JSON.stringify(spec);
    } catch {
      // A cycle or a BigInt: told below.
    }
  }
  if (typeof text !== "string") {
    return failure("not-json", document, "the value cannot be written as JSON", "give a JSON text or plain data");
  }
  try {
    return JSON.parse(run(text));
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
