// Calls one function of the solution with the JSON arguments on standard input and writes its value to descriptor 3.
"use strict";
const fs = require("fs");
const [name, file] = process.argv.slice(2);
const data = fs.readFileSync(0, "utf8");
const end = data.indexOf("\n");
const tag = data.slice(0, end);
const given = JSON.parse(data.slice(end + 1));
const quote = JSON.stringify;

function text(value) {
  if (value !== null && typeof value === "object" && typeof value.toJSON === "function") value = value.toJSON();
  switch (typeof value) {
    case "boolean":
    case "bigint":
      return String(value);
    case "string":
      return quote(value);
    case "number":
      if (!Number.isFinite(value)) throw new TypeError(`${value} has no JSON form`);
      return quote(value);
    case "object":
      if (value === null) return "null";
      if (Array.isArray(value) || ArrayBuffer.isView(value)) return "[" + Array.from(value, text).join(",") + "]";
      if (value instanceof Set) return text([...value]);
      return (
        "{" +
        (value instanceof Map ? [...value] : Object.entries(value))
          .filter(([, part]) => part !== undefined)
          .map(([key, part]) => quote(String(key)) + ":" + text(part))
          .join(",") +
        "}"
      );
    default:
      throw new TypeError(`\`${name}\` returned a value of type ${typeof value}, which has no JSON form`);
  }
}

(async () => {
  const solution = file.endsWith(".mjs") ? await import(file) : require(file);
  const call = solution.fablegradeEntry;
  if (typeof call !== "function") throw new ReferenceError(`there is no function \`${name}\``);
  const frame = Buffer.from(`${tag} ${text(await call(...given))}\n`);
  for (let at = 0; at < frame.length; ) at += fs.writeSync(3, frame, at);
})().catch((error) => {
  console.error((error && error.stack) || error);
  process.exit(1);
});
