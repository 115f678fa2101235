// The widgets that the standard validators judge. While the learner types, the page sends the state to its host, which
// answers whether it can be read. Without an answer, no message is shown.
import "../vendor/mathlive/mathlive.min.mjs";
import { h, fresh } from "../dom.js";
import { write } from "../documents.js";
import { content, spoken } from "./content.js";
import { ordering } from "./ordering.js";

window.MathfieldElement.fontsDirectory = new URL("../vendor/mathlive/fonts", import.meta.url).href;
window.MathfieldElement.soundsDirectory = null;

/** One line of text. */
function line(label, hint) {
  const id = fresh("w");
  const input = h("input", { type: "text", id, placeholder: hint, autocomplete: "off", spellcheck: "false" });
  return { element: h("div", { class: "choices" }, h("label", { for: id, class: "label" }, content(label)), input), value: () => input.value, empty: () => input.value.trim() === "" };
}

/** A formula. */
function formula(label) {
  const input = h("math-field", { "aria-label": label, "math-virtual-keyboard-policy": "manual" });
  return { element: h("div", { class: "choices" }, h("span", { class: "label" }, content(label)), input), value: () => input.value, empty: () => input.value.trim() === "" };
}

const known = {
  "short-text"({ hint }) {
    const input = line("Your answer", hint);
    return { element: input.element, state: () => ({ text: input.value() }), missing: () => (input.empty() ? "Write an answer." : undefined) };
  },
  "number-text"({ hint }) {
    const input = line("Your answer", hint);
    return { element: input.element, state: () => ({ text: input.value() }), missing: () => (input.empty() ? "Write a number." : undefined) };
  },
  formula() {
    const input = formula("Your formula");
    return { element: input.element, state: () => ({ latex: input.value() }), missing: () => (input.empty() ? "Write a formula." : undefined) };
  },
  "weighted-choice"({ options = [] }) {
    const inputs = options.map(({ id, content }) => h("input", { type: "checkbox", value: id, "aria-label": spoken(content) }));
    return {
      element: h("fieldset", {}, h("legend", { class: "quiet" }, "Tick all that apply"), h("div", { class: "choices" }, options.map((option, at) => h("label", { class: "option" }, inputs[at], content(option.content))))),
      state: () => ({ selected: inputs.filter((input) => input.checked).map((input) => input.value) }),
      missing: () => (inputs.some((input) => input.checked) ? undefined : "Tick at least one option."),
    };
  },
  order({ items = [] }, say) {
    // The items below this line are not part of the order.
    const end = "";
    const inner = ordering({ view: { items: [...items, { id: end, content: "— not used: everything below —" }] }, say });
    return {
      element: inner.element,
      state: () => {
        const { order } = inner.submission();
        return { order: order.slice(0, order.indexOf(end)) };
      },
      missing: () => inner.missing(),
    };
  },
  blanks({ blanks = {} }) {
    const parts = Object.entries(blanks).map(([id, { validator, label, hint }]) => [id, validator === "form" ? formula(label ?? id) : line(label ?? id, hint)]);
    return {
      element: h("div", { class: "choices" }, parts.map(([, part]) => part.element)),
      state: () => ({ blanks: Object.fromEntries(parts.map(([id, part]) => [id, part.value()])) }),
      missing: () => (parts.every(([, part]) => part.empty()) ? "Fill in at least one blank." : undefined),
    };
  },
};

/** The question of a known widget; undefined for any other. */
export function typed({ view, say }) {
  if (!Object.hasOwn(known, view.widgetName)) return undefined;
  const params = view.params ?? {};
  const made = known[view.widgetName](params, say);
  const about = h("p", { class: "note said", role: "status" });
  let told = "";
  const element = h("div", { class: "choices" }, params.label && h("p", { class: "prompt" }, content(params.label)), made.element, about);
  const ask = () => window.parent.postMessage({ state: write(made.state()) }, location.origin);
  element.addEventListener("input", ask);
  // An order changes by dragging and by buttons, without an input event.
  if (view.widgetName === "order") new MutationObserver(ask).observe(made.element, { childList: true, subtree: true });
  return {
    element,
    submission: () => ({ type: "widget", state: made.state() }),
    missing: () => made.missing() ?? (told || undefined),
    tell(said) {
      told = made.missing() === undefined ? said : "";
      about.textContent = told;
    },
  };
}
