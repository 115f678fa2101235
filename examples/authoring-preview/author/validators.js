// The fields to edit for widgets that a standard validator judges, one form per validator. The public part, which the
// learner's page shows, is in `params`, the key in `validator.config`. Values that are in both are kept the same here.
import { Digits } from "../documents.js";
import { beside, card, check, choice, formula, id, inside, json, lines, newId, number, rows, text } from "./form.js";

const n = (text) => new Digits(text);
const config = (...fields) => inside("validator", inside("config", ...fields));
const weight = number("weight", "Earns", { extra: "small", placeholder: "1" });
const told = text("message", "Message for this answer", { placeholder: "optional; for those alone who gave it" });

/** The fields of the learner's page. */
const task = (...fields) => card("Task", inside("params", lines("label", "What to do", { rows: 2 }), ...fields));

/** Fields of an optional object, which a checkbox adds and removes. */
const optional = (key, label, make, ...fields) => (at) => {
  const here = at.in(key);
  const box = check(key, label)({
    ...at,
    in: () => ({ ...here, get: () => here.get() !== undefined, set: (on) => here.set(on ? make() : undefined, true) }),
  });
  return [box, ...(here.get() === undefined ? [] : inside(key, ...fields)(at))];
};

/** A field of the configuration that is also written to the parameters, because the learner's page needs it. */
const both = (field, key) => (at) => {
  const shared = { ...at, in: (...path) => {
    const here = at.in(...path);
    return { ...here, set(value, redraw) {
      const params = (at.root.params ??= {});
      if (value === undefined) delete params[key];
      else params[key] = value;
      here.set(value, redraw);
    } };
  } };
  return field(shared);
};

/**
 * The text that learners see for an entry of the configuration: the content of the entry of `params[list]` with the
 * same id.
 */
const shown = (list, label) => (at) => {
  const entry = () => (at.root.params?.[list] ?? []).find((item) => item.id === at.get().id);
  const here = at.in("content");
  return text("content", label, { extra: "grow", keep: true })({
    ...at,
    in: () => ({
      ...here,
      get: () => entry()?.content ?? "",
      set(value) {
        const found = entry();
        if (found) found.content = value;
        else ((at.root.params ??= {})[list] ??= []).push({ id: at.get().id, content: value });
        at.changed();
      },
    }),
  });
};

/** An id that the configuration and the parameters share. */
const sharedId = (list) => (at) => {
  const here = at.in("id");
  return id({
    ...at,
    in: () => ({
      ...here,
      set(value) {
        const found = (at.root.params?.[list] ?? []).find((item) => item.id === here.get());
        if (found) found.id = value;
        here.set(value);
      },
    }),
  });
};

/** Keeps `params[list]` in the order of the configuration. */
const follow = (list) => (root, entries) => {
  const known = new Map((root.params?.[list] ?? []).map((item) => [item.id, item]));
  (root.params ??= {})[list] = entries.map((entry) => known.get(entry.id) ?? { id: entry.id, content: "" });
};

const short_text = {
  title: "Short text",
  type: "widget",
  fields: [
    task(text("hint", "Placeholder of the answer box")),
    config(
      rows("alternatives", "Accepted answers", {
        one: "Answer", min: 1, max: 50, add: "Add an answer",
        top: [
          (at) => {
            const now = ["text", "wildcard", "pattern"].find((word) => word in at.get()) ?? "text";
            return choice("kind", "Is", [["text", "the text"], ["wildcard", "with * for anything"], ["pattern", "a pattern"]], {
              extra: "small",
              set: (_, word) => {
                const { [now]: value, ...rest } = at.get();
                at.set({ [word]: value, ...rest }, true);
              },
            })({ ...at, in: () => ({ ...at.in(now), pointer: `${at.pointer}/kind`, get: () => now }) });
          },
          (at) => text(["text", "wildcard", "pattern"].find((word) => word in at.get()) ?? "text", "Text", { extra: "grow", keep: true })(at),
          weight,
        ],
        more: [told],
        make: () => ({ text: "" }),
      }),
      rows("reject", "Wrong answers that are recognised", {
        one: "Wrong answer", max: 50, add: "Add a wrong answer",
        top: [text("text", "Text", { extra: "grow", keep: true })],
        more: [told],
        make: () => ({ text: "" }),
      }),
      card(
        "What counts",
        check("ignoreCase", "Capitals do not count", { initial: true }),
        check("ignoreAccents", "Accents do not count"),
        check("ignorePunctuation", "Punctuation does not count"),
        beside(
          choice("blanks", "Blanks", [["collapse", "several are one"], ["trim", "count inside"], ["keep", "all count"], ["remove", "none counts"]]),
          choice("wordOrder", "Word order", [["fixed", "fixed"], ["free", "free"]]),
          choice("numberWords", "Numbers in words", [["", "are words"], ["en", "are numbers (English)"]]),
        ),
        optional(
          "edits", "Misspellings are accepted", () => ({ limits: [{ from: n("5"), edits: n("1") }] }),
          rows("limits", "By length", {
            one: "Limit", min: 1, max: 10, add: "Add a limit",
            top: [number("from", "From so many letters"), number("edits", "So many edits")],
            make: () => ({ from: n("10"), edits: n("2") }),
          }),
          number("weight", "A misspelt answer earns", { placeholder: "1" }),
        ),
      ),
    ),
  ],
};

