// The author's side: it holds the spec with its key, lints and delivers it, and hands the view to the learner's page.
import "../vendor/mathlive/mathlive.min.mjs";
import init, { checkState, deliver, grade, lint } from "../vendor/fablegrade-author/index.js";
import { h, message } from "../dom.js";
import { read, write } from "../documents.js";
import { place } from "./form.js";
import { forms } from "./forms.js";
import { samples } from "./samples.js";

window.MathfieldElement.fontsDirectory = new URL("../vendor/mathlive/fonts", import.meta.url).href;
window.MathfieldElement.soundsDirectory = null;

const find = (selector) => document.querySelector(selector);
const page = {
  types: find(".types"), form: find("#form"), summary: find("#summary"), frame: find(".frame"), learner: find("#learner"),
  noView: find("#no-view"), json: find("#view-json"), asJson: find("#as-json"), title: find("#edit-title"), graded: find("#graded"),
};
const specs = structuredCloneOf(samples);
let type = "multiple_choice";
let seed = 1;
let learnerReady = false;
let view;
let due = false;
let given; // the last state that the learner's page sent

function structuredCloneOf(value) {
  return read(write(value));
}

function changed(redraw = false) {
  if (redraw !== false) draw(redraw === true ? undefined : redraw);
  if (due) return;
  due = true;
  requestAnimationFrame(() => {
    due = false;
    refresh();
  });
}

/** Redraws the form, and restores the focus, or sets it to the row that was added or moved. */
function draw(row) {
  const active = document.activeElement;
  const before = page.form.contains(active) ? [...page.form.querySelectorAll("input, select, textarea, button, math-field")].indexOf(active) : -1;
  const form = forms[type];
  page.title.textContent = form.title;
  if (page.asJson.getAttribute("aria-pressed") === "true") {
    const area = h("textarea", {
      class: "code document",
      spellcheck: "false",
      "aria-label": "The spec as JSON",
      value: write(specs[type], "", "  "),
      oninput: () => {
        try {
          const spec = read(area.value);
          const wanted = forms[type].type ?? type;
          if (spec === null || typeof spec !== "object" || spec.type !== wanted) throw new SyntaxError(`keep "type": "${wanted}"`);
          specs[type] = spec;
          changed();
        } catch (error) {
          const said = String(error.message);
          show([{ severity: "error", rule: "json-syntax", pointer: "", message: said, help: "mend the JSON" }]);
        }
      },
    });
    page.form.replaceChildren(h("ul", { class: "findings", "data-pointer": "" }), area);
  } else {
    const at = place(specs[type], [], changed);
    const fields = form.fields.map((field) => field(at)).flat(3);
    page.form.replaceChildren(h("ul", { class: "findings", "data-pointer": "" }), ...fields);
  }
  const target = row === undefined
    ? before >= 0 && [...page.form.querySelectorAll("input, select, textarea, button, math-field")][before]
    : page.form.querySelector(`[data-row="${CSS.escape(row)}"] :is(input, textarea, select)`);
  if (target) target.focus();
}

/** Shows each finding next to its field, or else next to the nearest enclosing field that the form shows. */
function show(findings) {
  const slots = new Map([...page.form.querySelectorAll(".findings")].map((slot) => [slot.dataset.pointer, slot]));
  for (const slot of slots.values()) slot.replaceChildren();
  for (const finding of findings) {
    let pointer = finding.pointer;
    // The form has no separate field for the order of an ordering question.
    if (type === "ordering" && pointer.startsWith("/correctOrder")) pointer = "/items";
    while (pointer !== "" && !slots.has(pointer)) pointer = pointer.slice(0, pointer.lastIndexOf("/"));
    (slots.get(pointer) ?? slots.get("")).append(
      h(
        "li",
        { class: `finding ${finding.severity}` },
        h("b", {}, { error: "Error", warning: "Warning", info: "Note" }[finding.severity]),
        " · ",
        message(finding.message),
        h("span", { class: "help" }, finding.help === "" ? "" : ["→ ", ...message(finding.help)]),
      ),
    );
  }
  const count = (severity) => findings.filter((finding) => finding.severity === severity).length;
  const parts = [["error", "error"], ["warning", "warning"], ["info", "note"]]
    .map(([severity, word]) => [severity, word, count(severity)])
    .filter(([, , number]) => number > 0)
    .map(([severity, word, number]) => h("span", { class: `count ${severity}` }, `${number} ${word}${number === 1 ? "" : "s"}`));
  page.summary.replaceChildren(...(parts.length > 0 ? parts : [h("span", { class: "count good" }, "Nothing to mend")]));
}

