// Runs in the worker: receives calls and sends back their values.
import init, * as preview from "./index.js";

self.addEventListener("message", async ({ data: { id, name, given } }) => {
  try {
    const value = name === "init" ? await init(...given) : preview[name](...given);
    self.postMessage({ id, value });
  } catch (error) {
    self.postMessage({ id, error: String(error?.message ?? error) });
  }
});
