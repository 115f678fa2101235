// The fields to edit for each question type.
import { Digits } from "../documents.js";
import { beside, boxes, card, check, choice, formula, id, inside, json, kindOf, lines, newId, number, rows, text, when, words } from "./form.js";
import { standard } from "./validators.js";

const LANGUAGES = [
  ["python", "Python"], ["javascript", "JavaScript"], ["c", "C"], ["cpp", "C++"], ["java", "Java"], ["rust", "Rust"], ["go", "Go"],
];
const MATCHERS = [
  ["trimmed_lines", "lines, blanks at their ends aside"],
  ["exact", "exactly"],
  ["tokens", "words and numbers"],
  ["json", "JSON value"],
  ["float_tolerance", "numbers within a tolerance"],
];

const said = (label) => text("content", label, { extra: "grow", keep: true });

export const forms = {
  multiple_choice: {
    title: "Multiple choice",
    fields: [
      rows("choices", "Choices", {
        one: "Choice", min: 2, max: 10, add: "Add a choice",
        top: [said("Text"), id, check("correct", "Correct", { keep: true })],
        more: [text("feedback", "Feedback when chosen", { placeholder: "optional; never part of the view" })],
        make: (_, list) => ({ id: newId(list), content: "", correct: false }),
      }),
      card(
        "Rules",
        check("multipleSelect", "Several choices may be selected"),
        check("partialCredit", "A partly right selection earns partial credit"),
        check("shuffleChoices", "Shuffle the choices", { initial: true }),
      ),
    ],
  },
  numeric: {
    title: "Numeric",
    fields: [
      card(
        "Accepted answer",
        kindOf("answer", "Accept", [
          { word: "value", shown: "a value", is: (answer) => !("min" in answer), make: () => ({ value: new Digits("1") }) },
          { word: "range", shown: "a range", is: (answer) => "min" in answer, make: () => ({ min: new Digits("0"), max: new Digits("1") }) },
        ]),
        when(
          ({ answer }) => !("min" in (answer ?? {})),
          inside(
            "answer",
            number("value", "Value"),
            (at) =>
              choice("tolerance", "Tolerance", [["", "none"], ["absolute", "absolute"], ["relative", "relative"]], {
                set: (here, word) => here.set(word === "" ? undefined : { mode: word, amount: here.get()?.amount ?? new Digits("0.01") }, true),
              })({ ...at, in: (...path) => ({ ...at.in(...path), get: () => at.in("tolerance").get()?.mode ?? "" }) }),
            when((answer) => answer?.tolerance !== undefined, inside("tolerance", number("amount", "Amount", { hint: "A relative tolerance is a fraction: 5 % is 0.05." }))),
          ),
        ),
        when(({ answer }) => "min" in (answer ?? {}), inside("answer", beside(number("min", "At least"), number("max", "At most")))),
        check("integerOnly", "Only integers are correct"),
      ),
      card(
        "Unit and hint",
        text("inputHint", "Placeholder of the answer box"),
        (at) => {
          const here = at.in("unit");
          const box = check("unit", "The answer has a unit")({
            ...at,
            in: () => ({ ...here, get: () => here.get() !== undefined, set: (on) => here.set(on ? { expected: "" } : undefined, true) }),
          });
          return box;
        },
        when(
          ({ unit }) => unit !== undefined,
          inside(
            "unit",
            text("expected", "Unit", { keep: true, hint: "Learners can see it." }),
            words("accepted", "Other spellings", { placeholder: "m/s^2, m s^-2" }),
            check("required", "A unit must be given"),
          ),
        ),
      ),
    ],
  },
  expression: {
    title: "Expression",
    fields: [
      card(
        "Key",
        formula("canonical", "Reference expression", { hint: "Never part of the view." }),
        choice(
          "equivalence",
          "An answer is right when it",
          [["symbolic", "has the same value everywhere"], ["numeric_sampling", "agrees at sample points"], ["literal", "has the same form"]],
          { redraw: true },
        ),
        when(
          ({ equivalence }) => equivalence === "numeric_sampling",
          beside(number("samplePoints", "Sample points", { placeholder: "20" }), number("tolerance", "Relative tolerance", { placeholder: "0.000001" })),
        ),
      ),
      rows("variables", "Variables", {
        one: "Variable", max: 10, add: "Add a variable", ordered: false,
        top: [
          text("name", "Name", { extra: "small", keep: true, code: true }),
          (at) => number("min", "From", { extra: "small", placeholder: "-10" })(at.in("domain")),
          (at) => number("max", "To", { extra: "small", placeholder: "10" })(at.in("domain")),
        ],
        make: () => ({ name: "" }),
      }),
      card(
        "Rules",
        words("allowedFunctions", "Allowed functions", { placeholder: "sin, cos, sqrt", hint: "Empty: all functions. Separate names with commas." }),
        check("forbidConstantAnswer", "A constant answer is incorrect if the key has variables", { initial: true }),
      ),
    ],
  },
  free_text: {
    title: "Free text",
    fields: [
      card(
        "Grading",
        choice("gradingMode", "Graded by", [["self_assess", "the learner, against a checklist"], ["peer_review", "another learner"], ["reviewer", "a reviewer"]]),
        beside(number("minWords", "At least (words)"), number("maxWords", "At most (words)")),
        check("allowMath", "Formulas are allowed", { initial: true }),
      ),
      rows("selfAssessChecklist", "Checklist", {
        one: "Line", max: 10, add: "Add a line", plain: true,
        top: [(at, index) => text(index, "Line", { extra: "grow", keep: true })(at)],
        make: () => "",
      }),
      rows("rubric", "Rubric", {
        one: "Criterion", max: 10, add: "Add a criterion",
        top: [text("criterion", "Criterion", { extra: "grow", keep: true }), number("points", "Points", { extra: "small" })],
        more: [text("description", "How to judge it", { placeholder: "optional" })],
        make: () => ({ criterion: "", points: new Digits("1") }),
      }),
    ],
  },
  code: {
    title: "Code",
    fields: [
      card(
        "Program",
        boxes("languages", "Languages", LANGUAGES),
        inside(
          "harness",
          choice("mode", "A program", [["stdin_stdout", "reads standard input and writes standard output"], ["function", "defines a function that is called"]], { redraw: true }),
          when((harness) => harness?.mode === "function", text("functionName", "Name of the function", { code: true })),
        ),
      ),
      rows("testSuites", "Test suites", {
        one: "Suite", min: 1, max: 10, add: "Add a suite", ordered: false,
        top: [
          text("name", "Suite", { extra: "grow", keep: true }),
          choice("visibility", "Visibility", [["public", "public"], ["hidden", "hidden"]], { extra: "grow" }),
        ],
        more: [
          rows("cases", "", {
            one: "Case", min: 1, max: 50, add: "Add a case",
            top: [
              text("name", "Case", { extra: "grow", placeholder: "optional name" }),
              number("points", "Points", { extra: "small", placeholder: "1" }),
            ],
            more: [
              beside(lines("input", "Input", { rows: 2, code: true, keep: true }), lines("expected", "Expected", { rows: 2, code: true, keep: true })),
              choice("matcher", "Compared as", MATCHERS),
            ],
            make: () => ({ input: "", expected: "" }),
          }),
        ],
        make: () => ({ name: "", visibility: "hidden", cases: [{ input: "", expected: "" }] }),
      }),
      card(
        "Starter code",
        (at) =>
          LANGUAGES.filter(([word]) => at.in("languages").get()?.includes(word)).map(([word, shown]) =>
            lines(word, shown, { code: true, rows: 3 })(at.in("starterCode")),
          ),
      ),
      card(
        "Limits",
        inside(
          "limits",
          beside(
            number("timeMsPerCase", "Time (ms)", { placeholder: "2000" }),
            number("memoryMb", "Memory (MiB)", { placeholder: "128" }),
            number("outputKb", "Output (KiB)", { placeholder: "64" }),
            number("sourceKb", "Source (KiB)", { placeholder: "64" }),
          ),
        ),
      ),
    ],
  },
  ordering: {
    title: "Ordering",
    fields: [
      card("Task", lines("prompt", "What to do", { rows: 2 })),
      rows("items", "Items, in the right order", {
        one: "Item", min: 2, max: 12, add: "Add an item",
        top: [
          said("Text"),
          (at) => id({ ...at, in: (...path) => ({ ...at.in(...path), set: (value) => { at.in(...path).set(value); followOrder(at.root); at.changed(); } }) }),
        ],
        make: (_, list) => ({ id: newId(list), content: "" }),
        onchange: (root, items) => followOrder(root, items),
      }),
      card(
        "Rules",
        choice("partialCredit", "A partly right order earns", [
          ["none", "nothing"], ["adjacent_pairs", "credit for right neighbours"], ["longest_subsequence", "credit for the longest right run"],
        ]),
      ),
    ],
  },
  matching: {
    title: "Matching",
    fields: [
      card("Task", lines("prompt", "What to do", { rows: 2 })),
      rows("left", "Left, with the right partner", {
        one: "Left item", min: 2, max: 10, add: "Add an item", ordered: false,
        top: [
          said("Text"),
          (at) => {
            const pairs = () => at.root.correctPairs ?? [];
            const left = at.get().id;
            const index = pairs().findIndex((pair) => pair.left === left);
            const options = [["", "no partner"], ...(at.root.right ?? []).map((item) => [item.id, plain(item.content)])];
            const here = at.in("partner");
            return choice("partner", "Partner", options, {
              extra: "grow",
              set: (_, right) => {
                const others = pairs().filter((pair) => pair.left !== left);
                at.root.correctPairs = right === "" ? others : [...others, { left, right }];
                at.changed(true);
              },
            })({
              ...at,
              in: () => ({ ...here, pointer: index < 0 ? `${at.pointer}/partner` : `/correctPairs/${index}`, get: () => pairs()[index]?.right ?? "" }),
            });
          },
        ],
        make: (_, list) => ({ id: newId(list), content: "" }),
        onchange: (root, left) => {
          root.correctPairs = (root.correctPairs ?? []).filter((pair) => left.some((item) => item.id === pair.left));
        },
      }),
      rows("right", "Right", {
        one: "Right item", min: 2, max: 14, add: "Add an item", ordered: false,
        top: [said("Text")],
        make: (_, list) => ({ id: newId(list), content: "" }),
        onchange: (root, right) => {
          root.correctPairs = (root.correctPairs ?? []).filter((pair) => right.some((item) => item.id === pair.right));
        },
      }),
      card(
        "Rules",
        check("allowManyToOne", "Several items may have the same partner"),
        check("partialCredit", "Some right pairs earn part of the score", { initial: true }),
      ),
    ],
  },
  widget: {
    title: "Widget",
    fields: [
      card(
        "Widget",
        beside(text("widgetName", "Name", { keep: true, code: true }), text("widgetVersion", "Version", { keep: true, code: true })),
        json("params", "Parameters", { hint: "Learners can see them. A number-line takes min, max, start and label." }),
      ),
      card(
        "Key",
        kindOf("validator", "The state is right when it", [
          { word: "state_equals", shown: "equals a state", is: (v) => v.kind === "state_equals", make: () => ({ kind: "state_equals", expectedState: {} }) },
          { word: "state_schema", shown: "fits a JSON Schema", is: (v) => v.kind === "state_schema", make: () => ({ kind: "state_schema", stateSchema: { type: "object", required: ["value"] } }) },
        ]),
        when(({ validator }) => validator?.kind === "state_equals", inside("validator", json("expectedState", "Expected state"))),
        when(({ validator }) => validator?.kind === "state_schema", inside("validator", json("stateSchema", "Schema", { rows: 7 }))),
      ),
    ],
  },
  ...standard,
};

/** Sets the key of an ordering question to the order of its list, which authors arrange. */
function followOrder(root, items = root.items) {
  root.correctOrder = items.map((item) => item.id);
}

const plain = (content) => (typeof content === "string" && content !== "" ? content : "(empty)");
