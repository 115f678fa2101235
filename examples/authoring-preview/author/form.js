// A form made from a list of fields. A field shows one place of the spec and takes the findings about it.
import { h, fresh } from "../dom.js";
import { Digits, digits, read, write } from "../documents.js";

/** A location in the spec: its JSON pointer, and functions to get and set its value (undefined removes it). */
export function place(root, path, changed) {
  const parts = path;
  const holder = () => parts.slice(0, -1).reduce((value, part) => value?.[part], root);
  return {
    pointer: parts.map((part) => `/${String(part).replace(/~/g, "~0").replace(/\//g, "~1")}`).join(""),
    get: () => parts.reduce((value, part) => value?.[part], root),
    set(value, redraw = false) {
      let at = root;
      for (const part of parts.slice(0, -1)) at = at[part] ??= {};
      if (value === undefined && !Array.isArray(at)) delete at[parts.at(-1)];
      else at[parts.at(-1)] = value;
      changed(redraw);
    },
    in: (...more) => place(root, [...parts, ...more], changed),
    holder,
    changed,
    root,
  };
}

/** Returns the list for the findings about a pointer. */
const slot = (pointer) => h("ul", { class: "findings", "data-pointer": pointer });

function labelled(at, label, control, hint, extra = "") {
  const id = fresh("f");
  const about = fresh("h");
  control.id = id;
  if (hint !== undefined) control.setAttribute("aria-describedby", about);
  return h(
    "div",
    { class: `field ${extra}` },
    h("label", { for: id }, label),
    control,
    hint !== undefined && h("span", { class: "hint", id: about }, hint),
    slot(at.pointer),
  );
}

const orNothing = (text) => (text === "" ? undefined : text);

/** One line of text. */
export const text = (key, label, { hint, keep = false, extra, placeholder, code } = {}) => (at) => {
  const here = at.in(key);
  const value = here.get();
  const input = h("input", {
    type: "text",
    class: code && "code",
    placeholder,
    spellcheck: code ? "false" : undefined,
    value: typeof value === "string" ? value : value === undefined ? "" : write(value),
    oninput: () => here.set(keep ? input.value : orNothing(input.value)),
  });
  return labelled(here, label, input, hint, extra);
};

/** Several lines of text. */
export const lines = (key, label, { hint, rows = 3, code = false, keep = false, extra } = {}) => (at) => {
  const here = at.in(key);
  const area = h("textarea", {
    rows,
    class: code && "code",
    spellcheck: code ? "false" : undefined,
    value: here.get() ?? "",
    oninput: () => here.set(keep ? area.value : orNothing(area.value)),
  });
  return labelled(here, label, area, hint, extra);
};

/** A number with all its digits. Any other input stays a text, so the linter reports its location. */
export const number = (key, label, { hint, extra, placeholder } = {}) => (at) => {
  const here = at.in(key);
  const value = here.get();
  const input = h("input", {
    type: "text",
    inputmode: "decimal",
    placeholder,
    value: value instanceof Digits ? value.text : (value ?? ""),
    oninput: () => here.set(input.value.trim() === "" ? undefined : (digits(input.value) ?? input.value)),
  });
  return labelled(here, label, input, hint, extra);
};

/** Yes or no. `initial` is the value of an absent field; with `keep`, the field is written even if it has this value. */
export const check = (key, label, { initial = false, keep = false, redraw = false } = {}) => (at) => {
  const here = at.in(key);
  const id = fresh("f");
  const box = h("input", {
    type: "checkbox",
    id,
    checked: here.get() ?? initial,
    onchange: () => here.set(box.checked === initial && !keep ? undefined : box.checked, redraw),
  });
  return h("div", { class: "field" }, h("div", { class: "check" }, box, h("label", { for: id }, label)), slot(here.pointer));
};

/** One of a few words. `options` is a list of [word, label], or a function that returns one. */
export const choice = (key, label, options, { hint, redraw = false, initial, extra, set } = {}) => (at) => {
  const here = at.in(key);
  const list = typeof options === "function" ? options(at.root) : options;
  const select = h(
    "select",
    {
      onchange: () => (set === undefined ? here.set(orNothing(select.value), redraw) : set(here, select.value)),
    },
    list.map(([word, shown]) => h("option", { value: word }, shown)),
  );
  select.value = here.get() ?? initial ?? list[0][0];
  return labelled(here, label, select, hint, extra);
};

/** A formula in MathLive. */
export const formula = (key, label, { hint } = {}) => (at) => {
  const here = at.in(key);
  const fieldId = fresh("f");
  const input = h("math-field", { "aria-label": label, "math-virtual-keyboard-policy": "manual" });
  input.value = here.get() ?? "";
  input.addEventListener("input", () => here.set(input.value));
  return h(
    "div",
    { class: "field" },
    h("span", { class: "label", id: fieldId }, label),
    input,
    hint !== undefined && h("span", { class: "hint" }, hint),
    slot(here.pointer),
  );
};

/** Words separated by commas. */
export const words = (key, label, { hint, placeholder } = {}) => (at) => {
  const here = at.in(key);
  const input = h("input", {
    type: "text",
    placeholder,
    value: (here.get() ?? []).join(", "),
    oninput: () => {
      const list = input.value.split(",").map((word) => word.trim()).filter((word) => word !== "");
      here.set(list.length === 0 ? undefined : list);
    },
  });
  return labelled(here, label, input, hint);
};

