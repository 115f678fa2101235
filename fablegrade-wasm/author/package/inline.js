// The module as a text inside the program: for bundles of one file, and where no other file can be fetched. A third larger.
import { initSync } from "./index.js";
import { module } from "./module-text.js";

/** As of the package; nothing is fetched. */
export default async function init() {
  initSync(Uint8Array.from(atob(module), (character) => character.charCodeAt(0)));
}

export * from "./index.js";
