// Widgets belong to their hosts. This page has one as an example; for other widgets, it shows the state as JSON.
import { h, fresh } from "../dom.js";
import { Digits, read, write } from "../documents.js";
import { content } from "./content.js";
import { typed } from "./typed.js";

const known = {
  /** `{min, max, start, label}`; its state is `{value}`. */
  "number-line"({ min = -10, max = 10, start = 0, label = "Move the point" }) {
    const id = fresh("w");
    const shown = h("output", { for: id });
    const range = h("input", { type: "range", id, min, max, step: 1, value: start });
    const show = () => {
      shown.textContent = range.value;
    };
    range.addEventListener("input", show);
    show();
    return {
      element: h("div", { class: "line" }, h("label", { for: id }, content(label), " · ", shown), range, h("div", { class: "ends" }, h("span", {}, min), h("span", {}, max))),
      state: () => ({ value: new Digits(range.value) }),
    };
  },
};

export function widget({ view, say }) {
  const answer = typed({ view, say });
  if (answer) return answer;
  const made = Object.hasOwn(known, view.widgetName) ? known[view.widgetName](view.params ?? {}) : undefined;
  if (made) return { element: made.element, submission: () => ({ type: "widget", state: made.state() }), missing: () => undefined };
  const id = fresh("w");
  const area = h("textarea", { id, class: "code", rows: 5, spellcheck: "false", value: write(view.params ?? {}, "", "  ") });
  const parsed = () => {
    try {
      const state = read(area.value);
      return state !== null && typeof state === "object" && !Array.isArray(state) ? state : undefined;
    } catch {
      return undefined;
    }
  };
  return {
    element: h(
      "div",
      { class: "choices" },
      h("p", { class: "note" }, `The host shows its widget ${view.widgetName} ${view.widgetVersion} here.`),
      h("div", {}, h("label", { for: id, class: "label" }, "The state it would send"), area),
    ),
    submission: () => ({ type: "widget", state: parsed() ?? {} }),
    missing: () => (parsed() === undefined ? "The state must be a JSON object." : undefined),
  };
}
