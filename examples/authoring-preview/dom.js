// Creates elements in one call. Strings become text nodes, never HTML.

/** h("label", { class: "x", onclick: f }, "text", child, ...) */
export function h(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "value" || key === "checked") element[key] = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== undefined && child !== null && child !== false));
  return element;
}

/** Returns the nodes of a message of the library, with texts in `backquotes` as code. */
export function message(text) {
  const parts = text.split("`");
  return parts.length % 2 === 0 ? [text] : parts.map((part, at) => (at % 2 === 1 ? h("code", {}, part) : part));
}

let last = 0;

/** Returns a new id, unique on the page. */
export const fresh = (prefix) => `${prefix}-${(last += 1)}`;
