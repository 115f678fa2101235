// Typical mistakes of newcomers with the npm packages, and the messages that they get: `node mistakes.js`. mistakes.txt records them.
import { readFileSync } from "node:fs";
import { author, preview } from "./places.js";

const learner = await import(`${preview}index.js`);
const { connect } = await import(`${preview}worker.js`);
const teacher = await import(`${author}index.js`);

function said(mistake, reply) {
  console.log(mistake);
  if (reply.ok) {
    console.log(`  ${JSON.stringify(reply)}`);
    return;
  }
  for (const { rule, code, document, pointer, message, help, params } of reply.errors) {
    const told = [`${document}${pointer}`, rule, code && `code ${code}`, params && Object.keys(params).length > 0 && JSON.stringify(params)];
    console.log(`  ${told.filter(Boolean).join(", ")}: ${message}${help === undefined ? "" : `\n  way out: ${help}`}`);
  }
}
async function rejected(mistake, run) {
  console.log(mistake);
  try {
    await run();
    console.log("  no error");
  } catch (error) {
    console.log(`  ${error.message}`);
  }
}

said("a call before init", learner.understand("x"));
const page = (type, text, status = 200) => new Response(text, { status, headers: { "content-type": type } });
await rejected("a page in place of the module", () => learner.default(page("text/html", "<!doctype html><title>Not found</title>")));
await rejected("no module at all", () => learner.default(page("application/wasm", "")));
await rejected("a server that refuses", () => learner.default(page("text/plain", "no", 404)));
await rejected("a number for the module", () => learner.default(5));
await rejected("bytes of something else, at once", () => learner.initSync(new Uint8Array([1, 2, 3])));
await learner.default(readFileSync(`${preview}fablegrade_preview_bg.wasm`));
await teacher.default(readFileSync(`${author}fablegrade_author_bg.wasm`));

const choice = { type: "multiple_choice", multipleSelect: true, choices: [{ id: "a", content: "1" }, { id: "b", content: "2" }] };
const order = { type: "ordering", items: [{ id: "a", content: "1" }, { id: "b", content: "2" }] };
const pairs = { type: "matching", left: order.items, right: [{ id: "x", content: "1" }, { id: "y", content: "2" }] };
const formula = { type: "expression", equivalence: "symbolic", variables: [{ name: "x" }] };
const cycle = {};
cycle.self = cycle;

