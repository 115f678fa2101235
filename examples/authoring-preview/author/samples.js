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
};
