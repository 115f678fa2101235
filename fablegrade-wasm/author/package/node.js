// In Node the module is read from disk: Node's fetch knows no files.
import { readFile } from "node:fs/promises";
import load from "./index.js";

/** As in a browser. */
export default async function init(source) {
  return load(source ?? (await readFile(new URL("./fablegrade_author_bg.wasm", import.meta.url))));
}

export * from "./index.js";
