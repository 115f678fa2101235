// A question of each type to begin with.
import { Digits } from "../documents.js";

const n = (text) => new Digits(text);

export const samples = {
  multiple_choice: {
    type: "multiple_choice",
    choices: [
      { id: "c1", content: "$x^2 + y^2 = r^2$", correct: true, feedback: "Yes: every point has the distance $r$ from the origin." },
      { id: "c2", content: "$x^2 - y^2 = r^2$", correct: false },
      { id: "c3", content: "$x + y = r$", correct: false },
      { id: "c4", content: "$xy = r^2$", correct: false },
    ],
  },
  numeric: {
    type: "numeric",
    answer: { value: n("9.81"), tolerance: { mode: "absolute", amount: n("0.02") } },
    unit: { expected: "m/s²", accepted: ["m/s^2"] },
    inputHint: "two decimal places",
  },
  expression: {
    type: "expression",
    canonical: "\\frac{x^2-1}{x-1}",
    equivalence: "symbolic",
    variables: [{ name: "x" }],
    allowedFunctions: ["sqrt"],
  },
  free_text: {
    type: "free_text",
    gradingMode: "self_assess",
    minWords: n("20"),
    maxWords: n("120"),
    selfAssessChecklist: ["I say what is given and what is asked", "Every step follows from the one before"],
  },
  code: {
    type: "code",
    languages: ["python", "javascript"],
    starterCode: { python: "a, b = map(int, input().split())\n" },
    harness: { mode: "stdin_stdout" },
    testSuites: [
      {
        name: "examples",
        visibility: "public",
        cases: [
          { name: "small", input: "2 3\n", expected: "5\n" },
          { name: "negative", input: "-4 1\n", expected: "-3\n" },
        ],
      },
      { name: "hidden", visibility: "hidden", cases: [{ input: "1000000 1\n", expected: "1000001\n", points: n("3") }] },
    ],
    limits: {},
  },
  ordering: {
    type: "ordering",
    prompt: "Put the steps of a proof by induction in order.",
    items: [
      { id: "k7", content: "State the claim $P(n)$" },
      { id: "b3", content: "Prove $P(0)$" },
      { id: "x9", content: "Assume $P(n)$ for some $n$" },
      { id: "d2", content: "Prove $P(n+1)$ from it" },
      { id: "m5", content: "Conclude $P(n)$ for all $n$" },
    ],
    correctOrder: ["k7", "b3", "x9", "d2", "m5"],
    partialCredit: "adjacent_pairs",
  },
  matching: {
    type: "matching",
    prompt: "Which derivative belongs to which function?",
    left: [
      { id: "l1", content: "$\\sin x$" },
      { id: "l2", content: "$e^x$" },
      { id: "l3", content: "$\\ln x$" },
    ],
    right: [
      { id: "r1", content: "$\\frac{1}{x}$" },
      { id: "r2", content: "$\\cos x$" },
      { id: "r3", content: "$-\\cos x$" },
      { id: "r4", content: "$e^x$" },
    ],
    correctPairs: [
      { left: "l1", right: "r2" },
      { left: "l2", right: "r4" },
      { left: "l3", right: "r1" },
    ],
  },
  widget: {
    type: "widget",
    widgetName: "number-line",
    widgetVersion: "1.0.0",
    params: { min: n("-10"), max: n("10"), start: n("0"), label: "Move the point to −3" },
    validator: { kind: "state_equals", expectedState: { value: n("-3") } },
  },
  short_text: {
    type: "widget",
    widgetName: "short-text",
    widgetVersion: "1.0.0",
    params: { label: "What do plants do with light, water and carbon dioxide?", hint: "one word" },
    validator: {
      kind: "builtin",
      name: "short_text",
      config: {
        alternatives: [{ text: "photosynthesis" }, { text: "assimilation", weight: "1/2", message: "That is the wider word." }],
        reject: [{ text: "respiration", message: "That is the opposite." }],
        edits: { limits: [{ from: n("5"), edits: n("1") }, { from: n("10"), edits: n("2") }], weight: n("0.9") },
      },
    },
  },
  number_text: {
    type: "widget",
    widgetName: "number-text",
    widgetVersion: "1.0.0",
    params: { label: "A car goes 90 km in 2.00 hours. How fast is it, to three significant figures?", hint: "a number and its unit" },
    validator: {
      kind: "builtin",
      name: "number_text",
      config: { answers: [{ value: "12.5 m/s" }], significantFigures: { exact: n("3") }, units: { mode: "convert" }, partial: { unit: n("0.5"), digits: n("0.9") } },
    },
  },
  form: {
    type: "widget",
    widgetName: "formula",
    widgetVersion: "1.0.0",
    params: { label: "Factor $x^2-5x+6$." },
    validator: { kind: "builtin", name: "form", config: { expression: "x^2-5x+6", form: "factored", variable: "x", weight: "1/4" } },
  },
  choice_weights: {
    type: "widget",
    widgetName: "weighted-choice",
    widgetVersion: "1.0.0",
    params: {
      label: "Which numbers are irrational?",
      options: [{ id: "k4", content: "$\\sqrt{2}$" }, { id: "w7", content: "$\\pi$" }, { id: "b1", content: "$\\frac{22}{7}$" }, { id: "r9", content: "$\\sqrt{9}$" }],
    },
    validator: {
      kind: "builtin",
      name: "choice_weights",
      config: { options: [{ id: "k4", weight: "1/2" }, { id: "w7", weight: "1/2" }, { id: "b1", weight: n("-0.5"), message: "It is a quotient of integers." }, { id: "r9", weight: n("-0.5") }] },
    },
  },
  order_graph: {
    type: "widget",
    widgetName: "order",
    widgetVersion: "1.0.0",
    params: {
      label: "Put the steps in an order that works.",
      items: [{ id: "t3", content: "Pour the water" }, { id: "g8", content: "Grind the beans" }, { id: "f2", content: "Boil the water" }, { id: "s5", content: "Add sugar to the beans" }],
    },
    validator: {
      kind: "builtin",
      name: "order_graph",
      config: { items: ["t3", "g8", "f2"], before: [["g8", "t3"], ["f2", "t3"]], distractors: ["s5"], credit: "edits" },
    },
  },
  blanks: {
    type: "widget",
    widgetName: "blanks",
    widgetVersion: "1.0.0",
    params: {
      label: "Fill in the blanks.",
      blanks: {
        p6: { validator: "short_text", label: "The force that pulls things down is" },
        v2: { validator: "number_text", label: "On the ground it gives an acceleration of" },
      },
    },
    validator: {
      kind: "builtin",
      name: "blanks",
      config: {
        blanks: [
          { id: "p6", validator: "short_text", config: { alternatives: [{ text: "gravity" }, { text: "gravitation" }] } },
          { id: "v2", validator: "number_text", config: { answers: [{ value: "9.81 m/s^2", tolerance: { relative: n("0.01") } }], units: { mode: "convert" } }, weight: n("2") },
        ],
        credit: "sum",
      },
    },
  },
};
