// The authoring page in Chromium: questions of each type are edited, previewed and answered, with a mouse and with only a keyboard.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { PHONE, at, close, enters, field, finding, open, sends, shot, violations } from "./authoring-page.js";
import { PATIENCE, becomes, drawn } from "./chromium.js";

before(open);
after(close);


test("multiple choice", () =>
  at("multiple_choice", async ({ page, learner }) => {
    await field(page, "Text", 1).fill("$a \\ne b$ <b>not bold</b>");
    await learner.getByText("<b>not bold</b>").waitFor();
    await becomes(() => learner.locator(".katex").count(), 4);
    await page.getByRole("button", { name: "Add a choice" }).click();
    await becomes(() => learner.getByRole("radio").count(), 5);
    await field(page, "Id", 4).fill("c1");
    await finding(page, "/choices/4/id").getByText("this id is in the list already").waitFor();
    await page.getByRole("button", { name: "Remove: Choice 5" }).click();
    await field(page, "Correct", 0).uncheck();
    await page.getByText("no choice is marked correct").waitFor();
    await shot(page, "multiple-choice-finding");
    await field(page, "Correct", 0).check();
    await field(page, "Several choices may be selected").check();
    await becomes(() => learner.getByRole("checkbox").count(), 4);
    // The view that is sent contains no part of the key, and another learner sees another order.
    await drawn(page);
    assert.ok(!/correct|feedback|distance/.test(await page.locator("#view-json").textContent()));
    const order = () => learner.locator("input").evaluateAll((inputs) => inputs.map((input) => input.value).join());
    const orders = new Set();
    for (let learners = 0; learners < 12; learners += 1) {
      orders.add(await order());
      await page.getByRole("button", { name: "Another learner" }).click();
      await drawn(page);
    }
    assert.ok(orders.size > 1);
    await learner.getByRole("button", { name: "Check my answer" }).click();
    await learner.getByText("Tick at least one choice.").waitFor();
    await learner.locator("input[value=c1]").check();
    await learner.locator("input[value=c3]").check();
    const ids = (await order()).split(",").filter((id) => ["c1", "c3"].includes(id));
    await sends(learner, { type: "multiple_choice", selectedChoiceIds: ids });
    await shot(page, "multiple-choice");
  }));

test("a formula that is wider than its place is scrolled with the arrow keys", () =>
  at(
    "multiple_choice",
    async ({ page, learner, frame }) => {
      const long = Array.from({ length: 10 }, (_, at) => `x_{${at}}`).join("+");
      await field(page, "Text", 1).fill(`$$\\frac{${long}}{2}$$`);
      await field(page, "Text", 2).fill("$$x+1$$");
      await page.getByRole("button", { name: "Preview" }).click();
      const formula = learner.getByRole("group", { name: "Formula", exact: true });
      await becomes(() => learner.locator(".katex-display").count(), 2);
      await becomes(() => formula.count(), 1);
      await becomes(() => violations(frame), []);
      await formula.focus();
      await page.keyboard.press("ArrowRight");
      await becomes(() => formula.evaluate((element) => element.scrollLeft > 0), true);
      // In a wide window it fits.
      await page.setViewportSize({ width: 2400, height: 844 });
      await becomes(() => formula.count(), 0);
    },
    PHONE,
  ));

test("numeric", () =>
  at("numeric", async ({ page, learner }) => {
    await field(page, "Placeholder of the answer box").fill("metres per second squared");
    await learner.getByPlaceholder("metres per second squared").waitFor();
    await field(page, "Tolerance").selectOption("relative");
    await field(page, "Value").fill("0");
    await finding(page, "/answer/tolerance").getByText("a relative tolerance around zero").waitFor();
    await field(page, "Accept").selectOption("range");
    await field(page, "At least").fill("5");
    await finding(page, "/answer/min").getByText("above the largest").waitFor();
    await shot(page, "numeric-finding");
    await field(page, "At most").fill("9,5");
    await page.getByText("Nothing to mend").waitFor();
    const box = learner.getByLabel("Your answer");
    await box.fill("nine");
    await learner.getByRole("button", { name: "Check my answer" }).click();
    await learner.getByText("This is not a number.").waitFor();
    await box.fill("9.80");
    await learner.getByLabel("Unit, such as m/s²").fill("m/s²");
    await sends(learner, { type: "numeric", unit: "m/s²", value: 9.8 });
    await box.fill("9007199254740993");
    await learner.getByRole("button", { name: "Check my answer" }).click();
    await learner.locator('.verdict[data-sent*="9007199254740993"]').waitFor();
    await shot(page, "numeric");
  }));

