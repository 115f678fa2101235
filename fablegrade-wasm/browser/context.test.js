// Arguments without the module, above all the context of `grade` in the author's package: objects, and their JSON as text or
// bytes, are accepted.
import assert from "node:assert/strict";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

// Sets up the folder as in the package, which has the shared files in the same folder.
const wasm = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const folder = await mkdtemp(path.join(tmpdir(), "fablegrade-context-"));
after(() => rm(folder, { recursive: true }));
await writeFile(path.join(folder, "package.json"), '{"type":"module"}');
await cp(path.join(wasm, "shared"), folder, { recursive: true });
await cp(path.join(wasm, "author/package/context.js"), path.join(folder, "context.js"));
const { contextOf } = await import(pathToFileURL(path.join(folder, "context.js")));
const { MOST, jsonOf, outputOf, textOf } = await import(pathToFileURL(path.join(folder, "arguments.js")));

const bytes = (text) => new TextEncoder().encode(text);

test("a locale is added to a context of every form", () => {
  const text = '{"gradedAt":"2026-01-01T00:00:00Z","hints":[{"cost":0.10000000000000000001}]}';
  const expected = text.replace("{", '{"locale":"de",');
  for (const context of [text, bytes(text), bytes(text).buffer, new DataView(bytes(text).buffer)]) {
    assert.deepEqual(contextOf(context, "de"), { ok: true, text: expected });
  }
  assert.equal(contextOf({ hints: [1] }, "de").text, '{"locale":"de","hints":[1]}');
  assert.equal(contextOf({ toJSON: () => ({ hints: [2] }) }, "de").text, '{"locale":"de","hints":[2]}');
  for (const empty of [{}, "{}", " { } "]) assert.deepEqual(JSON.parse(contextOf(empty, "de").text), { locale: "de" });
  for (const none of [undefined, null]) assert.deepEqual(JSON.parse(contextOf(none, "de").text), { locale: "de" });
  for (const other of [{ locale: "en", a: 1 }, '{"locale":"en","a":1}']) {
    assert.deepEqual(JSON.parse(contextOf(other, "de").text), { locale: "de", a: 1 });
  }
  assert.equal(contextOf({ a: 1 }, "$&\"").text, '{"locale":"$&\\"","a":1}');
});

test("a value that is not an object is refused beside a locale", () => {
  for (const wrong of [[], [{ a: 1 }], "[1]", "7", "null", '"{}"', 7, true, bytes("[]"), new Date(0)]) {
    const answer = contextOf(wrong, "de");
    assert.equal(answer.ok, false, String(wrong));
    assert.equal(answer.errors[0].rule, "wrong-type");
    assert.equal(answer.errors[0].document, "context");
  }
  assert.equal(contextOf(new Uint8Array([0xff]), "de").errors[0].rule, "invalid-utf8");
  assert.equal(contextOf(() => 1, "de").errors[0].rule, "not-json");
  // The module describes mistakes of JSON.
  assert.deepEqual(contextOf("{", "de"), { ok: true, text: "{" });
});

test("without a locale a context stays unchanged", () => {
  for (const none of [undefined, null]) assert.deepEqual(contextOf(none, ""), { ok: true, text: "" });
  assert.equal(contextOf("[1]", "").text, "[1]");
  assert.equal(contextOf({ locale: "fr" }, "").text, '{"locale":"fr"}');
});

test("half a character is refused in every text, after a text that is too long", () => {
  for (const [of, most] of [
    [(text) => jsonOf(text, "d"), MOST.document],
    [(text) => textOf(text, "d", "", "help"), MOST.word],
    [(text) => outputOf(text, ""), MOST.output],
  ]) {
    for (const half of ["\ud800", "a\udc00", "\udc00\ud800", "\ud800b"]) {
      const { rule, help } = of(half).errors[0];
      assert.deepEqual([rule, help], ["invalid-utf8", "replace it, or remove it"]);
    }
    assert.equal(of("\ud83d\ude00\ufffd").ok, true);
    assert.equal(of("\ud800".repeat(most + 1)).errors[0].rule, "too-large");
  }
  // In a value, it is written as an escape.
  assert.equal(jsonOf(["\ud800"], "d").text, '["\\ud800"]');
});
