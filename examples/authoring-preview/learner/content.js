// Content with formulas in dollars, rendered by KaTeX. Everything else stays text.
import katex from "../vendor/katex/katex.mjs";
import { h } from "../dom.js";

/** LaTeX as an element; what KaTeX cannot show stays visible as its source. */
export function formula(latex, displayMode = false) {
  const span = h("span");
  katex.render(latex, span, { displayMode, throwOnError: false, trust: false, strict: "ignore", maxSize: 20, maxExpand: 200 });
  // Long formulas scroll, so the keyboard must reach them.
  return span;
}

const MARKS = /\$\$([\s\S]+?)\$\$|\\\[([\s\S]+?)\\\]|\\\(([\s\S]+?)\\\)|\$(\S|\S[^\n]*?\S)\$/g;

/** A text with its formulas. */
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

/** Any content: texts, lists of it, nodes with `text`, `latex`, `content` or `children`. */
export function content(value) {
  if (typeof value === "string") return h("span", {}, prose(value));
  if (Array.isArray(value)) return h("span", {}, value.map(content));
  if (value !== null && typeof value === "object") {
    if (typeof value.latex === "string") return formula(value.latex);
    return h("span", {}, ["text", "value", "content", "children"].filter((key) => key in value).map((key) => content(value[key])));
  }
  return h("span", {}, value === null || value === undefined ? "" : String(value));
}

/** What a screen reader says of a content. */
export function spoken(value) {
  if (typeof value === "string") return value.replaceAll("$", "");
  if (Array.isArray(value)) return value.map(spoken).join(" ");
  if (value !== null && typeof value === "object") {
    return ["text", "value", "latex", "content", "children"].filter((key) => key in value).map((key) => spoken(value[key])).join(" ");
  }
  return String(value ?? "");
}

/** Something shown to the eye, and said in its own words: a button whose label is a formula has a name. */
export const named = (shown, said) => [h("span", { "aria-hidden": "true" }, shown), h("span", { class: "hidden-title" }, said)];
