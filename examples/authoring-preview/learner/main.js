// The learner's side. It gets only a view, and loads no code that reads keys.
import init, { Preview } from "../vendor/fablegrade-preview/index.js";
import { h, message } from "../dom.js";
import { write } from "../documents.js";
import { freeText, multipleChoice, numeric } from "./choice.js";
import { code } from "./code.js";
import { expression } from "./expression.js";
import { matching } from "./matching.js";
import { ordering } from "./ordering.js";
import { widget } from "./widget.js";

const kinds = { multiple_choice: multipleChoice, numeric, expression, free_text: freeText, code, ordering, matching, widget };
const form = document.querySelector("#question");
const said = document.querySelector("#said");
let shown;
let question;

function show(json) {
  if (json === shown) return; // an unchanged question keeps its answer
  const preview = Preview.open(json);
  if (!preview.ok) {
    form.replaceChildren(h("p", { class: "verdict bad" }, preview.errors.map((error) => `${error.message} (${error.pointer})`).join("; ")));
    return;
  }
  shown = json;
  question = kinds[preview.type]({ view: preview.view, preview, say: (text) => (said.textContent = text) });
  const verdict = h("p", { class: "verdict", role: "status" });
  // ANCHOR: check
  const answered = () => (question.missing() === undefined ? write(question.submission()) : undefined);
  let checked;
  const check = () => {
    checked = answered();
    const missing = question.missing();
    const answer = missing === undefined ? preview.check(checked) : undefined;
    const good = answer?.ok === true;
    verdict.className = `verdict ${good ? "good" : "bad"}`;
    verdict.replaceChildren(...message(missing ?? (good ? "Complete: this can be sent." : answer.errors.map((error) => error.message).join(" "))));
    verdict.dataset.sent = good ? answer.json : "";
  };
  // ANCHOR_END: check
  const clear = () => {
    // A formula's field reports a change a moment later; the verdict stays if the answer is still the one that was checked.
    if (checked !== undefined && checked === answered()) return;
    verdict.textContent = "";
    verdict.className = "verdict";
  };
  question.element.addEventListener("input", clear);
  form.onsubmit = (event) => {
    event.preventDefault();
    check();
  };
  form.replaceChildren(question.element, h("div", { class: "foot" }, h("button", { class: "primary" }, "Check my answer"), verdict));
  form.dataset.type = preview.type;
}

await init();

// ANCHOR: receive
// Listens from now on; earlier requests are answered below.
window.addEventListener("message", ({ origin, source, data }) => {
  if (origin !== location.origin || source !== window.parent) return;
  if (typeof data.view === "string") show(data.view);
  else if (typeof data.said === "string") question?.tell?.(data.said);
  else window.parent.postMessage({ ready: true }, location.origin);
});

// ANCHOR_END: receive

new ResizeObserver(() => {
  window.parent.postMessage({ height: document.querySelector("main").getBoundingClientRect().height }, location.origin);
}).observe(document.querySelector("main"));
window.parent.postMessage({ ready: true }, location.origin);
