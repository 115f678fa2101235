// In Node, the module is read from disk, because Node's fetch does not support files.
import { readFile } from "node:fs/promises";
import load from "./index.js";

const beside = () =>
  readFile(new URL("./fablegrade_author_bg.wasm", import.meta.url)).catch((error) => {
    throw new Error(
      `fablegrade-author: ${error.message}. A bundle keeps the module outside: import "fablegrade-author/inline", or give the bytes ` +
        'of "fablegrade-author/fablegrade_author_bg.wasm" to initSync().',
    );
  });

/** Works as in a browser. */
export default function init(source) {
  return load(source ?? beside());
}

export * from "./index.js";
