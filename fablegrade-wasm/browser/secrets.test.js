// Puts canaries into every secret field, and checks that none is in what a learner's browser receives, shows, logs or stores.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import initAuthor, { deliver } from "../dist/fablegrade-author/node.js";
import { PATIENCE, launch } from "./chromium.js";
import { page as folder } from "./places.js";
import { serve } from "./static-server.js";

const WORD = "qCANARYq";
const DIGITS = "918273645546372";

const widget = (validator) => ({ type: "widget", widgetName: "number-line", widgetVersion: "1.0.0", params: {}, validator });
const n = Number(DIGITS);

/** Specs of all types with a secret field, with a canary in every secret field that can contain one. */
const specs = [
  {
    type: "multiple_choice",
    choices: [
      { id: "a", content: "A", correct: true, feedback: WORD },
      { id: "b", content: "B", correct: false, feedback: { text: WORD } },
    ],
  },
  { type: "numeric", answer: { value: n, tolerance: { mode: "absolute", amount: n } } },
  { type: "numeric", answer: { min: n, max: n }, inputHint: "another" },
  { type: "expression", canonical: `${DIGITS}x`, equivalence: "symbolic" },
  {
    type: "code", languages: ["python"], limits: {},
    testSuites: [
      { name: "p", visibility: "public", cases: [{ input: "1", expected: "1" }] },
      { name: "h", visibility: "hidden", cases: [{ name: WORD, input: WORD, expected: DIGITS }] },
    ],
  },
  widget({ kind: "state_equals", expectedState: { [WORD]: WORD, n } }),
  { ...widget({ kind: "state_schema", stateSchema: { title: WORD, properties: { x: { const: n } } } }), params: { start: 1 } },
];

/** Returns the encodings in which a secret could occur. */
function forms(secret) {
  const bytes = Buffer.from(secret);
  const wide = Buffer.from(secret, "utf16le");
  const inner = (text, from, to) => text.slice(from, text.length - to);
  return [
    secret, [...secret].reverse().join(""), bytes.toString("hex"), bytes.toString("hex").toUpperCase(), wide.toString("latin1"),
    Buffer.from(wide).swap16().toString("latin1"),
    // Base64 at each of the three alignments, without the characters that also depend on neighbouring bytes.
    inner(bytes.toString("base64").replace(/=+$/, ""), 0, 1),
    inner(Buffer.concat([Buffer.from("x"), bytes]).toString("base64").replace(/=+$/, ""), 2, 1),
    inner(Buffer.concat([Buffer.from("xx"), bytes]).toString("base64").replace(/=+$/, ""), 3, 1),
  ];
}

const secrets = [WORD, DIGITS].flatMap(forms);
const leaks = (text) => secrets.filter((form) => text.includes(form));

let server;
let browser;

before(async () => {
  await initAuthor();
  server = await serve({ "/": folder });
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await server?.close();
});

test("the search finds each form", () => {
  for (const form of secrets) assert.deepEqual(leaks(`..${form}..`).includes(form), true);
  assert.ok(leaks(Buffer.from(`x${WORD}yz`).toString("base64")).length > 0);
  assert.ok(leaks(Buffer.from(`xy${DIGITS}z`).toString("base64")).length > 0);
  for (const spec of specs) assert.ok(leaks(JSON.stringify(spec)).length > 0, spec.type);
});

test("no canary reaches a learner's browser", async () => {
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE);
  const received = [];
  const bodies = [];
  page.on("response", (response) => bodies.push(response.body().then((body) => received.push([response.url(), body.toString("latin1")]), () => undefined)));
  page.on("console", (message) => received.push(["console", message.text()]));
  page.on("pageerror", (error) => received.push(["error", String(error.stack)]));
  // A host's page shows the learner's page in a frame and sends it views. It loads no part of the author's side.
  await page.route("**/host.html", (route) => route.fulfill({ contentType: "text/html", body: '<!doctype html><title>host</title><iframe id="learner" src="/learner.html"></iframe>' }));
  await page.goto(`${server.url}/host.html`);
  const frame = page.frame({ url: /learner\.html/ });
  await page.evaluate(
    () =>
      new Promise((ready) => {
        addEventListener("message", ({ data }) => data.ready && ready());
        document.querySelector("iframe").contentWindow.postMessage({ hello: true }, location.origin);
      }),
  );
  for (const spec of specs) {
    const { json: view } = deliver(spec, "seed");
    await frame.evaluate(() => document.querySelector("#question").replaceChildren());
    await page.evaluate((sent) => document.querySelector("iframe").contentWindow.postMessage({ view: sent }, location.origin), view);
    await frame.locator(`form[data-type=${spec.type}]`).waitFor();
    await frame.getByRole("button", { name: "Check my answer" }).click();
    const state = await frame.evaluate(async (given) => {
      const { default: load } = await import("/vendor/fablegrade-preview/fablegrade_preview.js");
      const preview = await import("/vendor/fablegrade-preview/index.js");
      const said = [preview.lintView(given), preview.read("DeliveryView", given), preview.validate(given, "{}")];
      const memory = new TextDecoder("latin1").decode(new Uint8Array((await load()).memory.buffer));
      return { memory, said: JSON.stringify(said), page: document.documentElement.outerHTML, kept: JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]) };
    }, view);
    for (const [place, text] of Object.entries(state)) {
      assert.ok(text.length > 2, place);
      assert.deepEqual(leaks(text), [], `${spec.type}: ${place}`);
    }
  }
  await Promise.all(bodies);
  const urls = received.map(([url]) => url);
  assert.ok(urls.some((url) => url.endsWith("fablegrade_preview_bg.wasm")), urls.join("\n"));
  assert.ok(!urls.some((url) => /author/.test(url)), "nothing of the author's side is loaded");
  assert.ok(!urls.some((url) => url.endsWith(".map")), "no source map is loaded");
  assert.ok(urls.filter((url) => /^http/.test(url)).every((url) => url.startsWith(server.url)), "nothing comes from elsewhere");
  for (const [url, text] of received) assert.deepEqual(leaks(text), [], url);
  await page.close();
});

test("a spec that is sent by mistake is refused, and what is said about it quotes nothing", async () => {
  const { default: init, Preview, lintView, validate, understand, previewCases } = await import("../dist/fablegrade-preview/node.js");
  await init();
  for (const spec of specs) {
    for (const reply of [
      Preview.open(spec), lintView(spec), validate(spec, { type: "numeric", value: 1 }), understand("x", { view: spec }), previewCases(spec, []),
    ]) {
      assert.equal(reply.ok, false);
      assert.deepEqual(leaks(JSON.stringify(reply)), []);
    }
  }
});
