// Opens the authoring page in Chromium, for its tests.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { PATIENCE, becomes, drawn, launch } from "./chromium.js";
import { artifacts, page as folder } from "./places.js";
import { serve } from "./static-server.js";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
export const DESKTOP = { width: 1360, height: 860 };
export const PHONE = { width: 390, height: 844 };
let server;
let browser;

/** Starts a server and the browser. */
export async function open() {
  mkdirSync(artifacts, { recursive: true });
  server = await serve({ "/": folder });
  browser = await launch();
}

export async function close() {
  await browser?.close();
  await server?.close();
}

/** Opens the page for a question type and calls `use({ page, learner, frame })`. Fails if anything is printed to the console. */
export async function at(type, use, viewport = DESKTOP, shown = type) {
  const page = await browser.newPage({ viewport });
  page.setDefaultTimeout(PATIENCE);
  const said = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && said.push(message.text()));
  page.on("pageerror", (error) => said.push(error.stack));
  const open = new Set(); // requests, not addresses: two frames can request the same address
  page.on("request", (request) => open.add(request));
  for (const end of ["requestfinished", "requestfailed"]) page.on(end, (request) => open.delete(request));
  page.on("response", (response) => response.status() >= 400 && said.push(`${response.status()} ${response.url()}`));
  try {
    await page.goto(`${server.url}/index.html#${type}`);
    const learner = page.frameLocator("#learner");
    await learner.locator(`form[data-type=${shown}]`).waitFor({ state: "attached" });
    await page.locator("html[data-ready=true]").waitFor({ state: "attached" });
    await drawn(page);
    await use({ page, learner, frame: page.frame({ url: /learner\.html/ }) });
    assert.deepEqual(said, []);
  } catch (error) {
    await page.screenshot({ path: `${artifacts}failed-${type}.png` }).catch(() => {});
    const details = [error.message];
    if (open.size > 0) details.push(`open requests: ${[...open].map((request) => request.url()).join(" ")}`);
    for (const frame of page.frames()) details.push(`${frame.url()}: ${await described(frame)}`);
    if (said.length > 0) details.push("on the console:", ...said);
    // A new error, since reporters print the stack, which has the message of the time when the error was made.
    throw new Error(details.join("\n"), { cause: error });
  } finally {
    await page.close();
  }
}

/** How far a frame has come: its document, its questions and what it has loaded; or that it does not answer. */
const described = (frame) =>
  Promise.race([
    frame.evaluate(() => {
      const { readyState, visibilityState, documentElement, forms } = document;
      const loaded = performance.getEntriesByType("resource").map(({ name, responseEnd }) => `${name.split("/").pop()} ${Math.round(responseEnd)}`);
      return JSON.stringify({
        readyState, visibilityState, ready: documentElement.dataset.ready, types: [...forms].map((form) => form.dataset.type), loaded,
      });
    }).catch(String),
    new Promise((resolve) => setTimeout(resolve, 10_000, "no answer")),
  ]);

export const shot = (page, name) => page.screenshot({ path: `${artifacts}${name}.png`, fullPage: true });
export const field = (page, label, nth = 0) => page.locator("#form").getByLabel(label, { exact: true }).nth(nth);
export const finding = (page, pointer) => page.locator(`.findings[data-pointer="${pointer}"] .finding`);

/** Clicks into a formula until it has the focus. The first click can be lost while the view is redrawn. */
export async function enters(frame, input) {
  const focused = () => document.hasFocus() && document.activeElement?.tagName === "MATH-FIELD";
  for (let clicks = 0; clicks < 20; clicks++) {
    await input.click();
    if (await frame.evaluate(focused)) return;
  }
  assert.fail("the formula never gets the focus");
}

export async function sends(learner, expected) {
  await learner.getByRole("button", { name: "Check my answer" }).click();
  await learner.getByText("Complete: this can be sent.").waitFor();
  const sent = async () => JSON.parse((await learner.locator(".verdict").getAttribute("data-sent")) || "null");
  await becomes(sent, expected);
}

/** Returns the violations that axe finds in a frame. */
export const violations = async (frame) => {
  await frame.evaluate(axe);
  return frame.evaluate(async () => {
    const { violations } = await window.axe.run(document, { iframes: false, resultTypes: ["violations"] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.target.join(" ")} (${node.any.map((check) => check.message).join("; ")})`).join(", ")}`);
  });
};