const number_text = {
  title: "Typed number",
  type: "widget",
  fields: [
    task(text("hint", "Placeholder of the answer box")),
    config(
      rows("answers", "Accepted answers", {
        one: "Answer", min: 1, max: 50, add: "Add an answer",
        top: [text("value", "Value, with its unit", { extra: "grow", keep: true }), weight],
        more: [optional("tolerance", "Within a tolerance", () => ({ relative: n("0.01") }), beside(number("relative", "Relative"), text("absolute", "Absolute"))), told],
        make: () => ({ value: "" }),
      }),
      card(
        "Digits",
        optional("significantFigures", "Significant figures", () => ({ exact: n("3") }), beside(
          number("exact", "Exactly"), number("min", "At least"), number("max", "At most"),
          choice("counting", "Zeros at the end of 100", [["liberal", "may count"], ["strict", "do not count"]]),
        )),
        optional("decimalPlaces", "Decimal places", () => ({ exact: n("2") }), beside(number("exact", "Exactly"), number("min", "At least"), number("max", "At most"))),
        beside(
          choice("notation", "Notation", [["any", "any"], ["decimal", "decimal"], ["scientific", "scientific"], ["fraction", "fraction"]]),
          choice("fractions", "Fractions", [["yes", "are taken"], ["reduced", "in lowest terms"], ["no", "are not taken"]]),
          both(choice("decimal", "Decimal sign", [["", "by language"], [".", "point"], [",", "comma"]]), "decimal"),
        ),
      ),
      card(
        "Unit",
        optional("units", "The answer has a unit", () => ({ mode: "convert" }), beside(
          choice("mode", "Units", [["convert", "are converted"], ["same", "must be that of the answer"]]),
          check("optional", "May be left out"),
        )),
        optional("partial", "Part of the score", () => ({ unit: n("0.5") }), beside(number("unit", "With a wrong unit"), number("digits", "With wrong digits"))),
      ),
    ),
  ],
};

const FORMS = [
  ["factored", "factored"], ["expanded", "expanded"], ["lowest_terms", "numbers in lowest terms"], ["rational_lowest_terms", "polynomials in lowest terms"],
  ["single_fraction", "a single fraction"], ["rational_denominator", "no roots below the bar"], ["simplest_radical", "roots in simplest form"],
  ["completed_square", "a completed square"], ["partial_fractions", "partial fractions"], ["scientific", "scientific notation"],
  ["line_standard", "a line, standard form"], ["line_slope", "a line, slope form"], ["circle", "a circle"], ["same", "as written"],
];

const form = {
  title: "Form of an expression",
  type: "widget",
  fields: [
    task(),
    config(
      card(
        "Key",
        formula("expression", "An expression that is equal", { hint: "Never part of the view." }),
        beside(choice("form", "Written as", FORMS), text("variable", "In the variable", { code: true })),
        number("weight", "An equal expression in another form earns", { placeholder: "0" }),
      ),
    ),
  ],
};

const choice_weights = {
  title: "Weighted choice",
  type: "widget",
  fields: [
    task(),
    config(
      rows("options", "Options", {
        one: "Option", min: 2, max: 20, add: "Add an option",
        top: [shown("options", "Text"), sharedId("options"), number("weight", "Weight", { extra: "small", keep: true, hint: "1/3, -0.5" })],
        more: [told],
        make: (root, list) => ({ id: newId(list), weight: n("0") }),
        onchange: follow("options"),
      }),
      card("Rules", beside(number("floor", "Never less than", { placeholder: "0" }), number("most", "At most so many options")),
        beside(number("base", "For a selection", { placeholder: "0" }), number("beyond", "Cost of each option beyond"))),
    ),
  ],
};

