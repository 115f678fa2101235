// The same functions in a worker, so that typing never waits for them. Each call gives a promise.
import { previewOver } from "./functions.js";

const NAMES = ["read", "validate", "lintView", "countWords", "understand", "previewCases", "matchOutput", "version"];

/** Starts a worker and loads the module in it. */
export async function connect({ worker, source } = {}) {
  const thread = worker ?? new Worker(new URL("./worker-thread.js", import.meta.url), { type: "module" });
  const waiting = new Map();
  let last = 0;
  let ended;

  function end(error) {
    ended = error;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  }
  thread.addEventListener("message", ({ data }) => {
    const call = waiting.get(data.id);
    if (call === undefined) return;
    waiting.delete(data.id);
    if (data.error === undefined) call.resolve(data.value);
    else call.reject(new Error(data.error));
  });
  thread.addEventListener("error", (event) => end(new Error(event.message || "the worker could not be started")));

  function call(name, ...given) {
    if (ended !== undefined) return Promise.reject(ended);
    last += 1;
    const id = last;
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      try {
        thread.postMessage({ id, name, given });
      } catch (error) {
        waiting.delete(id); // a value that cannot be cloned, such as a function
        reject(error);
      }
    });
  }

  await call("init", source);
  const functions = Object.fromEntries(NAMES.map((name) => [name, (...given) => call(name, ...given)]));

  return {
    ...functions,
    Preview: previewOver(functions),
    terminate() {
      thread.terminate();
      end(new Error("the worker was ended"));
    },
  };
}