test("expression", () =>
  at("expression", async ({ page, learner, frame }) => {
    const key = page.locator("#form math-field");
    await key.focus();
    await key.press("Control+a");
    await page.keyboard.type("x^2");
    await page.waitForFunction(() => document.querySelector("#form math-field").value === "x^2");
    await field(page, "Allowed functions").fill("sin, cos");
    await learner.getByText("functions: sin, cos").waitFor();
    await enters(frame, learner.locator("math-field"));
    await page.keyboard.type("1/2");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.type("x+y");
    await learner.getByText("The symbol y does not occur in this question.").waitFor();
    await learner.locator(".reading .katex").waitFor();
    await shot(page, "expression-warning");
    await page.keyboard.press("Backspace");
    await page.keyboard.press("Backspace");
    await learner.getByText("The symbol y does not occur").waitFor({ state: "detached" });
    await sends(learner, { type: "expression", latex: "\\frac12x" });
    // An error in a formula is shown at its position.
    await frame.locator("math-field").evaluate((element) => {
      element.value = "x+é";
      element.dispatchEvent(new Event("input", { bubbles: true }));
    });
    await becomes(() => learner.locator(".source mark").textContent(), "é");
    await learner.getByRole("button", { name: "Check my answer" }).click();
    await learner.getByText("The formula cannot be read at character 3").waitFor();
    await shot(page, "expression");
    // No part of the key is in the view.
    assert.ok(!(await page.locator("#view-json").textContent()).includes("canonical"));
  }));

test("free text", () =>
  at("free_text", async ({ page, learner }) => {
    await field(page, "At least (words)").fill("40");
    await field(page, "At most (words)").fill("20");
    await finding(page, "/minWords").getByText("no text fits").waitFor();
    await field(page, "At least (words)").fill("4");
    await field(page, "At most (words)").fill("10");
    await learner.getByText("0 words · 4 to 10 words").waitFor();
    const area = learner.getByLabel("Your text, formulas in $dollars$");
    await area.fill("Let $x^2+y$ grow.");
    await learner.getByText("3 words · 4 to 10 words").waitFor();
    await learner.getByRole("button", { name: "Check my answer" }).click();
    await learner.getByText("Minimum number of words: 4; yours: 3.").waitFor();
    await area.fill("Let $x^2+y$ grow without end.");
    await learner.getByLabel("Every step follows from the one before").check();
    await sends(learner, { type: "free_text", content: "Let $x^2+y$ grow without end.", selfAssessment: [false, true] });
    await shot(page, "free-text");
  }));

test("code", () =>
  at("code", async ({ page, learner }) => {
    await field(page, "Expected", 0).fill("six\n");
    await learner.getByText("six").waitFor();
    const tried = learner.getByLabel("Try an output");
    await tried.nth(0).fill("six");
    await learner.locator(".badge.passed").waitFor();
    await tried.nth(1).fill("3");
    await learner.locator(".badge.failed").waitFor();
    await learner.getByText("line 1, character 1").waitFor();
    await learner.getByText("1 of 2 public cases pass, 1 of 2 points.").waitFor();
    await shot(page, "code-cases");
    // Only the name of the hidden suite is in the view.
    const sent = await page.locator("#view-json").textContent();
    assert.ok(sent.includes('"hidden"') && !sent.includes("1000001"));
    await field(page, "A program").selectOption("function");
    await finding(page, "/harness").getByText("function mode needs the name").waitFor();
    await field(page, "A program").selectOption("stdin_stdout");
    await learner.getByLabel("Language").selectOption("javascript");
    await learner.getByLabel("Your program: it reads standard input").fill("console.log(5)");
    await sends(learner, { type: "code", language: "javascript", source: "console.log(5)" });
    await shot(page, "code");
  }));

const order = (learner) => learner.locator(".item").evaluateAll((items) => items.map((item) => item.dataset.id));

test("ordering, by mouse", () =>
  at("ordering", async ({ page, learner }) => {
    await field(page, "What to do").fill("First things first, as in $n$.");
    await learner.getByText("First things first").waitFor();
    assert.ok(!(await page.locator("#view-json").textContent()).includes("correctOrder"));
    const before = await order(learner);
    const first = await learner.locator(".item .grip").first().boundingBox();
    const last = await learner.locator(".item .grip").last().boundingBox();
    await page.mouse.move(first.x + 6, first.y + 8);
    await page.mouse.down();
    await page.mouse.move(first.x + 6, first.y + 80, { steps: 4 });
    await page.mouse.move(last.x + 6, last.y + last.height, { steps: 10 });
    await shot(page, "ordering-drag");
    await page.mouse.up();
    const dragged = [...before.slice(1), before[0]];
    await becomes(() => order(learner), dragged);
    await learner.locator(".item .steps button").nth(1).click();
    const stepped = [dragged[1], dragged[0], ...dragged.slice(2)];
    await becomes(() => order(learner), stepped);
    await sends(learner, { type: "ordering", order: stepped });
    await shot(page, "ordering");
    // The author's list is the key: moving an item changes the key but not the view.
    const sent = await page.locator("#view-json").textContent();
    await page.getByRole("button", { name: "Move down: Item 1" }).click();
    await drawn(page);
    assert.equal(await page.locator("#view-json").textContent(), sent);
  }));

