// Content with formulas in dollars, rendered by KaTeX. Everything else stays text.
import katex from "../vendor/katex/katex.mjs";
import { h } from "../dom.js";

const SCROLLABLE = { tabindex: "0", role: "group", "aria-label": "Formula" };

// A display formula that is wider than its place can be focused, so that the arrow keys scroll it. Inside a button, the
// button has the focus.
const widths = new ResizeObserver((changes) => {
  for (const shown of new Set(changes.map(({ target }) => target.closest(".katex-display")))) {
    const scrolls = shown.scrollWidth > shown.clientWidth && shown.closest("button, [aria-hidden=true]") === null;
    for (const [name, value] of Object.entries(SCROLLABLE)) {
      if (scrolls) shown.setAttribute(name, value);
      else shown.removeAttribute(name);
    }
  }
});

/** Returns LaTeX as an element. If KaTeX cannot typeset it, the source is shown. */
export function formula(latex, displayMode = false) {
  const span = h("span");
  katex.render(latex, span, { displayMode, throwOnError: false, trust: false, strict: "ignore", maxSize: 20, maxExpand: 200 });
  // The parts of a formula get wider when their fonts are loaded, but its place does not.
  for (const part of span.querySelectorAll(".katex-display, .katex-display .base")) widths.observe(part);
  return span;
}

const MARKS = /\$\$([\s\S]+?)\$\$|\\\[([\s\S]+?)\\\]|\\\(([\s\S]+?)\\\)|\$(\S|\S[^\n]*?\S)\$/g;

/** Returns the parts of a text: plain texts and formulas. */
function prose(text) {
  const parts = [];
  let from = 0;
  for (const match of text.matchAll(MARKS)) {
    parts.push(text.slice(from, match.index));
    const display = match[1] ?? match[2];
    parts.push(formula(display ?? match[3] ?? match[4], display !== undefined));
    from = match.index + match[0].length;
  }
  return [...parts, text.slice(from)].filter((part) => part !== "");
}

/** Returns any content as an element: texts, lists, nodes with `text`, `value`, `latex`, `content` or `children`. */
export function content(value) {
  if (typeof value === "string") return h("span", {}, prose(value));
  if (Array.isArray(value)) return h("span", {}, value.map(content));
  if (value !== null && typeof value === "object") {
    if (typeof value.latex === "string") return formula(value.latex);
    return h("span", {}, ["text", "value", "content", "children"].filter((key) => key in value).map((key) => content(value[key])));
  }
  return h("span", {}, value === null || value === undefined ? "" : String(value));
}

/** Returns the text of content for a screen reader. */
export function spoken(value) {
  if (typeof value === "string") return value.replaceAll("$", "");
  if (Array.isArray(value)) return value.map(spoken).join(" ");
  if (value !== null && typeof value === "object") {
    return ["text", "value", "latex", "content", "children"].filter((key) => key in value).map((key) => spoken(value[key])).join(" ");
  }
  return String(value ?? "");
}

/** Returns a visible label and a separate name for screen readers, for example for a button whose label is a formula. */
export const named = (shown, said) => [h("span", { "aria-hidden": "true" }, shown), h("span", { class: "hidden-title" }, said)];
