// Embeds the module as text, for single-file bundles and for pages that cannot fetch files. It is a third larger.
import { initSync } from "./index.js";
import { module } from "./module-text.js";

/** Works like `init` of the package, without fetching anything. */
export default async function init() {
  initSync(Uint8Array.from(atob(module), (character) => character.charCodeAt(0)));
}

export * from "./index.js";
