// In Node, the module is read from disk, because Node's fetch does not support files.
import { readFile } from "node:fs/promises";
import load from "./index.js";

const beside = () =>
  readFile(new URL("./fablegrade_preview_bg.wasm", import.meta.url)).catch((error) => {
    throw new Error(
      `fablegrade-preview: ${error.message}. A bundle keeps the module outside: import "fablegrade-preview/inline", or give the bytes ` +
        'of "fablegrade-preview/fablegrade_preview_bg.wasm" to initSync().',
    );
  });

/** Works as in a browser. */
export default function init(source) {
  return load(source ?? beside());
}

export * from "./index.js";
