// Converts values to the texts that the module takes, and its replies to values, both in the page and in a worker.
import { answered, failure, jsonOf, localeOf, optionsOf, outputOf, textOf } from "./arguments.js";
import { nameOf } from "./loading.js";

const DOCUMENTS = { DeliveryView: "view", Submission: "submission", AttemptResult: "result" };

/** Returns the error about the first invalid argument, or undefined. */
const failed = (...readings) => readings.find((reading) => !reading.ok);

/**
 * Returns the package's functions over a loaded module.
 * `raw()` returns the module's exports, or undefined before `init`.
 */
export function bind(raw) {
  /** Calls `run` with the module; `run` returns a JSON text, or an error as a value. */
  function call(run) {
    return answered(() => {
      const module = raw();
      if (module === undefined) {
        return failure("not-initialised", "arguments", "the module is not loaded yet", "await init() first");
      }
      const reply = run(module);
      return typeof reply === "string" ? JSON.parse(reply) : reply;
    });
  }

  /** Calls `run` with the module, the documents as texts, and the language in the options. */
  const withDocuments = (documents, given, run) =>
    call((module) => {
      const texts = documents.map(([name, value]) => jsonOf(value, name));
      const options = optionsOf(given);
      const locale = options.ok ? localeOf(options.options) : options;
      return failed(...texts, locale) ?? run(module, ...texts.map(({ text }) => text), locale.text);
    });

  const functions = {
    read(kind, document) {
      return call((module) => {
        const word = textOf(kind, "arguments", "/kind", "give `DeliveryView`, `Submission` or `AttemptResult`");
        const text = word.ok ? jsonOf(document, DOCUMENTS[kind] ?? "arguments") : word;
        return failed(word, text) ?? module.read(kind, text.text);
      });
    },
    validate(view, submission, options) {
      return withDocuments([["view", view], ["submission", submission]], options, (module, ...given) => module.validate(...given));
    },
    completeness(view, submission, options) {
      return withDocuments([["view", view], ["submission", submission]], options, (module, ...given) => module.completeness(...given));
    },
    translate(result, locale) {
      return withDocuments([["result", result]], { locale: locale ?? "en" }, (module, ...given) => module.translate(...given));
    },
    lintView(view) {
      return withDocuments([["view", view]], undefined, (module, text) => module.lintView(text));
    },
    countWords(content) {
      return call((module) => {
        // A plain string is itself content, not a JSON text.
        const text = jsonOf(typeof content === "string" ? [content] : content, "content");
        return failed(text) ?? module.countWords(typeof content === "string" ? text.text.slice(1, -1) : text.text);
      });
    },
    understand(latex, given) {
      return call((module) => {
        const formula = textOf(latex, "latex", "", "give the LaTeX as a string", 20_000);
        const options = optionsOf(given);
        if (!formula.ok || !options.ok) return failed(formula, options);
        const { view, locale, ...names } = options.options;
        const tag = localeOf({ locale });
        const text = view === undefined ? jsonOf(names, "options") : jsonOf(view, "view");
        if (!tag.ok || !text.ok) return failed(tag, text);
        return view === undefined
          ? module.understand(latex, text.text, "", tag.text)
          : module.understand(latex, "{}", text.text, tag.text);
      });
    },
    previewCases(view, outcomes) {
      return withDocuments([["view", view], ["outcomes", outcomes]], undefined, (module, a, b) => module.previewCases(a, b));
    },
    matchOutput(matcher, expected, actual, tolerance) {
      return call((module) => {
        const word = textOf(matcher, "arguments", "/matcher", "give the name of a matcher");
        const left = outputOf(expected, "/expected");
        const right = outputOf(actual, "/actual");
        if (!word.ok || !left.ok || !right.ok) return failed(word, left, right);
        if (!["undefined", "number", "string"].includes(typeof (tolerance ?? undefined))) {
          const message = `a number is needed, not ${nameOf(tolerance)}`;
          return failure("wrong-type", "arguments", message, "give a number or its text", "/tolerance");
        }
        return module.matchOutput(matcher, left.bytes, right.bytes, String(tolerance ?? ""));
      });
    },
    version() {
      return raw()?.version();
    },
    about() {
      const module = raw();
      return module === undefined ? undefined : JSON.parse(module.about());
    },
  };

  return { ...functions, Preview: previewOver(functions) };
}

/** Applies `use` to a value, or to the value of a promise when it is resolved. */
const after = (value, use) => (value instanceof Promise ? value.then(use) : use(value));

/**
 * Makes the class `Preview` over the functions, which run in this thread or in a worker. `settled` makes their kind of reply of a
 * value: in a worker, a promise.
 */
export function previewOver(functions, settled = (value) => value) {
  return class Preview {
    #json;
    #locale;

    constructor(json, locale) {
      this.ok = true;
      this.#json = json;
      this.#locale = { locale };
      this.view = JSON.parse(json);
      this.type = this.view.type;
      Object.freeze(this);
    }

    /** Checks a view. A document that contains a key is refused: `{ ok: false, errors }`. */
    static open(view, options) {
      const given = answered(() => {
        const read = optionsOf(options);
        const locale = read.ok ? localeOf(read.options) : read;
        return locale.ok ? { ok: true, locale: read.options.locale ?? undefined } : locale;
      });
      if (!given.ok) return settled(given);
      return after(functions.read("DeliveryView", view), (read) => {
        if (!read.ok || given.locale === undefined) return read.ok ? new Preview(read.json) : read;
        // Reports an unknown language now, not at the first answer.
        const known = functions.understand("x", { locale: given.locale });
        return after(known, (reply) => (reply.ok ? new Preview(read.json, given.locale) : reply));
      });
    }

    /** The view as canonical JSON. */
    get json() {
      return this.#json;
    }

    check(submission) {
      return functions.validate(this.#json, submission, this.#locale);
    }

    completeness(submission) {
      return functions.completeness(this.#json, submission, this.#locale);
    }

    understand(latex) {
      return functions.understand(latex, { view: this.#json, ...this.#locale });
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
