// The standard validators on the authoring page: questions are edited, previewed and answered. The form of an answer is checked
// without the key, and only the author sees its score.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { DESKTOP, PHONE, at, close, enters, field, finding, open, sends, shot, violations } from "./authoring-page.js";
import { becomes, drawn } from "./chromium.js";

before(open);
after(close);

const on = (name, use, viewport = DESKTOP) => at(name, use, viewport, "widget");
const graded = (page, text) => page.locator("#graded").getByText(text).first().waitFor();
/** Checks that the view that is sent contains no part of the key. */
async function hides(page, ...words) {
  await drawn(page);
  const sent = await page.locator("#view-json").textContent();
  assert.ok(sent.includes("widgetName"));
  for (const word of ["validator\": {", "config", '"weight"', ...words]) assert.ok(!sent.includes(word), word);
}

test("short text", () =>
  on("short_text", async ({ page, learner }) => {
    const answer = learner.getByLabel("Your answer");
    await answer.fill("Fotosynthesis");
    await graded(page, "90 %");
    await answer.fill("respiration");
    await graded(page, "That is the opposite.");
    await answer.fill("assimilation");
    await graded(page, "50 %");
    await hides(page, "photosynthesis", "respiration");
    await sends(learner, { type: "widget", state: { text: "assimilation" } });
    await field(page, "Is", 0).selectOption("pattern");
    await field(page, "Text", 0).fill("photo(");
    await page.locator(".finding.error").first().waitFor();
    await shot(page, "short-text-finding");
    await field(page, "Text", 0).fill("photo.*");
    await answer.fill("photography");
    await graded(page, "100 %");
    await answer.fill("x".repeat(20_000));
    await learner.locator(".said:not(:empty)").waitFor();
    await answer.fill("photo");
    await learner.locator(".said:not(:empty)").waitFor({ state: "detached" });
    await shot(page, "short-text");
  }));

test("typed number", () =>
  on("number_text", async ({ page, learner }) => {
    const answer = learner.getByLabel("Your answer");
    await answer.fill("45.0 km/h");
    await graded(page, "100 %");
    await answer.fill("12.5 m");
    await graded(page, "50 %");
    await answer.fill("45 km/h");
    await graded(page, "90 %");
    // Text that cannot be read is reported while it is typed, and cannot be sent.
    await answer.fill("12.5.0 m/s");
    await learner.locator(".said:not(:empty)").waitFor();
    const said = await learner.locator(".said").textContent();
    await learner.getByRole("button", { name: "Check my answer" }).click();
    await becomes(() => learner.locator(".verdict").textContent(), said);
    await shot(page, "typed-number-unreadable");
    await hides(page, "12.5");
    await field(page, "Decimal sign").selectOption(",");
    await drawn(page);
    assert.match(await page.locator("#view-json").textContent(), /"decimal": ","/);
    await learner.getByLabel("Your answer").fill("45.0 km/h");
    await learner.getByText("Check the decimal sign").first().waitFor();
    await learner.getByLabel("Your answer").fill("45,0 km/h");
    await graded(page, "100 %");
    await field(page, "Value, with its unit").fill("12.5 furlongs");
    await finding(page, "/validator/config/answers/0/value").waitFor();
    await shot(page, "typed-number");
  }));

test("form of an expression", () =>
  on("form", async ({ page, learner, frame }) => {
    const input = learner.locator("math-field");
    await enters(frame, input);
    await page.keyboard.type("(x-2)(x-3)");
    await graded(page, "100 %");
    await sends(learner, { type: "widget", state: { latex: "\\left(x-2\\right)\\left(x-3\\right)" } });
    await shot(page, "form");
    await frame.locator("math-field").evaluate((element) => {
      element.value = "x^2-5x+6";
      element.dispatchEvent(new Event("input", { bubbles: true }));
    });
    await graded(page, "25 %");
    await frame.locator("math-field").evaluate((element) => {
      element.value = "x+é";
      element.dispatchEvent(new Event("input", { bubbles: true }));
    });
    await learner.locator(".said:not(:empty)").waitFor();
    await hides(page, "5x+6\"", "factored");
    await field(page, "Written as").selectOption("expanded");
    await frame.locator("math-field").evaluate((element) => {
      element.value = "x^2-5x+6";
      element.dispatchEvent(new Event("input", { bubbles: true }));
    });
    await graded(page, "100 %");
  }));