/** A set of words, one box each. */
export const boxes = (key, label, options) => (at) => {
  const here = at.in(key);
  const toggle = (word, on) => {
    const now = here.get() ?? [];
    here.set(on ? [...now, word] : now.filter((other) => other !== word), true);
  };
  return h(
    "fieldset",
    { class: "row" },
    h("legend", {}, label),
    h(
      "div",
      { class: "languages" },
      options.map(([word, shown]) => {
        const id = fresh("f");
        const box = h("input", {
          type: "checkbox",
          id,
          checked: (here.get() ?? []).includes(word),
          onchange: () => toggle(word, box.checked),
        });
        return h("div", { class: "check" }, box, h("label", { for: id }, shown));
      }),
    ),
    slot(here.pointer),
  );
};

/** Any JSON value. */
export const json = (key, label, { hint, rows = 4 } = {}) => (at) => {
  const here = at.in(key);
  const value = here.get();
  const area = h("textarea", {
    rows,
    class: "code",
    spellcheck: "false",
    value: value === undefined ? "" : write(value, "", "  "),
    oninput: () => {
      try {
        here.set(area.value.trim() === "" ? undefined : read(area.value));
      } catch {
        here.set(area.value); // a text where an object belongs: the linter says so
      }
    },
  });
  return labelled(here, label, area, hint);
};

/** Fields side by side. */
export const beside = (...fields) => (at) => h("div", { class: "pair" }, fields.map((field) => field(at)));

/** Fields of an object below `key`. */
export const inside = (key, ...fields) => (at) => {
  const here = at.in(key);
  return [...fields.map((field) => field(here)), slot(here.pointer)].flat();
};

/** Fields that are shown only if a condition on the spec holds. */
export const when = (condition, ...fields) => (at) => (condition(at.get(), at.root) ? fields.map((field) => field(at)) : []);

/** A card with a heading. */
export const card = (title, ...fields) => (at) =>
  h("fieldset", { class: "card" }, h("legend", {}, title), fields.map((field) => field(at)).flat(2));

const glyph = { up: "↑", down: "↓", remove: "×" };

/**
 * Rows that can be added, moved and removed. `top` is on one line with the buttons, `more` below.
 * `onchange(root, rows)` is called when rows are added, removed or moved.
 */
export const rows = (key, title, { one, top, more = [], make, min = 0, max, onchange, add = "Add", ordered = true, plain = false }) => (at) => {
  const here = at.in(key);
  const list = here.get() ?? [];
  const put = (next, focus) => {
    const gone = next.length === 0 && min === 0;
    onchange?.(at.root, next);
    here.set(gone ? undefined : next, focus ?? true);
  };
  const moved = (from, to) => {
    const next = [...list];
    next.splice(to, 0, ...next.splice(from, 1));
    put(next, `${here.pointer}/${to}`);
  };
  const rows = list.map((_, index) => {
    const item = here.in(index);
    const name = `${one} ${index + 1}`;
    const button = (word, disabled, act) =>
      h(
        "button",
        { type: "button", "aria-label": `${word === "remove" ? "Remove" : `Move ${word}`}: ${name}`, disabled, onclick: act },
        glyph[word],
      );
    return h(
      "fieldset",
      { class: "row", "data-row": item.pointer },
      h("legend", { class: "hidden-title" }, name),
      h(
        "div",
        { class: "top" },
        top.map((field) => field(plain ? here : item, index)),
        h(
          "div",
          { class: "buttons" },
          ordered && button("up", index === 0, () => moved(index, index - 1)),
          ordered && button("down", index === list.length - 1, () => moved(index, index + 1)),
          button("remove", list.length <= min, () => put(list.filter((_, other) => other !== index))),
        ),
      ),
      more.map((field) => field(item, index)).flat(2),
      slot(item.pointer),
    );
  });
  const adder = h(
    "button",
    { type: "button", class: "add", onclick: () => put([...list, make(at.root, list)], `${here.pointer}/${list.length}`) },
    add,
  );
  return h(
    "fieldset",
    { class: title ? "card" : "bare" },
    h("legend", { class: title ? undefined : "hidden-title" }, title || add),
    rows,
    (max === undefined || list.length < max) && adder,
    slot(here.pointer),
  );
};

/** Returns a short random id, which reveals neither the position nor the correctness of its item. */
export function newId(taken) {
  const letters = "bcdfghjkmnpqrstvwxz";
  for (;;) {
    const id = letters[Math.floor(Math.random() * letters.length)] + Math.floor(Math.random() * 90 + 10);
    if (!taken.some((item) => item.id === id)) return id;
  }
}

export const id = text("id", "Id", { extra: "small", keep: true, code: true });

/** Chooses among kinds of an object; `is` recognises the current kind. */
export const kindOf = (key, label, kinds) => (at) => {
  const now = kinds.find(({ is }) => is(at.in(key).get() ?? {}));
  const options = kinds.map(({ word, shown }) => [word, shown]);
  return choice(key, label, options, {
    set: (here, word) => here.set(kinds.find((kind) => kind.word === word).make(), true),
  })({ ...at, in: (...path) => ({ ...at.in(...path), get: () => now?.word }) });
};
