// The contents of the packages, and their installation and use in the supported environments.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import ts from "typescript";
import { PATIENCE, launch } from "./chromium.js";
import { author, preview, repository, target } from "./places.js";
import { serve } from "./static-server.js";

const here = fileURLToPath(new URL(".", import.meta.url));
const allowed = JSON.parse(readFileSync(new URL("./allowed.json", import.meta.url)));
let work;
let browser;

before(async () => {
  work = mkdtempSync(join(tmpdir(), "fablegrade-package-"));
  browser = await launch();
});

after(async () => {
  await browser?.close();
  rmSync(work, { recursive: true, force: true });
});

const run = (command, given, cwd) => execFileSync(command, given, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

for (const [name, folder] of [["preview", preview], ["author", author]]) {
  test(`fablegrade-${name}: exports and imports are the allowed ones`, async () => {
    const module = await WebAssembly.compile(readFileSync(`${folder}fablegrade_${name}_bg.wasm`));
    const names = (list) => list.map((entry) => entry.name.replace(/_[0-9a-f]{16}$/, "_*")).sort();
    assert.deepEqual(names(WebAssembly.Module.imports(module)), allowed[name].imports);
    assert.deepEqual(names(WebAssembly.Module.exports(module)), allowed[name].exports);
    const { default: init, ...wrapped } = await import(`${folder}index.js`);
    assert.equal(typeof init, "function");
    assert.deepEqual(Object.keys(wrapped).sort(), allowed[name].functions);
    await init(readFileSync(`${folder}fablegrade_${name}_bg.wasm`));
    const build = wrapped.about();
    assert.equal(build.version, wrapped.version());
    assert.deepEqual([build.locales, build.gradingSemantics >= 1], [["en", "de"], true]);
  });

  test(`fablegrade-${name}: the package contains exactly the listed files`, () => {
    const [{ files }] = JSON.parse(run("npm", ["pack", "--json", "--dry-run"], folder));
    assert.deepEqual(files.map((file) => file.path).sort(), allowed[name].files);
    for (const { path } of files) {
      const text = readFileSync(join(folder, path), "latin1");
      assert.ok(!/sourceMappingURL|\/root\/|\/home\/|\.cargo\/registry/.test(text), path);
    }
  });
}

test("the learner's package is at most 300 KiB gzipped", (context) => {
  const size = gzipSync(readFileSync(`${preview}fablegrade_preview_bg.wasm`), { level: 9 }).length;
  context.diagnostic(`${size} bytes gzipped`);
  assert.ok(size <= 300 * 1024, `${size}`);
});

test("the learner's package contains no grading code", () => {
  // These words occur only in the core. The author's package contains each of them, which shows that the search works.
  const marking = ["no-correct-choice", "order-not-a-permutation", "unlisted-variable", "unreadable-canonical", "expected-state-too-large", "guessable-choice"];
  const there = readFileSync(`${author}fablegrade_author_bg.wasm`, "latin1");
  for (const file of readdirSync(preview)) {
    const text = readFileSync(join(preview, file), "latin1");
    for (const word of marking) {
      assert.ok(there.includes(word), `${word} is looked for in vain`);
      assert.ok(!text.includes(word), `${file} has ${word}`);
    }
  }
});

test("no name of the core is in the learner's module before it is stripped", () => {
  const names = (crate) => readFileSync(`${target}/wasm32-unknown-unknown/browser/${crate}.wasm`, "latin1");
  assert.ok(names("fablegrade_wasm_author").includes("fablegrade_core"));
  assert.ok(names("fablegrade_wasm").includes("fablegrade_public"));
  assert.ok(!names("fablegrade_wasm").includes("fablegrade_core"));
});

test("validators of the page: judged, linted, and every mishap is an error and no score", async () => {
  const { default: init, grade, initSync, lint, registerValidator } = await import(`${author}index.js`);
  assert.equal(typeof init, "function");
  initSync(readFileSync(`${author}fablegrade_author_bg.wasm`));
  const spec = (name, config) => ({ type: "widget", widgetName: "plane", widgetVersion: "1.0.0", validator: { kind: "builtin", name, ...(config && { config }) } });
  const told = (name, state, config) => {
    const { result } = grade(spec(name, config), { type: "widget", state });
    return [result.verdict, result.score, result.feedback?.map(({ message }) => message) ?? []];
  };
  const messages = { below: "Look at the axis.", "no-point": "Place the point." };
  const above = {
    messages,
    check: (config) => (config?.limit === 0 ? [{ code: "below", pointer: "/limit" }] : []),
    judge(config, { y }) {
      if (y === undefined) return { unreadable: "no-point" };
      if (y === 9) throw new Error(`the key is ${JSON.stringify(config)}`);
      return y > 0 ? { score: "1/3", messages: ["/message"] } : { score: 0, messages: ["below"] };
    },
  };
  assert.deepEqual(registerValidator("above", above), { ok: true });
  const config = { limit: 1, message: "Nearly." };
  assert.deepEqual(told("above", { y: 1 }, config), ["partial", 1 / 3, ["Nearly."]]);
  assert.deepEqual(told("above", { y: 0 }, config), ["incorrect", 0, ["Look at the axis."]]);
  const [verdict, score, [place]] = told("above", {}, config);
  assert.deepEqual([verdict, score ?? null, place], ["error", null, "Place the point."]);
  const thrown = told("above", { y: 9 }, config);
  assert.deepEqual([thrown[0], thrown[1] ?? null], ["error", null]);
  assert.ok(!JSON.stringify(thrown).includes("Nearly"));
  const found = lint(spec("above", { limit: 0 })).findings;
  assert.ok(found.some(({ pointer, message }) => pointer === "/validator/config/limit" && message === "Look at the axis."), JSON.stringify(found));
  assert.equal(grade(spec("above", { limit: 0 }), { type: "widget", state: {} }).ok, false);
  // Invalid answers, and answers that are JSON texts of another form.
  for (const [at, answer] of [2, -1, NaN, "x", null, undefined, { score: 0.5, messages: ["undeclared"] }, { messages: [] }, 10n].entries()) {
    assert.deepEqual(registerValidator(`nonsense_${at}`, () => answer), { ok: true });
    assert.deepEqual(told(`nonsense_${at}`, {})[0], "error", String(answer));
  }
  // One function registers another, and validators grade inside each other.
  registerValidator("outer", () => {
    registerValidator("inner", () => true);
    return grade(spec("inner"), { type: "widget", state: {} }).result.score;
  });
  assert.deepEqual(told("outer", {}).slice(0, 2), ["correct", 1]);
  assert.equal(registerValidator("Not A Name", () => 1).errors[0].rule, "name-form");
  assert.equal(registerValidator("above", 1).errors[0].rule, "not-a-function");
  assert.equal(registerValidator("above", () => 1, { messages: { below: 1 } }).errors[0].document, "messages");
  assert.deepEqual(told("above", { y: 0 }, config).slice(0, 2), ["incorrect", 0]);
});

test("each mistake of a newcomer, and what is said", () => {
  const golden = new URL("./mistakes.txt", import.meta.url);
  const said = run("node", [join(here, "mistakes.js")]);
  if (process.env.SNAPSHOTS === "overwrite") writeFileSync(golden, said);
  assert.equal(said, readFileSync(golden, "utf8"));
});

/** Returns the compiler's messages about a file that uses the packages, with line numbers from 0. */
function typeErrors(source, dom = true) {
  const file = join(work, "use.ts");
  writeFileSync(file, source);
  const program = ts.createProgram([file], {
    strict: true, noEmit: true, exactOptionalPropertyTypes: true, target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext, lib: ["lib.es2022.d.ts", ...(dom ? ["lib.dom.d.ts"] : [])], types: [], skipLibCheck: false,
  });
  return ts.getPreEmitDiagnostics(program).map((found) => ({
    line: found.file?.fileName === file ? found.file.getLineAndCharacterOfPosition(found.start).line : -1,
    message: ts.flattenDiagnosticMessageText(found.messageText, "\n"),
  }));
}

function install() {
  if (existsSync(join(work, "node_modules/fablegrade-preview"))) return;
  const tarballs = [preview, author].map((folder) => join(work, JSON.parse(run("npm", ["pack", "--json", "--pack-destination", work], folder))[0].filename));
  writeFileSync(join(work, "package.json"), JSON.stringify({ name: "user", private: true, type: "module" }));
  run("npm", ["install", "--offline", "--no-audit", "--no-fund", "--ignore-scripts", ...tarballs], work);
}

test("types: what is right compiles, and a key is a compile error", () => {
  install();
  const head = `import init, { initSync, Preview, validate, understand, previewCases, countWords, lintView, matchOutput, read } from "fablegrade-preview";
import type { AnyPreview, DeliveryView, Failure, NumericView, Submission, Reply, Reading } from "fablegrade-preview";
import type { AnswerSpec } from "fablegrade-author";
import { connect } from "fablegrade-preview/worker";
import initAuthor, { checkState, deliver, grade, lint, registerValidator } from "fablegrade-author";
`;
  assert.deepEqual(
    typeErrors(`${head}
await init(); await initAuthor(); initSync(new Uint8Array());
const view: DeliveryView = { type: "numeric", unit: { expected: "m" } };
const preview = Preview.open(view);
if (preview.ok) {
  const reply: Reply<Reading> = preview.understand("x");
  if (reply.ok) reply.notes.map((note) => note.span.start.toFixed());
  else reply.errors.map((error) => error.rule.length + (error.span?.end ?? 0));
} else preview.errors.map((error) => error.pointer);
validate(view, { type: "numeric", value: 1 }); validate("{}", "{}"); lintView(view); countWords(["a", { latex: "x" }]);
understand("x", { variables: ["x"], logBase: "natural" }); understand("x", { view: { type: "expression", equivalence: "literal" } });
previewCases({ type: "code", languages: ["c"], limits: {}, testSuites: [{ name: "h", visibility: "hidden" }] }, [{ suite: "h", caseIndex: 0, end: "timeout" }]);
matchOutput("json", "1", new Uint8Array(), "0.1"); read("AttemptResult", "{}");
const remote = await connect(); const far: Reply<{ words: number; math: boolean }> = await remote.countWords("x"); remote.terminate(); far;
const delivered = deliver({ type: "numeric", answer: { value: 1 } }, "s"); if (delivered.ok) delivered.json.length; lint("{}");
if (delivered.ok) { const known: NumericView = delivered.view; const exact = Preview.open(delivered.view); if (exact.ok) { exact.view.integerOnly; exact.check({ type: "numeric", value: 1 }); } known; }
const any = Preview.open("{}", { locale: "de-AT" }); if (any.ok && any.type === "numeric") { any.view.unit?.expected.length; any.check({ type: "numeric", value: 1 }); any.completeness("{}"); }
const more = validate(new Uint8Array(), new ArrayBuffer(1), { locale: "de" }); if (!more.ok && more.errors[0]?.code === "number-expected") more.errors[0].params?.["x"]?.length;
const graded = grade("{}", { type: "numeric", value: 1 }, { context: { gradedAt: "2025-01-01T00:00:00Z" } }); if (graded.ok) graded.result.verdict.length;
registerValidator("above", (config, state) => state.y > 0, { messages: { below: "Look." }, check: () => [{ code: "below" }] });
registerValidator("above", { judge: () => ({ score: "1/3", messages: ["below"] }) }); checkState("form", { latex: "x" });`),
    [],
  );
  // One program has a mistake on each line, so the libraries are read only once.
  const wrong = [
    'export const a: DeliveryView = { type: "numeric", answer: { value: 42 } };',
    'export const b: DeliveryView = { type: "expression", equivalence: "symbolic", canonical: "x" };',
    'export const c: DeliveryView = { type: "ordering", items: [], correctOrder: [] };',
    'export const d: DeliveryView = { type: "matching", left: [], right: [], correctPairs: [] };',
    'export const e: DeliveryView = { type: "multiple_choice", choices: [{ id: "a", content: "", correct: true }] };',
    'export const f: DeliveryView = { type: "widget", widgetName: "w", widgetVersion: "1.0.0", validator: { kind: "state_equals" } };',
    'export const g: DeliveryView = { type: "code", languages: ["c"], limits: {}, testSuites: [{ name: "h", visibility: "hidden", cases: [] }] };',
    'Preview.open({ type: "numeric", answer: { value: 42 } });',
    // This is not an object literal, so only the type of the key's field refuses it.
    'Preview.open(spec);',
    'validate(spec, { type: "numeric", value: 1 });',
    'export const h: Submission = { type: "numeric", value: "1" };',
    'new Preview("{}");',
    'import { grade as learnersGrade } from "fablegrade-preview";',
    'import { nothing } from "fablegrade-author";',
    'deliver({ type: "numerik" }, "s");',
    'deliver(spec, {});',
    'understand("x", { locale: "fr" });',
    'if (opened.ok && opened.type === "numeric") opened.check({ type: "ordering", order: [] });',
    'if (!opened.ok && opened.errors[0]?.rule === "no-such-rule") opened;',
    'if (!opened.ok && opened.errors[0]?.code === "no-such-code") opened;',
    'lint(spec).findings;',
  ];
  const before = `${head}const spec: AnswerSpec = { type: "numeric", answer: { value: 42 } };\ndeclare const opened: AnyPreview | Failure;\n`;
  const first = before.split("\n").length - 1;
  const lines = new Set(typeErrors(before + wrong.join("\n")).map(({ line }) => line - first));
  wrong.forEach((source, at) => assert.ok(lines.has(at), `compiles: ${source}`));
  assert.ok([...lines].every((line) => line >= 0), "the lines before are right");
});

test("types: the documentation's programs compile under strict without the DOM library", () => {
  install();
  const programs = [];
  for (const file of ["docs/browser.md", "fablegrade-wasm/package/README.md", "fablegrade-wasm/author/package/README.md"]) {
    for (const [, language, program] of readFileSync(join(repository, file), "utf8").matchAll(/^```(js|ts)\n([\s\S]*?)^```/gm)) {
      programs.push([file, language, program]);
    }
  }
  assert.ok(programs.length >= 8, `${programs.length}`);
  const given = `declare const console: { log(...said: unknown[]): void };
declare const view: import("fablegrade-preview").DeliveryView;
declare const spec: import("fablegrade-author").AnswerSpec;
declare const submission: import("fablegrade-author").Submission;
`;
  for (const [file, , program] of programs) {
    // Declarations that the program has itself are not added.
    const needed = given.split("\n").filter((line) => !new RegExp(`(const|let|{) ?${/const (\w+):/.exec(line)?.[1]}\\b`).test(program));
    assert.deepEqual(typeErrors(`${needed.join("\n")}\n${program}\nexport {};`, false), [], `${file}:\n${program}`);
  }
});

test("types: the documents and codes are those of the schemas, the catalogue and the rules", () => {
  run("node", [join(repository, "fablegrade-wasm/document-types.js"), "--check"]);
});

test("the tarballs install and run in plain Node", () => {
  install();
  writeFileSync(
    join(work, "use.mjs"),
    `import init, { Preview, understand } from "fablegrade-preview";
import initAuthor, { deliver, lint } from "fablegrade-author";
import { readFileSync } from "node:fs";
if (understand("x").errors[0].rule !== "not-initialised") throw new Error("before init");
await init(); await init(); await initAuthor();
const { view } = deliver({ type: "numeric", answer: { value: 42 } }, "s");
console.log(JSON.stringify([Preview.open(view).check({ type: "numeric", value: 1 }).ok, understand("\\\\frac12x").latex, lint("{}").findings.length > 0,
  Preview.open({ type: "numeric", answer: { value: 42 } }).errors[0].rule]));`,
  );
  assert.equal(run("node", ["use.mjs"], work).trim(), '[true,"\\\\frac{1}{2}x",true,"key-in-view"]');
  writeFileSync(
    join(work, "sync.mjs"),
    `import { initSync, understand } from "fablegrade-preview";
import { readFileSync } from "node:fs";
initSync(readFileSync(new URL(import.meta.resolve("fablegrade-preview/fablegrade_preview_bg.wasm"))));
console.log(understand("x").latex);`,
  );
  assert.equal(run("node", ["sync.mjs"], work).trim(), "x");
});

test("the documentation's programs print what they say", () => {
  install();
  let checked = 0;
  for (const file of ["docs/browser.md", "fablegrade-wasm/author/package/README.md"]) {
    for (const [, program] of readFileSync(join(repository, file), "utf8").matchAll(/^```js\n([\s\S]*?)^```/gm)) {
      const spec = file.startsWith("docs") ? "" : 'const spec = { type: "numeric", answer: { value: 1 } }, submission = { type: "numeric", value: 1 };\n';
      writeFileSync(join(work, "page.mjs"), spec + program);
      const expected = [...program.matchAll(/console\.log\(.*\); *\/\/ (.*)$/gm)].map((match) => match[1]);
      assert.deepEqual(run("node", ["page.mjs"], work).trimEnd(), expected.join("\n"), file);
      checked += 1;
    }
  }
  assert.equal(checked, 6);
});

const program = `import init, { understand, version } from "fablegrade-preview";
import { connect } from "fablegrade-preview/worker";
await init();
const worker = await connect();
const opened = await worker.Preview.open({ type: "free_text", gradingMode: "reviewer", minWords: 3 });
const refused = await worker.Preview.open({ type: "numeric", answer: { value: 1 } });
const later = worker.Preview.open("{}", []) instanceof Promise;
const short = await opened.check({ type: "free_text", content: "one two" });
const same = JSON.stringify(await worker.understand("\\\\frac12x")) === JSON.stringify(understand("\\\\frac12x"));
const odd = (await worker.understand("x", { variables: [() => 1] })).errors[0].rule;
worker.terminate();
const ended = (await worker.understand("x")).errors[0].message;
document.body.textContent = [understand("\\\\frac12x").latex, short.errors[0].rule, refused.errors[0].rule, same, odd, later, ended, version()].join(" | ");
document.body.dataset.done = "true";`;
const shown = "\\frac{1}{2}x | too-few-words | key-in-view | true | not-json | true | the worker was ended | 0.1.0";

async function seen(url) {
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE);
  const said = [];
  page.on("console", (message) => said.push(message.text()));
  page.on("pageerror", (error) => said.push(error.message));
  await page.goto(url);
  await page.locator("body[data-done]").waitFor().catch(() => assert.fail(said.join("\n")));
  const text = await page.locator("body").textContent();
  await page.close();
  assert.deepEqual(said, []);
  return text;
}

