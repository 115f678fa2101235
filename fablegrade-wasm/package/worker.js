// The same functions in a worker, so typing never waits for them. Each call returns a promise.
import { failure } from "./arguments.js";
import { previewOver } from "./functions.js";

const NAMES = [
  "read", "validate", "completeness", "translate", "lintView", "countWords", "understand", "previewCases", "matchOutput", "version", "about",
];

/** Starts a worker of the package. */
function start() {
  try {
    return new Worker(new URL("./worker-thread.js", import.meta.url), { type: "module" });
  } catch (error) {
    throw new Error(
      `fablegrade-preview: the worker cannot be started: ${error.message}. Start "fablegrade-preview/worker-thread" yourself, under your ` +
        "page's own Trusted Types policy where it has one, and give it: connect({ worker }).",
    );
  }
}

/** Starts a worker (or uses the given one) and loads the module in it. */
export async function connect({ worker, source } = {}) {
  const thread = worker ?? start();
  const waiting = new Map();
  let last = 0;
  let ended;

  function end(error) {
    ended ??= error;
    for (const { settle } of waiting.values()) settle(gone());
    waiting.clear();
  }
  const gone = () => failure("worker-ended", "arguments", ended.message, "connect() again");
  thread.addEventListener("message", ({ data }) => {
    const call = waiting.get(data.id);
    if (call === undefined) return;
    waiting.delete(data.id);
    if (data.error === undefined) call.settle(data.value);
    else call.fail(new Error(data.error));
  });
  thread.addEventListener("error", (event) => {
    event.preventDefault?.();
    const reason = event.message || "its file did not arrive, or is not a module";
    end(
      new Error(
        `the worker could not be started: ${reason}. Keep the package whole (Vite in development: optimizeDeps: ` +
          '{ exclude: ["fablegrade-preview"] }), or start "fablegrade-preview/worker-thread" yourself: connect({ worker })',
      ),
    );
  });

  /** Calls a function in the worker. The promise resolves to the value, or to an error as a value. */
  function call(name, ...given) {
    if (ended !== undefined) return Promise.resolve(gone());
    last += 1;
    const id = last;
    return new Promise((settle) => {
      const fail = (error) => settle(failure("internal", "arguments", error.message, "please report the input that did this"));
      waiting.set(id, { settle, fail });
      try {
        thread.postMessage({ id, name, given });
      } catch {
        waiting.delete(id); // a function, for example, cannot be sent
        settle(failure("not-json", "arguments", "a value cannot be sent to the worker", "give a JSON text or plain data"));
      }
    });
  }

  const loaded = await call("init", source);
  if (loaded !== undefined) {
    thread.terminate();
    throw new Error(loaded.errors[0].message);
  }
  const functions = Object.fromEntries(NAMES.map((name) => [name, (...given) => call(name, ...given)]));

  return {
    ...functions,
    Preview: previewOver(functions, (value) => Promise.resolve(value)),
    terminate() {
      thread.terminate();
      end(new Error("the worker was ended"));
    },
  };
}
