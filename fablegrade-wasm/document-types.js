// Generates the types of documents and codes from schemas/, the catalogue of messages and the list of rules.
//
//   node fablegrade-wasm/document-types.js           writes them
//   node fablegrade-wasm/document-types.js --check   fails if a file is out of date
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../", import.meta.url));
const text = (path) => readFileSync(root + path, "utf8");
const schema = (name) => JSON.parse(text(`schemas/${name}.json`));
const camel = (word) => word.replace(/(^|_)(.)/g, (_, __, letter) => letter.toUpperCase());

/** The type of fields that contain any JSON object. */
const OBJECT = "JsonObject";

/** The type of a value. */
function type(form, indent) {
  if (form.$ref !== undefined) return form.$ref.replace("#/$defs/", "");
  if (form.const !== undefined) return JSON.stringify(form.const);
  if (form.enum !== undefined) return form.enum.map((word) => JSON.stringify(word)).join(" | ");
  if (form.oneOf !== undefined) return form.oneOf.map((one) => type(one, indent)).join(" | ");
  if (form.properties !== undefined) return `{\n${fields(form, `${indent}  `)}${indent}}`;
  switch (form.type) {
    case "array": {
      const inner = type(form.items, indent);
      return /[ {]/.test(inner) ? `readonly (${inner})[]` : `readonly ${inner}[]`;
    }
    case "integer":
    case "number":
      return "number";
    case "string":
    case "boolean":
      return form.type;
    case "object":
      return form.additionalProperties?.type !== undefined
        ? `{ readonly [key: string]: ${type(form.additionalProperties, indent)} }`
        : OBJECT;
    case undefined:
      return "Content";
    default:
      throw new Error(`a type for ${JSON.stringify(form)}`);
  }
}

/** The greatest width of a line of documentation. */
const WIDTH = 120;

/** Returns a description as a comment, or "" without one. */
function comment(description, indent = "") {
  if (description === undefined) return "";
  const words = description.replaceAll("*/", "* /").split(/\s+/);
  const line = `${indent}/** ${words.join(" ")} */\n`;
  if (line.length <= WIDTH + 1) return line;
  const lines = [`${indent} *`];
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`;
    if (longer.length <= WIDTH) lines[lines.length - 1] = longer;
    else lines.push(`${indent} * ${word}`);
  }
  return `${indent}/**\n${lines.join("\n")}\n${indent} */\n`;
}

/** Returns the fields of an object; `never` lists the names that it must not have. */
function fields(form, indent, never = []) {
  const required = new Set(form.required ?? []);
  const lines = Object.entries(form.properties).map(([name, value]) => {
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
    return `${comment(value.description, indent)}${indent}readonly ${key}${required.has(name) ? "" : "?"}: ${type(value, indent)};\n`;
  });
  const keys = never.map((name) => `${indent}/** Part of the key: never in a view. */\n${indent}readonly ${name}?: never;\n`);
  return [...lines, ...keys].join("");
}

/** The declaration of a named type. */
function declared(name, form, never) {
  const said = comment(form.description);
  if (form.properties === undefined) return `${said}export type ${name} = ${type(form, "")};\n`;
  return `${said}export interface ${name} {\n${fields(form, "  ", never)}}\n`;
}

/** Returns the names of a form's fields that contain a key. */
const secret = (form) => Object.entries(form?.properties ?? {}).filter(([, value]) => value["x-fablepool-secret"] === true).map(([name]) => name);

const specs = schema("AnswerSpec");
const views = schema("DeliveryView");
const submissions = schema("Submission");
const results = schema("AttemptResult");
const attempts = schema("Attempt");

const branches = (document, end) => document.oneOf.map((form) => [camel(form.properties.type.const) + end, form]);
const union = (name, said, list) => `${comment(said)}export type ${name} =\n${list.map(([one]) => `  | ${one}`).join("\n")};\n`;
const words = (name, said, list) =>
  `${comment(said)}export type ${name} =\n${[...new Set(list)].sort().map((word) => `  | ${JSON.stringify(word)}`).join("\n")};\n`;

const keyOf = new Map(branches(specs, "View").map(([name, form]) => [name, secret(form)]));
keyOf.set("ChoiceView", secret(specs.$defs.ChoiceSpec));
// A hidden suite has no cases.
const suites = views.$defs.SuiteView.oneOf.map((form) => {
  const hidden = form.properties.visibility.const === "hidden";
  return `{\n${fields(form, "  ", hidden ? ["cases"] : [])}}`;
});

const rules = [...text("docs/lint.md").matchAll(/^### `([a-z0-9-]+)`/gm)].map((found) => found[1]);
/** The sources that the learner's package contains. */
const learners = readdirSync(`${root}fablegrade-public/src`, { recursive: true })
  .filter((file) => file.endsWith(".rs"))
  .map((file) => text(`fablegrade-public/src/${file}`))
  .join("\n");

const head = (what) => `// ${what}: written by document-types.js from schemas/ and the catalogue of messages. Do not edit.\n`;

const publicTypes = [
  head("Public documents, and codes"),
  `/** Any JSON. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Any JSON object. */
export type JsonObject = { readonly [key: string]: Json };

/** Content that the host renders, such as a plain string or a rich document. */
export type Content = Json;
`,
  ...Object.entries({ ...views.$defs, ...submissions.$defs, ...results.$defs })
    .filter(([name]) => name !== "SuiteView")
    .map(([name, form]) => declared(name, form, keyOf.get(name))),
  `/** A suite as a learner sees it. A hidden suite has no cases. */\nexport type SuiteView =\n  | ${suites.join("\n  | ")};\n`,
  ...branches(views, "View").map(([name, form]) => declared(name, form, keyOf.get(name))),
  union("DeliveryView", "A question as a learner may see it. It cannot contain a key.", branches(views, "View")),
  `/** The eight question types. */\nexport type QuestionType = DeliveryView["type"];\n`,
  ...branches(submissions, "Submission").map(([name, form]) => declared(name, form)),
  union("Submission", "A learner's submission.", branches(submissions, "Submission")),
  declared("AttemptResult", results),
  `export type Item = ItemView;
export type Language = CodeSubmission["language"];
export type Matcher = NonNullable<TestCase["matcher"]>;
export type Verdict = AttemptResult["verdict"];
export type CaseVerdict = CodeResult["verdict"];
export type Severity = "error" | "warning" | "info";
`,
  words(
    "MessageCode",
    "The codes of messages to learners. English and German come with the package; a host can write its own text from code and parameters.",
    [...text("fablegrade-public/src/messages/catalogue.rs").matchAll(/^\s*say\("([a-z-]+)"/gm)].map((found) => found[1]),
  ),
  words(
    "FormulaCode",
    "The reasons why a formula cannot be read.",
    [...text("fablegrade-latex/src/error.rs").split("impl fmt::Display for Problem")[0].matchAll(/Self::\w+ => "([a-z-]+)"/g)].map((found) => found[1]),
  ),
  words(
    "NoteCode",
    "The kinds of notes about ambiguous notation.",
    [...text("fablegrade-latex/src/error.rs").split("impl NoteKind")[1].split("impl Note ")[0].matchAll(/Self::\w+ => "([a-z-]+)"/g)].map((found) => found[1]),
  ),
  words("Rule", "The rules of findings about public documents, and of refusals; each has an entry in docs/lint.md.", rules.filter((rule) => learners.includes(`"${rule}"`))),
].join("\n");

const publicNames = new Set([...publicTypes.matchAll(/^export (?:type|interface) (\w+)/gm)].map((found) => found[1]));
const authorForms = Object.entries({ ...specs.$defs, ...attempts.$defs }).filter(([name]) => !publicNames.has(name));
const authorBody = [
  ...authorForms.map(([name, form]) => declared(name, form)),
  ...branches(specs, "Spec").map(([name, form]) => declared(name, form)),
  union("AnswerSpec", "A question with its key. It must never reach a learner.", branches(specs, "Spec")),
  declared("Attempt", attempts),
  words("SpecRule", "The rules of all findings; each has an entry in docs/lint.md.", rules),
].join("\n");
const used = [...publicNames].filter((name) => new RegExp(`[:|(] ?${name}\\b|readonly \\(?${name}\\b`).test(authorBody)).sort();
const authorTypes = `${head("Documents with keys")}\nimport type { ${used.join(", ")} } from "./documents.js";\n\n${authorBody}`;

const files = { "fablegrade-wasm/shared/documents.d.ts": publicTypes, "fablegrade-wasm/author/package/specs.d.ts": authorTypes };
let old = false;
for (const [path, now] of Object.entries(files)) {
  if (process.argv[2] !== "--check") {
    writeFileSync(root + path, now);
  } else if (text(path) !== now) {
    console.error(`${path} is out of date: node fablegrade-wasm/document-types.js`);
    old = true;
  }
}
process.exit(old ? 1 : 0);
