// Runs the vectors of tests/vectors as calls of the two packages.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { vectors as folder } from "./places.js";

/** Returns all vectors: the parsed lines, each with a function that returns the text of a document as written. */
export function vectors() {
  const files = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith("vectors.jsonl")).sort();
  return files.flatMap((file) =>
    readFileSync(join(folder, file), "utf8").trimEnd().split("\n").map((line) => {
      const vector = JSON.parse(line);
      return { ...vector, text: (field) => documentText(vector, line, field) };
    }),
  );
}

function documentText(vector, line, field) {
  if (vector[`${field}Text`] !== undefined) return vector[`${field}Text`];
  if (vector[`${field}Parts`] !== undefined) return vector[`${field}Parts`].map(([part, times]) => part.repeat(times)).join("");
  return vector[field] === undefined ? undefined : fieldText(line, field);
}

/** Returns the text of a field of the outermost object as written, so numbers keep their notation. */
function fieldText(line, name) {
  const value = /[^\s,:[\]{}"]+/y;
  const string = /"(?:[^"\\]|\\.)*"/y;
  let at = line.indexOf("{") + 1;
  const blank = () => {
    while (" \t,:".includes(line[at])) at += 1;
  };
  const token = (pattern) => {
    pattern.lastIndex = at;
    const [text] = pattern.exec(line);
    at += text.length;
    return text;
  };
  const skip = () => {
    const from = at;
    let depth = 0;
    do {
      if (line[at] === '"') token(string);
      else if ("[{".includes(line[at])) (depth += 1), (at += 1);
      else if ("]}".includes(line[at])) (depth -= 1), (at += 1);
      else if (depth > 0 && " \t,:".includes(line[at])) at += 1;
      else token(value);
    } while (depth > 0);
    return line.slice(from, at);
  };
  for (;;) {
    blank();
    if (line[at] === "}") return undefined;
    const key = JSON.parse(token(string));
    blank();
    const text = skip();
    if (key === name) return text;
  }
}

const sorted = (rows) => rows.map((row) => row.join(" ")).sort();

/** Returns the reason why a vector is not run here, or undefined. No other vectors are left out. */
export function reason(vector) {
  if (vector.kind === "check" && vector.schema === "Attempt") return "an attempt's envelope is read where it is graded";
  return undefined;
}

/**
 * Runs one vector. `call(package, name, ...given)` returns a reply; `same(what, expected, found)` compares.
 * A grade vector is graded by the author's package. The learner's package does what needs no key: it checks the submission,
 * gives the message of a refusal, judges public cases, and reads the result.
 */
export function drive(vector, call, same) {
  switch (vector.kind) {
    case "match": {
      const bytes = (text) => (vector.enc === "base64" ? new Uint8Array(Buffer.from(text, "base64")) : new TextEncoder().encode(text));
      const tolerance = vector.text("floatTolerance") ?? "";
      same("accept", vector.accept, call("preview", "matchOutput", vector.matcher, bytes(vector.expected), bytes(vector.actual), tolerance).accept);
      return;
    }
    case "check": {
      const instance = vector.text("instance");
      const reply = vector.schema === "AnswerSpec" ? call("author", "deliver", instance, "") : call("preview", "read", vector.schema, instance);
      same("valid", vector.valid, reply.ok);
      same("rules", sorted(vector.rules), reply.ok ? [] : sorted(reply.errors.map((error) => [error.pointer, error.rule])));
      return;
    }
    case "deliver": {
      const delivered = call("author", "deliver", vector.text("spec"), vector.seed);
      same("view", vector.view, delivered.json);
      same("view, read and written", vector.view, call("preview", "read", "DeliveryView", delivered.json).json);
      return;
    }
    case "lint": {
      const { findings } = call("author", "lint", vector.text("spec"));
      same("findings", sorted(vector.findings), sorted(findings.map((finding) => [finding.severity, finding.rule, finding.pointer])));
      return;
    }
    case "grade": {
      const parts = ["submission", "attempt", "outcomes", "context"].map((part) => vector.text(part) ?? "");
      const graded = call("author", "grade", vector.text("spec"), ...parts);
      if (vector.error !== undefined) {
        same("graded", false, graded.ok);
        same("rules", sorted(vector.error.rules), graded.ok ? [] : sorted(graded.errors.map((error) => [error.pointer, error.rule])));
        return;
      }
      same("result", vector.result, graded.json);
      const { json: view } = call("author", "deliver", vector.text("spec"), "");
      const result = JSON.parse(vector.result);
      same("result, read and written", vector.result, call("preview", "read", "AttemptResult", vector.result).json);
      const submission = vector.text("submission") ?? JSON.stringify(vector.attempt.submission);
      const admitted = call("preview", "validate", view, submission, "");
      call("preview", "completeness", view, submission, "de");
      call("preview", "translate", vector.result, "de");
      // Whether a validator can read a state depends on its configuration, which no view has.
      if (vector.refusal === undefined || vector.refusal === "unreadable-state") {
        same("admitted", true, admitted.ok);
      } else {
        same("refusal", vector.refusal, admitted.ok ? "none" : admitted.errors[0].rule);
        same("the words of the refusal", result.feedback[0].message, admitted.ok ? "none" : admitted.errors[0].message);
      }
      if (vector.outcomes !== undefined && vector.refusal === undefined) {
        const open = new Set(JSON.parse(view).testSuites.filter((suite) => suite.visibility === "public").map((suite) => suite.name));
        const outcomes = vector.outcomes.filter((outcome) => open.has(outcome.suite));
        const judged = call("preview", "previewCases", view, JSON.stringify(outcomes));
        const expected = (result.codeResults ?? []).filter((entry) => open.has(entry.suite));
        same("public cases", JSON.stringify(expected), JSON.stringify(judged.cases));
      }
      return;
    }
    default:
      throw new Error(`${vector.name}: unknown kind ${vector.kind}`);
  }
}

/** Formulas in addition to those of the vectors: all kinds of notes and errors, and characters of several scripts and planes. */
export const formulas = [
  "\\frac12x", "2\\frac12", "2\\frac12x", "1/2x", "x^23", "x(x+1)", "\\log x", "1,000", "3{,}14", "1.5E3", "pi r^2", "sinx", "\\sin 2(x+1)",
  "{1,2}", "\\$5", "x^(n+1)", "\\Gamma(x)", "3,14", "\\varphi", "|x|+|y|", "\\sqrt[3]{x}", "\\sum_{k=1}^{n}k^2", "\\int_0^1 t^2\\,dt",
  "\\lim_{x\\to0}\\frac{\\sin x}{x}", "\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}", "x=1", "a\\le b<c", "\\{x\\mid x>0\\}", "\\binom{n}{k}",
  "𝛼+β", "x²", "½", "é", "\\frac{x", "x+", "(x", "x)", "", " ", "\\foo", "x^2^3", "x_1_2", "\\sin", "1 1/2", "x^-12", "\\text{speed}\\cdot t",
  "5\\%", "30^\\circ", "\\overline{z}", "e^{i\\pi}+1", "(".repeat(200), "x+".repeat(900) + "x", "\u{1F600}", "\\displaystyle\\left(\\frac{a}{b}\\right)^{2}",
];