test("a plain <script type=module> runs the package and its worker", async () => {
  install();
  const folder = join(work, "plain");
  mkdirSync(folder);
  writeFileSync(
    join(folder, "index.html"),
    `<!doctype html><title>x</title><link rel="icon" href="data:,"><script type="importmap">{"imports":{"fablegrade-preview":"/package/index.js","fablegrade-preview/worker":"/package/worker.js"}}</script>
<body><script type="module">${program}</script>`,
  );
  const server = await serve({ "/package/": join(work, "node_modules/fablegrade-preview"), "/": folder });
  assert.equal(await seen(`${server.url}/`), shown);
  await server.close();
});

test("Vite builds the package and its worker", async () => {
  install();
  const folder = join(work, "vite");
  mkdirSync(folder);
  symlinkSync(join(work, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), '{"type":"module","private":true}');
  writeFileSync(join(folder, "index.html"), '<!doctype html><title>x</title><link rel="icon" href="data:,"><body><script type="module" src="/main.js"></script>');
  writeFileSync(join(folder, "main.js"), program);
  writeFileSync(join(folder, "vite.config.js"), 'export default { worker: { format: "es" }, build: { target: "es2022" } };');
  run("node", [join(here, "node_modules/vite/bin/vite.js"), "build", "--logLevel", "warn"], folder);
  assert.ok(readdirSync(join(folder, "dist/assets")).some((file) => file.endsWith(".wasm")), "the module is an asset of its own");
  const server = await serve({ "/": join(folder, "dist") });
  assert.equal(await seen(`${server.url}/`), shown);
  await server.close();
});
