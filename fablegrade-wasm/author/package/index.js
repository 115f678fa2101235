// fablegrade-author: deliver, lint, grade, checkState and custom validators, for the author's own page.
import load, * as module from "./fablegrade_author.js";
import { answered, failure, jsonOf, localeOf, optionsOf, textOf } from "./arguments.js";
import { contextOf } from "./context.js";
import { loader, nameOf } from "./loading.js";

let ready;

const { init, initSync } = loader("fablegrade-author", {
  load,
  loadSync: module.initSync,
  address: () => new URL("./fablegrade_author_bg.wasm", import.meta.url),
  start() {
    ready = module;
  },
});

export default init;
export { initSync };

/** Calls `run` with the texts of the arguments, or returns the error about the first invalid one. */
function call(readings, run) {
  return answered(() => {
    if (ready === undefined) {
      return failure("not-initialised", "arguments", "the module is not loaded yet", "await init() first");
    }
    const read = readings();
    return read.find((reading) => !reading.ok) ?? JSON.parse(run(...read.map(({ text }) => text)));
  });
}

/** Returns the text of an optional document; an empty text if it is absent. */
const optional = (value, document) => (value === undefined || value === null ? { ok: true, text: "" } : jsonOf(value, document));

/** Returns the text of a seed, which can also be a number. */
function seedOf(seed) {
  const number = typeof seed === "bigint" || Number.isSafeInteger(seed);
  return textOf(number ? String(seed) : seed, "arguments", "/seed", "give a text, such as the learner's id, or an integer");
}

/** Returns the version of the package; undefined before `init`. */
export function version() {
  return about()?.version;
}

/** Returns the build: versions, languages, standard validators; undefined before `init`. */
export function about() {
  return ready === undefined ? undefined : JSON.parse(ready.about());
}

/** Returns the view that a learner gets, shuffled by a seed. */
export function deliver(spec, seed) {
  const answer = call(() => [jsonOf(spec, "spec"), seedOf(seed)], (text, name) => ready.deliver(text, name));
  return answer.ok ? { ...answer, view: JSON.parse(answer.json) } : answer;
}

/** Returns the defects of a spec, the most severe first. */
export function lint(spec) {
  return call(() => [jsonOf(spec, "spec")], (text) => ready.lint(text));
}

/** Checks whether a standard validator can read a state, without its key: `said` is the message to the learner if it cannot. */
export function checkState(validator, state, params, options) {
  return call(() => {
    const given = optionsOf(options);
    const name = textOf(validator, "arguments", "/validator", "give the name of a validator");
    return [name, optional(params, "params"), jsonOf(state, "state"), given.ok ? localeOf(given.options) : given];
  }, (...texts) => ready.checkState(...texts));
}

/** Grades an answer as a server would, to test a question. `more` can have `outcomes`, `context` and `locale`. */
export function grade(spec, submission, more) {
  const answer = call(() => {
    const given = optionsOf(more);
    if (!given.ok) return [given];
    const { outcomes, context, locale } = given.options;
    const tag = localeOf({ locale });
    if (!tag.ok) return [tag];
    return [jsonOf(spec, "spec"), jsonOf(submission, "submission"), optional(outcomes, "outcomes"), contextOf(context, tag.text)];
  }, (text, sent, outcomes, context) => ready.grade(text, sent, "", outcomes, context));
  return answer.ok ? { ...answer, result: JSON.parse(answer.json) } : answer;
}

/** Returns a validator's result in the form that the module reads. */
function judgement(given) {
  const judged = typeof given === "object" && given !== null ? given : { score: given };
  if (judged.unreadable !== undefined) return { unreadable: judged.unreadable };
  const messages = [...(judged.messages ?? [])].map((told) => (String(told).startsWith("/") ? { configured: told } : told));
  const score = typeof judged.score === "boolean" ? Number(judged.score) : judged.score;
  return { score, messages, steps: [...(judged.steps ?? [])] };
}

/** Registers a validator for widgets: a function of the configuration and the state, or an object with `judge`. */
export function registerValidator(name, validator, options) {
  let answer;
  return call(() => {
    const given = optionsOf(options);
    if (!given.ok) return [given];
    const { messages = validator?.messages ?? {}, check = validator?.check } = given.options;
    const judge = typeof validator === "function" ? validator : validator?.judge;
    if (typeof judge !== "function") {
      return [failure("not-a-function", "arguments", "a validator is a function, or has a method `judge`", "give a function")];
    }
    if (check !== undefined && typeof check !== "function") {
      return [failure("not-a-function", "arguments", `\`check\` is a function, not ${nameOf(check)}`, "give a function, or nothing")];
    }
    answer = (request) => {
      const asked = JSON.parse(request);
      if ("state" in asked) return JSON.stringify(judgement(judge.call(validator, asked.config, asked.state)));
      return JSON.stringify({ findings: [...(check?.call(validator, asked.config) ?? [])] });
    };
    const told = Object.entries(messages).map(([code, text]) => ({ code, text }));
    return [textOf(name, "arguments", "/name", "give a name"), jsonOf(told, "messages")];
  }, (word, declared) => ready.registerValidator(word, answer, declared));
}