said("undefined for a formula", learner.understand(undefined));
said("a number for a formula", learner.understand(5));
said("a formula of 100 MB", learner.understand("x+".repeat(50_000_000)));
said("options that are an array", learner.understand("x", []));
said("options with a getter that throws", learner.understand("x", { get view() { throw new Error("no"); } }));
said("a language that has no messages", learner.understand("x", { locale: "fr" }));
said("a spec for a view", learner.Preview.open({ type: "numeric", answer: { value: 42 } }));
said("a cycle for a view", learner.Preview.open(cycle));
said("bytes that are not UTF-8", learner.Preview.open(new Uint8Array([0xff, 0xfe])));
said("a text with half a character", learner.Preview.open('{"type":"numeric","unit":"\ud800"}'));
said("a formula with half a character", learner.understand("x+\ud800"));
said("an output with half a character", learner.matchOutput("exact", "a\ufffd", "a\ud800"));
said("nothing for a view", learner.Preview.open());
said("a kind that does not exist", learner.read("AnswerSpec", "{}"));
said("a matcher that is misspelt", learner.matchOutput("trimmed-lines", "1", "1"));
said("a number for an output", learner.matchOutput("exact", "1", 1));
said("a tolerance below 0", learner.matchOutput("float_tolerance", "1", "1", -1));
said("no mistake: an ArrayBuffer for an output", learner.matchOutput("exact", "ab", new TextEncoder().encode("ab").buffer));
said("nothing selected", learner.validate(choice, { type: "multiple_choice", selectedChoiceIds: [] }));
said("a choice twice", learner.validate(choice, { type: "multiple_choice", selectedChoiceIds: ["a", "a"] }));
said("a choice that does not exist", learner.validate(choice, { type: "multiple_choice", selectedChoiceIds: ["b", "z"] }));
said("3,5 for a number", learner.validate({ type: "numeric" }, { type: "numeric", value: "3,5" }));
said("an empty formula", learner.validate(formula, { type: "expression", latex: "" }));
said("a blank formula", learner.validate(formula, { type: "expression", latex: " " }));
said("a formula that ends early", learner.validate(formula, { type: "expression", latex: "x+" }));
said("a formula with a bracket too few", learner.validate(formula, { type: "expression", latex: "(x" }, { locale: "de" }));
said("an item twice", learner.validate(order, { type: "ordering", order: ["a", "a"] }));
said("an item too few", learner.validate(order, { type: "ordering", order: ["a"] }));
said("an item that does not exist", learner.validate(pairs, { type: "matching", pairs: [{ left: "a", right: "z" }] }));
said("two partners for an item, in German", learner.validate(pairs, { type: "matching", pairs: [{ left: "a", right: "x" }, { left: "a", right: "y" }] }, { locale: "de-CH" }));
said("an answer of another type", learner.validate(choice, { type: "numeric", value: 1 }));
said("a field that is misspelt", learner.validate({ type: "numeric" }, { type: "numeric", vlaue: 1 }));
said("no mistake, but incomplete: a unit, and an integer", learner.completeness({ type: "numeric", integerOnly: true, unit: { expected: "m", required: true } }, { type: "numeric", value: 1.5 }));
said("no mistake, but incomplete: items without a partner", learner.completeness(pairs, { type: "matching", pairs: [{ left: "a", right: "x" }] }, { locale: "de" }));
said("no mistake, but unusual: names that the question does not have", learner.completeness({ ...formula, allowedFunctions: ["sin"] }, { type: "expression", latex: "y+\\cos 1" }));
const essay = { type: "free_text", gradingMode: "self_assess", selfAssessChecklist: ["A claim", "An example"], minWords: 3 };
const program = { type: "code", languages: ["python"], limits: {}, starterCode: { python: "def f(): ..." }, testSuites: [{ name: "h", visibility: "hidden" }] };
said("a BigInt for a formula", learner.understand(5n));
said("a symbol for a content", learner.countWords(Symbol("words")));
said("an output of 100 MB", learner.matchOutput("exact", "x".repeat(100_000_000), "x"));
said("outcomes that are not an array", learner.previewCases(program, {}));
said("an outcome of a hidden suite", learner.previewCases(program, [{ suite: "h", caseIndex: 0, end: "timeout" }]));
said("a result in a language that has no messages", learner.translate({ attemptId: "b149939b-0285-5a27-aff9-45758889889f", verdict: "correct", score: 1, gradedBy: "auto" }, "fr"));
said("a submission where a result is read", learner.read("AttemptResult", { type: "numeric", value: 1 }));
said("no text", learner.validate(essay, { type: "free_text", content: " " }));
said("a language that is not offered, in German", learner.validate(program, { type: "code", language: "rust", source: "fn f() {}" }, { locale: "de" }));
said("no mistake, but incomplete: lines of the checklist", learner.completeness(essay, { type: "free_text", content: "one two three", selfAssessment: [true] }));
said("no mistake, but unusual: the program is as it was given", learner.completeness(program, { type: "code", language: "python", source: "def f(): ..." }));
await rejected("a worker where there are none", () => connect());
said("a spec of no type", teacher.lint({ type: "numerik" }));
said("an object for a seed", teacher.deliver({ type: "numeric", answer: { value: 1 } }, {}));
said("undefined for a spec", teacher.deliver(undefined, "s"));
said("a validator that is not a function", teacher.registerValidator("above", 1));
said("a name that no validator has", teacher.registerValidator("Above!", () => 1));
said("a submission that cannot be read", teacher.grade({ type: "numeric", answer: { value: 1 } }, { type: "numeric", value: "3,5" }));
said("a locale with a context that is a list", teacher.grade({ type: "numeric", answer: { value: 1 } }, { type: "numeric", value: 1 }, { context: "[]", locale: "de" }));
said("no mistake: feedback in German", teacher.grade({ type: "numeric", integerOnly: true, answer: { value: 1 } }, { type: "numeric", value: 1.5 }, { locale: "de" }));
said("a state that cannot be read, in German", teacher.checkState("number_text", { text: "1,5" }, undefined, { locale: "de" }));