// ANCHOR: refresh
function refresh() {
  const text = write(specs[type]);
  const found = lint(text);
  show(found.ok ? found.findings : found.errors.map((error) => ({ severity: "error", ...error })));
  const delivered = deliver(text, `learner ${seed}`);
  view = delivered.ok ? delivered.json : undefined;
  page.noView.hidden = view !== undefined;
  page.learner.hidden = view === undefined;
  page.json.textContent = view === undefined ? "" : JSON.stringify(delivered.view, undefined, 2);
  send();
  if (given !== undefined) answered(given);
}

/** The view, and nothing else, goes to the learner's page. */
function send() {
  if (learnerReady && view !== undefined) page.learner.contentWindow.postMessage({ view }, location.origin);
}
// ANCHOR_END: refresh

window.addEventListener("message", ({ origin, source, data }) => {
  if (origin !== location.origin || source !== page.learner.contentWindow) return;
  if (data.ready) {
    learnerReady = true;
    send();
  }
  if (typeof data.state === "string") answered(data.state);
  if (typeof data.height === "number") page.learner.style.height = `${Math.min(Math.ceil(data.height), 20_000)}px`;
});

// ANCHOR: answered
/** Sends the learner's page the message about an unreadable state, and shows the score to the author only. */
function answered(state) {
  given = state;
  const { validator, params } = specs[type];
  if (validator?.kind !== "builtin") return;
  const form = checkState(validator.name, state, write(params ?? {}));
  const said = form.ok && form.said ? `${form.said.blank ? `${form.said.blank}: ` : ""}${form.said.text}` : "";
  page.learner.contentWindow.postMessage({ said }, location.origin);
  const graded = grade(write(specs[type]), `{"type":"widget","state":${state}}`);
  if (!graded.ok) return page.graded.replaceChildren();
  const { verdict, score, feedback = [] } = graded.result;
  const share = typeof score === "number" ? `, ${Math.round(1000 * score) / 10} %` : "";
  page.graded.replaceChildren("With the key: ", h("b", {}, `${verdict}${share}`), ...feedback.map((told) => h("span", {}, ` · ${told.message}`)));
}
// ANCHOR_END: answered

function choose(next) {
  if (!(next in forms)) return;
  type = next;
  page.graded.replaceChildren();
  given = undefined;
  for (const link of page.types.children) {
    if (link.hash === `#${type}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  page.types.querySelector("[aria-current]").scrollIntoView({ block: "nearest", inline: "center" });
  draw();
  refresh();
}

function pressed(button, act) {
  button.addEventListener("click", () => {
    const on = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(on));
    act(on);
  });
}

page.types.append(...Object.entries(forms).map(([word, { title }]) => h("a", { href: `index.html#${word}` }, title)));
page.form.addEventListener("submit", (event) => event.preventDefault());
pressed(page.asJson, () => {
  draw();
  refresh();
});
pressed(find("#narrow"), (on) => page.frame.classList.toggle("narrow", on));
find("#reset").addEventListener("click", () => {
  specs[type] = structuredCloneOf(samples[type]);
  draw();
  refresh();
});
find("#shuffle").addEventListener("click", () => {
  seed += 1;
  refresh();
});
for (const button of document.querySelectorAll("[data-show]")) {
  button.addEventListener("click", () => {
    document.body.dataset.pane = button.dataset.show;
    for (const other of document.querySelectorAll("[data-show]")) other.setAttribute("aria-pressed", String(other === button));
  });
}
window.addEventListener("hashchange", () => choose(location.hash.slice(1)));

await init();
page.learner.contentWindow?.postMessage({ hello: true }, location.origin);
choose(location.hash.slice(1) in forms ? location.hash.slice(1) : type);
document.documentElement.dataset.ready = "true";
