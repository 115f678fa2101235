// A formula: MathLive for typing, fablegrade-preview for the reading, KaTeX to show it.
import "../vendor/mathlive/mathlive.min.mjs";
import { h, message } from "../dom.js";
import { formula } from "./content.js";

window.MathfieldElement.fontsDirectory = new URL("../vendor/mathlive/fonts", import.meta.url).href;
window.MathfieldElement.soundsDirectory = null;

export function expression({ view, preview }) {
  const field = h("math-field", { "aria-label": "Your formula", "math-virtual-keyboard-policy": "manual" });
  const reading = h("div", { class: "reading", role: "status" });
  const listed = (view.variables ?? []).map((variable) => variable.name);
  const names = [
    listed.length > 0 && h("span", {}, `in ${listed.join(", ")}`),
    view.allowedFunctions && h("span", {}, view.allowedFunctions.length > 0 ? `functions: ${view.allowedFunctions.join(", ")}` : "no functions"),
  ].filter(Boolean);

  const show = () => {
    const latex = field.value;
    if (latex.trim() === "") {
      reading.replaceChildren(h("span", { class: "quiet" }, "How your formula is read shows here."));
      return;
    }
    const read = preview.understand(latex);
    if (!read.ok) {
      const [error] = read.errors;
      const { start, end } = error.span ?? { start: 0, end: 0 };
      reading.replaceChildren(
        h("div", { class: "bad" }, message(`${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}.`), error.expected ? ` Expected: ${error.expected}.` : ""),
        h("div", { class: "source" }, latex.slice(0, start), h("mark", {}, latex.slice(start, end) || "\u2423"), latex.slice(end)),
        ...(error.help ? [h("div", { class: "note" }, message(`Suggestion: ${error.help}.`))] : []),
      );
      return;
    }
    const remarks = [
      ...read.warnings.map((warning) => h("li", { class: "warn" }, message(warning.message))),
      ...read.notes.map((note) => h("li", {}, h("span", { class: "source" }, latex.slice(note.span.start, note.span.end)), ": ", message(note.message))),
    ];
    reading.replaceChildren(
      h("div", { class: "as", tabindex: "0", role: "group", "aria-label": "Your formula as it is read" }, h("span", {}, "Read as"), formula(read.latex)),
      ...(remarks.length > 0 ? [h("ul", {}, remarks)] : []),
    );
  };
  field.addEventListener("input", show);
  show();
  return {
    element: h(
      "div",
      { class: "choices" },
      h("span", { class: "label" }, "Your formula", names.length > 0 && h("span", { class: "note" }, " · ", names.flatMap((name, at) => (at > 0 ? [" · ", name] : [name])))),
      field,
      reading,
    ),
    submission: () => ({ type: "expression", latex: field.value }),
    missing: () => (field.value.trim() === "" ? "Write a formula." : undefined),
  };
}
