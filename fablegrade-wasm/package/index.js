// fablegrade-preview: Fablegrade in a learner's browser, on public data only.
import load, * as module from "./fablegrade_preview.js";
import { bind } from "./functions.js";
import { loader } from "./loading.js";

let ready;

const { init, initSync } = loader("fablegrade-preview", {
  load,
  loadSync: module.initSync,
  address: () => new URL("./fablegrade_preview_bg.wasm", import.meta.url),
  start() {
    // Engines compile a function at its first call. This call compiles the reader now, not at the first key press.
    module.understand("\\frac{x^{2}}{2}+\\sin\\left(y\\right)", "{}", "", "");
    ready = module;
  },
});

export default init;
export { initSync };
export const {
  read, validate, completeness, translate, lintView, countWords, understand, previewCases, matchOutput, version, about, Preview,
} = bind(() => ready);