test("weighted choice", () =>
  on("choice_weights", async ({ page, learner }) => {
    await learner.locator("input[value=k4]").check();
    await graded(page, "50 %");
    await learner.locator("input[value=b1]").check();
    await graded(page, "It is a quotient of integers.");
    await learner.locator("input[value=b1]").uncheck();
    await learner.locator("input[value=w7]").check();
    await graded(page, "100 %");
    await sends(learner, { type: "widget", state: { selected: ["k4", "w7"] } });
    await hides(page, "quotient");
    await page.getByRole("button", { name: "Add an option" }).click();
    await becomes(() => learner.getByRole("checkbox").count(), 5);
    await field(page, "Text", 4).fill("$e$");
    await becomes(() => learner.locator("label.option").nth(4).locator(".katex").count(), 1);
    await field(page, "Weight", 0).fill("1/0");
    await finding(page, "/validator/config/options/0/weight").waitFor();
    await field(page, "Weight", 0).fill("1/3");
    await page.getByRole("button", { name: "Remove: Option 5" }).click();
    await becomes(() => learner.getByRole("checkbox").count(), 4);
    await shot(page, "weighted-choice");
  }));

test("partial order", () =>
  on("order_graph", async ({ page, learner }) => {
    // From pour, grind, boil, sugar, line: pour is moved below boil, and sugar below the line.
    const step = (label) => learner.getByRole("button", { name: label, exact: true });
    await step("Down: Pour the water").click();
    await step("Down: Pour the water").click();
    await step("Down: Add sugar to the beans").click();
    await graded(page, "100 %");
    await sends(learner, { type: "widget", state: { order: ["g8", "f2", "t3"] } });
    // The other correct order.
    await step("Down: Grind the beans").click();
    await graded(page, "100 %");
    await hides(page, "before", "distractor");
    await field(page, "What comes before what").fill("g8 < t3\nf2 < t3\ng8 < f2");
    await step("Down: Boil the water").click();
    await step("Up: Boil the water").click();
    await graded(page, "partial");
    await field(page, "What comes before what").fill("g8 < t3\nt3 < g8");
    await page.locator(".finding.error").first().waitFor();
    await shot(page, "partial-order");
  }));

test("blanks", () =>
  on("blanks", async ({ page, learner }) => {
    await learner.getByLabel("The force that pulls things down is").fill("gravity");
    await graded(page, "33.3 %");
    await learner.getByLabel("On the ground it gives an acceleration of").fill("9,8 m/s^2 ?");
    await learner.locator(".said:not(:empty)").waitFor();
    await learner.getByLabel("On the ground it gives an acceleration of").fill("981 cm/s^2");
    await graded(page, "100 %");
    await sends(learner, { type: "widget", state: { blanks: { p6: "gravity", v2: "981 cm/s^2" } } });
    await hides(page, "gravity", "9.81");
    await page.getByRole("button", { name: "Add a blank" }).click();
    await becomes(() => learner.locator("input").count(), 3);
    await field(page, "Answer", 2).selectOption("form");
    await becomes(() => learner.locator("math-field").count(), 1);
    await field(page, "Its key", 0).fill('{"alternatives": []');
    await page.locator(".finding.error").first().waitFor();
    await shot(page, "blanks");
  }));

for (const name of ["short_text", "number_text", "form", "choice_weights", "order_graph", "blanks"]) {
  test(`${name}: accessible, at desktop and phone width`, async () => {
    for (const viewport of [DESKTOP, PHONE]) {
      await on(
        name,
        async ({ page, frame }) => {
          const wide = (one) => one.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
          await becomes(() => wide(page.mainFrame()), false, "the form fits");
          await becomes(() => violations(page.mainFrame()), []);
          if (viewport === PHONE) await page.getByRole("button", { name: "Preview" }).click();
          await frame.locator("form").waitFor();
          await becomes(() => wide(frame), false, "the question fits");
          await becomes(() => violations(frame), []);
          await shot(page, `${viewport === PHONE ? "phone" : "desktop"}-${name}`);
        },
        viewport,
      );
    }
  });
}
