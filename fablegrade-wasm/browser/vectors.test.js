// Runs the vectors in Node, and compares the bytes of the replies with those of the native build and of Chromium.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { launch } from "./chromium.js";
import { author, packages, preview, repository, target } from "./places.js";
import { serve } from "./static-server.js";
import { drive, formulas, reason, vectors } from "./vectors.js";

const modules = {};
/** All calls, each with the bytes of its reply in Node. */
const calls = [];
let server;
let browser;

before(async () => {
  modules.preview = await import(`${preview}fablegrade_preview.js`);
  modules.author = await import(`${author}fablegrade_author.js`);
  modules.preview.initSync({ module: readFileSync(`${preview}fablegrade_preview_bg.wasm`) });
  modules.author.initSync({ module: readFileSync(`${author}fablegrade_author_bg.wasm`) });
  server = await serve({ "/": packages });
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await server?.close();
});

function call(from, name, ...given) {
  const text = modules[from][name](...given);
  calls.push({ from, name, given, text });
  return JSON.parse(text);
}

test("every vector", (context) => {
  const left = new Map();
  const wrong = [];
  let driven = 0;
  for (const vector of vectors()) {
    const why = reason(vector);
    if (why !== undefined) {
      left.set(why, [...(left.get(why) ?? []), vector.name]);
      continue;
    }
    driven += 1;
    drive(vector, call, (what, expected, found) => {
      try {
        assert.deepEqual(found, expected);
      } catch {
        wrong.push(`${vector.name} (${vector.why}): ${what}: expected ${JSON.stringify(expected)}, found ${JSON.stringify(found)}`);
      }
    });
  }
  for (const [why, names] of left) context.diagnostic(`not driven, ${why}: ${names.length}: ${names.join(" ")}`);
  context.diagnostic(`${driven} vectors driven`);
  assert.deepEqual(wrong, []);
  assert.ok(driven > 600);
  const graded = vectors().filter(({ kind, name }) => kind === "grade" && name.startsWith("validators/"));
  context.diagnostic(`${graded.length} of them are graded by standard validators`);
  assert.ok(graded.length >= 150);
});

test("formulas, words and view lint beyond the vectors", () => {
  const view = JSON.stringify({ type: "expression", equivalence: "symbolic", variables: [{ name: "x" }], allowedFunctions: ["sin"] });
  for (const latex of formulas) {
    call("preview", "understand", latex, "{}", "", "");
    call("preview", "understand", latex, "{}", "", "de");
    call("preview", "understand", latex, '{"variables":["speed"],"functions":["x"],"logBase":"natural"}', "", "");
    call("preview", "understand", latex, "{}", view, "de");
    call("preview", "completeness", view, JSON.stringify({ type: "expression", latex }), "de");
    call("preview", "countWords", JSON.stringify(`so $${latex}$ it is`));
  }
  for (const vector of vectors().filter((vector) => vector.kind === "lint" && reason(vector) === undefined)) {
    const delivered = call("author", "deliver", vector.text("spec"), "s");
    if (delivered.ok) call("preview", "lintView", delivered.json);
  }
  assert.ok(calls.length > 1000);
});

/** The calls whose arguments are all texts; `matchOutput` takes bytes. */
const asTexts = ({ name, given }) => {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  try {
    return [name, ...given.map((part) => (typeof part === "string" ? part : decoder.decode(part)))];
  } catch {
    return undefined; // bytes that are not UTF-8
  }
};

test("the same bytes as the native build", () => {
  const texts = calls.filter(({ from }) => from === "preview").map((entry) => ({ entry, line: asTexts(entry) })).filter(({ line }) => line !== undefined);
  const input = texts.map(({ line }) => JSON.stringify(line)).join("\n");
  // Lone surrogates could not be passed as UTF-8; no call has one.
  // Builds for the whole workspace, like the other tests, so nothing is built twice.
  execFileSync("cargo", ["build", "--quiet", "--workspace", "--example", "replies"], { cwd: repository });
  const output = execFileSync(`${target}/debug/examples/replies`, { input, maxBuffer: 1 << 28, encoding: "utf8" });
  const replies = output.trimEnd().split("\n");
  assert.equal(replies.length, texts.length);
  texts.forEach(({ entry, line }, at) => assert.equal(entry.text, replies[at], JSON.stringify(line).slice(0, 300)));
});

test("the same bytes in Chromium", async () => {
  const page = await browser.newPage();
  await page.goto(`${server.url}/fablegrade-preview/package.json`);
  const packed = calls.map(({ from, name, given }) => [
    from, name, ...given.map((part) => (typeof part === "string" ? part : { base64: Buffer.from(part).toString("base64") })),
  ]);
  const replies = await page.evaluate(async (all) => {
    const load = async (name) => {
      const module = await import(`/fablegrade-${name}/fablegrade_${name}.js`);
      await module.default({ module_or_path: `/fablegrade-${name}/fablegrade_${name}_bg.wasm` });
      return module;
    };
    const modules = { preview: await load("preview"), author: await load("author") };
    const bytes = (part) => (typeof part === "string" ? part : Uint8Array.from(atob(part.base64), (c) => c.charCodeAt(0)));
    return all.map(([from, name, ...given]) => modules[from][name](...given.map(bytes)));
  }, packed);
  assert.equal(replies.length, calls.length);
  calls.forEach(({ name, text }, at) => assert.equal(replies[at], text, name));
});