/** `a < b`, one per line, for pairs of ids. */
const pairs = (at) => {
  const here = at.in("before");
  return lines("before", "What comes before what", { rows: 4, code: true, keep: true, hint: "One pair of ids in a line: a < b" })({
    ...at,
    in: () => ({
      ...here,
      get: () => (here.get() ?? []).map((pair) => pair.join(" < ")).join("\n"),
      set: (typed) => {
        const list = typed.split("\n").filter((line) => line.trim() !== "");
        here.set(list.map((line) => line.split("<").map((word) => word.trim())));
      },
    }),
  });
};

const order_graph = {
  title: "Partial order",
  type: "widget",
  fields: [
    card(
      "Task",
      inside(
        "params",
        lines("label", "What to do", { rows: 2 }),
        rows("items", "Items that learners see", {
          one: "Item", min: 2, max: 20, add: "Add an item",
          top: [
            text("content", "Text", { extra: "grow", keep: true }),
            (at) => {
              const here = at.in("id");
              return id({ ...at, in: () => ({ ...here, set: (value) => {
                const { config } = at.root.validator;
                for (const list of ["items", "distractors"]) config[list] = (config[list] ?? []).map((one) => (one === here.get() ? value : one));
                config.before = (config.before ?? []).map((pair) => pair.map((one) => (one === here.get() ? value : one)));
                here.set(value);
              } }) });
            },
            (at) => {
              const { config } = at.root.validator;
              const own = at.get().id;
              return check("part", "Belongs to the order", { initial: true })({ ...at, in: () => ({
                ...at.in("part"),
                get: () => !(config.distractors ?? []).includes(own),
                set: (off) => {
                  const on = off === undefined;
                  config.items = at.root.params.items.map((item) => item.id).filter((one) => (one === own ? on : config.items.includes(one)));
                  config.distractors = at.root.params.items.map((item) => item.id).filter((one) => !config.items.includes(one));
                  at.changed(true);
                },
              }) });
            },
          ],
          make: (_, list) => ({ id: newId(list), content: "" }),
          onchange: (root, items) => {
            const { config } = root.validator;
            const ids = items.map((item) => item.id);
            config.distractors = (config.distractors ?? []).filter((one) => ids.includes(one));
            config.items = ids.filter((one) => !config.distractors.includes(one));
            config.before = (config.before ?? []).filter((pair) => pair.every((one) => config.items.includes(one)));
          },
        }),
      ),
    ),
    config(
      card(
        "Key",
        pairs,
        choice("credit", "A partly right order earns", [["none", "nothing"], ["edits", "by the items that are out of place"], ["longest_run", "by the longest right run"]]),
      ),
    ),
  ],
};

const INNER = {
  short_text: () => ({ alternatives: [{ text: "" }] }),
  number_text: () => ({ answers: [{ value: n("1") }] }),
  form: () => ({ expression: "x", form: "same" }),
};

const blanks = {
  title: "Blanks",
  type: "widget",
  fields: [
    task(),
    config(
      rows("blanks", "Blanks", {
        one: "Blank", min: 1, max: 20, add: "Add a blank",
        top: [
          (at) => {
            const here = at.in("label");
            const entry = () => ((at.root.params ??= {}).blanks ??= {});
            return text("label", "Text before it", { extra: "grow", keep: true })({ ...at, in: () => ({
              ...here,
              get: () => entry()[at.get().id]?.label ?? "",
              set: (value) => {
                entry()[at.get().id] = { ...entry()[at.get().id], label: value };
                at.changed();
              },
            }) });
          },
          (at) => {
            const here = at.in("validator");
            return choice("validator", "Answer", [["short_text", "short text"], ["number_text", "typed number"], ["form", "expression"]], {
              set: (_, word) => {
                at.root.params.blanks[at.get().id].validator = word;
                at.set({ ...at.get(), validator: word, config: INNER[word]() }, true);
              },
            })({ ...at, in: () => here });
          },
          number("weight", "Weight", { extra: "small", placeholder: "1" }),
        ],
        more: [json("config", "Its key", { rows: 5, hint: "The configuration of the validator." })],
        make: (root, list) => ({ id: newId(list), validator: "short_text", config: INNER.short_text() }),
        onchange: (root, list) => {
          const known = root.params?.blanks ?? {};
          (root.params ??= {}).blanks = Object.fromEntries(list.map((blank) => [blank.id, known[blank.id] ?? { validator: blank.validator, label: "" }]));
        },
      }),
      card(
        "Rules",
        choice("credit", "Credit", [["sum", "for each right blank"], ["all", "all or nothing"]]),
        choice("order", "An answer", [["fixed", "belongs to its blank"], ["free", "may be in any blank"]]),
      ),
    ),
  ],
};

export const standard = { short_text, number_text, form, choice_weights, order_graph, blanks };