test("matching, by mouse", () =>
  at("matching", async ({ page, learner }) => {
    await field(page, "Text", 0).fill("$\\tan x$");
    await learner.locator(".what", { hasText: "tan" }).waitFor();
    assert.ok(!(await page.locator("#view-json").textContent()).includes("correctPairs"));
    const target = (id) => learner.locator(`[data-left=${id}]`);
    const chip = (id) => learner.locator(`.pool [data-right=${id}]`);
    // One pair is made by dragging, the other by clicking.
    const [from, to] = [await chip("r2").boundingBox(), await target("l1").boundingBox()];
    await page.mouse.move(from.x + 10, from.y + 10);
    await page.mouse.down();
    await page.mouse.move(to.x + 40, to.y + 20, { steps: 8 });
    await shot(page, "matching-drag");
    await page.mouse.up();
    await target("l1").and(learner.locator(".filled")).waitFor();
    await chip("r4").click();
    await target("l2").click();
    await target("l2").and(learner.locator(".filled")).waitFor();
    await becomes(() => learner.locator(".pool button").count(), 2);
    // A pair is removed and added again.
    await target("l2").click();
    await becomes(() => learner.locator(".pool button").count(), 3);
    await chip("r4").click();
    await target("l3").click();
    const pairs = { l1: "r2", l3: "r4" };
    const shown = await learner.locator(".target").evaluateAll((targets) => targets.map((element) => element.dataset.left));
    await sends(learner, { type: "matching", pairs: shown.filter((left) => left in pairs).map((left) => ({ left, right: pairs[left] })) });
    await shot(page, "matching");
    await field(page, "Partner", 0).selectOption("");
    await page.getByText("this item has no partner in the key").waitFor();
  }));

test("widget", () =>
  at("widget", async ({ page, learner }) => {
    await field(page, "Parameters").fill('{ "min": 0, "max": 5, "start": 2, "label": "How many?" }');
    const range = learner.getByLabel("How many?");
    await range.waitFor();
    await range.fill("4");
    await sends(learner, { type: "widget", state: { value: 4 } });
    assert.ok(!(await page.locator("#view-json").textContent()).includes("expectedState"));
    await shot(page, "widget");
    await field(page, "Parameters").fill('{ "min": ');
    await finding(page, "/params").getByText("expected an object").waitFor();
    await page.getByText("There is no preview yet").waitFor();
    await field(page, "Parameters").fill("{}");
    await field(page, "Name").fill("some-other-widget");
    await learner.getByLabel("The state it would send").fill('{"x": 1.50}');
    await sends(learner, { type: "widget", state: { x: 1.5 } });
  }));

test("the spec as JSON", () =>
  at("numeric", async ({ page, learner }) => {
    await page.getByRole("button", { name: "JSON" }).click();
    const area = page.getByLabel("The spec as JSON");
    await area.fill('{"type":"numeric","answer":{"value":1},"inputHint":"by hand","extra":1}');
    await page.getByText("this field is not part of the document").waitFor();
    await area.fill('{"type":"numeric","answer":');
    await page.getByText("mend the JSON").waitFor();
    await area.fill('{"type":"numeric","answer":{"value":1},"inputHint":"by hand"}');
    await learner.getByPlaceholder("by hand").waitFor();
    await page.getByRole("button", { name: "JSON" }).click();
    await becomes(() => field(page, "Placeholder of the answer box").inputValue(), "by hand");
    await page.getByRole("button", { name: "Reset" }).click();
    await learner.getByPlaceholder("two decimal places").waitFor();
  }));

/** Presses Tab until the element has the focus, as a user without a mouse would. */
async function tabTo(page, frame, selector, text = "") {
  for (let presses = 0; presses < 120; presses += 1) {
    await page.keyboard.press("Tab");
    const found = await frame.evaluate(
      ([wanted, said]) => {
        const active = document.activeElement;
        return document.hasFocus() && active !== null && active.matches(wanted) && (active.getAttribute("aria-label") ?? active.textContent ?? "").includes(said);
      },
      [selector, text],
    );
    if (found) return;
  }
  assert.fail(`the focus never came to ${selector} ${text}`);
}

/** Presses a key until it has an effect: a busy browser can lose a key press. */
async function presses(page, key, shows) {
  for (let tries = 0; tries < 4; tries += 1) {
    await page.keyboard.press(key);
    const seen = await shows.waitFor({ timeout: PATIENCE / 4 }).then(() => true, () => false);
    if (seen) return;
  }
  await shows.waitFor();
}

