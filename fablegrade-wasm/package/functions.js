// Texts in, texts out becomes values in, values out. Shared by the page's side and the worker's.

/** An error as a value. */
function failure(rule, document, message, help) {
  return { ok: false, errors: [{ rule, document, pointer: "", message, help }] };
}

/** The JSON text of a document: texts pass as they are, so that numbers keep every digit. */
function textOf(value, document) {
  if (typeof value === "string") return { ok: true, text: value };
  try {
    const text = JSON.stringify(value);
    if (typeof text === "string") return { ok: true, text };
  } catch {
    // A cycle or a BigInt: told below.
  }
  return failure("not-json", document, "the value cannot be written as JSON", "give a JSON text or plain data");
}

const encoder = new TextEncoder();

/** The bytes of an output. */
function bytesOf(value) {
  return value instanceof Uint8Array ? value : encoder.encode(String(value));
}

/**
 * The package's functions over a loaded module.
 * `raw()` gives the module's exports, or undefined before `init`.
 */
export function bind(raw) {
  function call(run) {
    const module = raw();
    if (module === undefined) {
      return failure("not-initialised", "arguments", "the module is not loaded yet", "await init() first");
    }
    try {
      return JSON.parse(run(module));
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) {
        return failure("internal", "arguments", "the module stopped", "please report the input that did this");
      }
      throw error;
    }
  }

  /** Calls with documents as texts, unless one of them is none. */
  function withTexts(values, run) {
    const texts = [];
    for (const [document, value] of values) {
      const text = textOf(value, document);
      if (!text.ok) return text;
      texts.push(text.text);
    }
    return call((module) => run(module, ...texts));
  }

  const functions = {
    read(kind, document) {
      const name = { DeliveryView: "view", Submission: "submission", AttemptResult: "result" }[kind] ?? "arguments";
      return withTexts([[name, document]], (module, text) => module.read(String(kind), text));
    },
    validate(view, submission) {
      return withTexts([["view", view], ["submission", submission]], (module, a, b) => module.validate(a, b));
    },
    lintView(view) {
      return withTexts([["view", view]], (module, text) => module.lintView(text));
    },
    countWords(content) {
      // A plain string is content of its own, not a JSON text.
      const json = typeof content === "string" ? JSON.stringify(content) : content;
      return withTexts([["content", json]], (module, text) => module.countWords(text));
    },
    understand(latex, options = {}) {
      const { view, ...names } = options ?? {};
      if (view === undefined) {
        return withTexts([["options", names]], (module, text) => module.understand(String(latex), text, ""));
      }
      return withTexts([["view", view]], (module, text) => module.understand(String(latex), "{}", text));
    },
    previewCases(view, outcomes) {
      return withTexts([["view", view], ["outcomes", outcomes]], (module, a, b) => module.previewCases(a, b));
    },
    matchOutput(matcher, expected, actual, tolerance) {
      const text = tolerance === undefined || tolerance === null ? "" : String(tolerance);
      return call((module) => module.matchOutput(String(matcher), bytesOf(expected), bytesOf(actual), text));
    },
    version() {
      return raw()?.version();
    },
  };

  return { ...functions, Preview: previewOver(functions) };
}

/** Goes on with a value, or with what a promise will give. */
const after = (value, use) => (value instanceof Promise ? value.then(use) : use(value));

/** The class `Preview` over the functions, be they here or in a worker. */
export function previewOver(functions) {
  return class Preview {
    #json;

    constructor(json) {
      this.ok = true;
      this.#json = json;
      this.view = JSON.parse(json);
      this.type = this.view.type;
      Object.freeze(this);
    }

    /** Checks a view. A document with a key in it is refused: `{ ok: false, errors }`. */
    static open(view) {
      return after(functions.read("DeliveryView", view), (read) => (read.ok ? new Preview(read.json) : read));
    }

    /** The view as canonical JSON. */
    get json() {
      return this.#json;
    }

    check(submission) {
      return functions.validate(this.#json, submission);
    }

    understand(latex) {
      return functions.understand(latex, { view: this.#json });
    }

    previewCases(outcomes) {
      return functions.previewCases(this.#json, outcomes);
    }

    lint() {
      return functions.lintView(this.#json);
    }

    countWords(content) {
      return functions.countWords(content);
    }
  };
}
