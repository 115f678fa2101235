// The pages of `fablegrade analyse`, `regrade` and `import` in Debian's Chromium: wide and narrow, light and dark.
// The environment variable FABLEGRADE is the path of the program. Screenshots are written to test-artifacts/reports.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { becomes, launch } from "./chromium.js";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const pictures = fileURLToPath(new URL("../../test-artifacts/reports/", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "fablegrade-reports-"));
const file = (name) => join(folder, name);
let browser;

const choices = ["a", "b", "c"].map((id) => ({ id, content: id, correct: id === "a" }));
const variables = [{ name: "x" }];
const bank = [
  ...Array.from({ length: 12 }, (_, at) => ({ item: `question-${at}`, spec: { type: "multiple_choice", choices } })),
  { item: "<script>alert(1)</script>", spec: { type: "multiple_choice", choices } },
  { item: "a-very-long-name-".repeat(8), spec: { type: "numeric", answer: { value: 3.1416 } } },
  { item: "formula", spec: { type: "expression", canonical: "x^2+2x+1", equivalence: "literal", variables } },
];

/** Sixty sittings. The first half chooses wrongly, more often in later questions. */
function attempts() {
  const lines = [];
  for (let sitting = 0; sitting < 60; sitting += 1) {
    bank.forEach(({ item, spec }, at) => {
      const right = sitting >= 30 || (sitting + at) % 5 === 0;
      const submission = {
        multiple_choice: { type: "multiple_choice", selectedChoiceIds: [right ? "a" : "b"] },
        numeric: { type: "numeric", value: right ? 3.14 : 3.1416 },
        expression: { type: "expression", latex: right ? "(x+1)^2" : ["x^2+1", "1+x^2"][sitting % 2] },
      }[spec.type];
      lines.push({ item, sitting: `Ada ${sitting}`, submission });
    });
  }
  return lines;
}

const item = `<assessmentItem identifier="q" title="&lt;script>alert(2)&lt;/script> ${"long ".repeat(40)}">
  <responseDeclaration identifier="RESPONSE" cardinality="single" baseType="identifier">
    <mapping><mapEntry mapKey="a" mappedValue="1"/><mapEntry mapKey="b" mappedValue="-1"/></mapping></responseDeclaration>
  <outcomeDeclaration identifier="SCORE" cardinality="single" baseType="float"/>
  <itemBody><choiceInteraction responseIdentifier="RESPONSE" maxChoices="1">
    <simpleChoice identifier="a">A</simpleChoice><simpleChoice identifier="b">B</simpleChoice></choiceInteraction></itemBody>
  <responseProcessing template="http://www.imsglobal.org/question/qti_v2p1/rptemplates/map_response"/></assessmentItem>`;

function run(...parameters) {
  const done = spawnSync(process.env.FABLEGRADE, parameters, { encoding: "utf8" });
  assert.ok(done.status === 0 || done.status === 1, done.stderr);
}

before(async () => {
  mkdirSync(pictures, { recursive: true });
  const write = (name, lines) => writeFileSync(file(name), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  write("bank.jsonl", bank);
  write("attempts.jsonl", attempts());
  run("analyse", file("attempts.jsonl"), "--bank", file("bank.jsonl"), "--html", file("analysis.html"), "--fixes", file("fixed.jsonl"));
  run("regrade", "--old", file("bank.jsonl"), "--new", file("fixed.jsonl"), file("attempts.jsonl"), "--report", file("regrade.html"));
  writeFileSync(file("item.xml"), item);
  run("import", file("item.xml"), file("bank.jsonl"), "--report", file("import.html"));
  run("analyse", file("attempts.jsonl"), "--bank", file("bank.jsonl"), "--html", file("sittings.html"), "--sittings");
  browser = await launch();
});

after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

for (const [width, colorScheme] of [[1280, "light"], [1280, "dark"], [390, "light"], [390, "dark"]]) {
  for (const name of ["analysis", "regrade", "import", "sittings"]) {
    test(`${name} at ${width} pixels, ${colorScheme}`, async () => {
      const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
      const trouble = [];
      page.on("pageerror", (error) => trouble.push(String(error)));
      page.on("console", (message) => message.type() === "error" && trouble.push(message.text()));
      page.on("request", (request) => request.url().startsWith("file:") || trouble.push(request.url()));
      page.on("dialog", (dialog) => trouble.push(dialog.message()));
      await page.goto(pathToFileURL(file(`${name}.html`)).href);
      await page.screenshot({ path: join(pictures, `${name}-${width}-${colorScheme}.png`), fullPage: true });
      await page.evaluate(() => document.querySelectorAll("details").forEach((one) => (one.open = true)));
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `${wide} pixels beyond the screen`);
      await page.evaluate(axe);
      const violations = await page.evaluate(async () => {
        const found = await window.axe.run(document, { resultTypes: ["violations"] });
        return found.violations.map(({ id, nodes }) => [id, nodes[0].html]);
      });
      assert.deepEqual(violations, []);
      assert.deepEqual(trouble, []);
      assert.equal((await page.content()).includes("Ada"), name === "sittings", "names of sittings only where they are asked for");
      await page.close();
    });
  }
}

test("the keyboard sorts the table and opens an item", async () => {
  const page = await browser.newPage();
  await page.goto(pathToFileURL(file("analysis.html")).href);
  const column = () => page.$$eval("table.sortable tbody tr", (rows) => rows.map((row) => Number(row.cells[2].dataset.value)));
  const heading = page.locator("table.sortable th", { hasText: "Facility" });
  await heading.locator("button").focus();
  await page.keyboard.press("Enter");
  assert.equal(await heading.getAttribute("aria-sort"), "ascending");
  const up = await column();
  assert.deepEqual(up, [...up].sort((x, y) => x - y));
  assert.equal(new Set(up).size > 1, true);
  await page.keyboard.press("Enter");
  assert.equal(await heading.getAttribute("aria-sort"), "descending");
  assert.deepEqual(await column(), [...up].sort((x, y) => y - x));
  await page.locator("table.sortable a", { hasText: /^formula$/ }).focus();
  await page.keyboard.press("Enter");
  await becomes(() => page.locator("details[open] summary").count(), 1);
  assert.match(await page.locator("details[open]").innerText(), /\(x\+1\)\^2/);
  await page.close();
});