const answers = {
  multiple_choice: async (page, frame) => {
    await tabTo(page, frame, "input[type=radio]");
    await page.keyboard.press("ArrowDown");
  },
  numeric: async (page, frame) => {
    await tabTo(page, frame, "input");
    await page.keyboard.type("-1.5e3");
  },
  expression: async (page, frame) => {
    await tabTo(page, frame, "math-field");
    await page.keyboard.type("x+1");
  },
  free_text: async (page, frame) => {
    await tabTo(page, frame, "textarea");
    await page.keyboard.type("word ".repeat(20));
    await tabTo(page, frame, "input[type=checkbox]");
    await page.keyboard.press("Space");
  },
  code: async (page, frame) => {
    await tabTo(page, frame, "select");
    await page.keyboard.press("ArrowDown");
    await tabTo(page, frame, "textarea");
    await page.keyboard.type("print(1)");
  },
  ordering: async (page, frame) => {
    const ids = () => frame.locator(".item").evaluateAll((items) => items.map((item) => item.dataset.id));
    const before = await ids();
    await tabTo(page, frame, ".grip");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await becomes(ids, [before[1], before[2], before[0], ...before.slice(3)]);
    await page.keyboard.press("Home");
    await becomes(ids, before);
    await page.keyboard.press("End");
    await becomes(ids, [...before.slice(1), before[0]]);
    await frame.locator("#said").filter({ hasText: "place 5 of 5" }).waitFor({ state: "attached" });
  },
  matching: async (page, frame) => {
    await tabTo(page, frame, ".chip");
    await page.keyboard.press("Enter"); // takes it; the focus goes to the first free place
    await page.keyboard.press("Enter");
    await becomes(() => frame.locator(".target.filled").count(), 1);
    await frame.locator("#said").filter({ hasText: ":" }).waitFor({ state: "attached" });
    await tabTo(page, frame, ".chip");
    await page.keyboard.press("Space");
    await page.keyboard.press("Escape"); // lets it go
    await becomes(() => frame.locator(".chip[aria-pressed=true]").count(), 0);
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await becomes(() => frame.locator(".target.filled").count(), 2);
  },
  widget: async (page, frame) => {
    await tabTo(page, frame, "input[type=range]");
    await page.keyboard.press("ArrowLeft");
    await becomes(() => frame.locator("output").textContent(), "-1");
  },
};

for (const [type, answer] of Object.entries(answers)) {
  test(`${type}: by keyboard alone`, () =>
    at(type, async ({ page, frame }) => {
      // First, the author's form: its first text can be reached and changed.
      const before = await page.locator("#view-json").textContent();
      await tabTo(page, page.mainFrame(), "#form input[type=text], #form textarea, #form math-field");
      await page.keyboard.type("7");
      await drawn(page);
      const follows = (wanted) => page.waitForFunction(([text, same]) => (document.querySelector("#view-json").textContent === text) === same, [before, wanted]);
      // Changes of the key do not change what is sent.
      await follows(["expression", "numeric"].includes(type));
      await page.keyboard.press("Control+z");
      await follows(true);
      await answer(page, frame);
      await tabTo(page, frame, "button.primary");
      await presses(page, "Enter", frame.getByText("Complete: this can be sent."));
    }));
}

for (const type of Object.keys(answers)) {
  test(`${type}: accessible, at desktop and phone width`, async () => {
    await at(type, async ({ page, frame }) => {
      await page.locator("details.sent summary").click();
      await becomes(() => violations(page.mainFrame()), []);
      await becomes(() => violations(frame), []);
      // Both sides show an error.
      await page.getByRole("button", { name: "JSON" }).click();
      await page.locator("#form textarea").fill("{");
      await page.getByText("mend the JSON").waitFor();
      await frame.getByRole("button", { name: "Check my answer" }).click();
      await frame.locator(".verdict:not(:empty)").waitFor();
      await becomes(() => violations(page.mainFrame()), []);
      await becomes(() => violations(frame), []);
    });
    await at(
      type,
      async ({ page, frame }) => {
        const wide = (one) => one.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
        await becomes(() => wide(page.mainFrame()), false, "the form fits a phone");
        await becomes(() => violations(page.mainFrame()), []);
        await shot(page, `phone-${type}-edit`);
        await page.getByRole("button", { name: "Preview" }).click();
        await frame.locator("form").waitFor();
        await becomes(() => wide(page.mainFrame()), false, "the preview fits a phone");
        await becomes(() => wide(frame), false, "the question fits a phone");
        await becomes(() => violations(page.mainFrame()), []);
        await becomes(() => violations(frame), []);
        await shot(page, `phone-${type}-preview`);
      },
      PHONE,
    );
  });
}
