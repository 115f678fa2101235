// fablegrade-preview: Fablegrade in a learner's browser, on public data alone.
import load, * as module from "./fablegrade_preview.js";
import { bind } from "./functions.js";

let loading;
let ready;

/** Engines compile a function at its first call: that of the reader belongs to loading, not to the first key press. */
function start() {
  module.understand("\\frac{x^{2}}{2}+\\sin\\left(y\\right)", "{}", "");
  ready = module;
}

/** Loads the module: from beside this file, or from what is given. Later calls give the first one's promise. */
export default function init(source) {
  loading ??= load({ module_or_path: source ?? new URL("./fablegrade_preview_bg.wasm", import.meta.url) }).then(start, (error) => {
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

export const { read, validate, lintView, countWords, understand, previewCases, matchOutput, version, Preview } = bind(
  () => ready,
);
