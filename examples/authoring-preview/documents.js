// JSON whose numbers keep the digits that were typed: 0.30 reaches the engine as 0.30.

/** A number as it was written. */
export class Digits {
  constructor(text) {
    this.text = text;
  }
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Returns a typed text as a JSON number, or undefined. A comma between digits counts as a decimal point. */
export function digits(typed) {
  let text = typed.trim().replace(/^\+/, "").replace(/\u2212/g, "-");
  if (/^-?\d+,\d+$/.test(text)) text = text.replace(",", ".");
  if (/^-?\.\d/.test(text)) text = text.replace(".", "0.");
  text = text.replace(/^(-?)0+(?=\d)/, "$1").replace(/\.(?=$|[eE])/, "");
  return NUMBER.test(text) ? new Digits(text) : undefined;
}

/** Returns a value as JSON text. */
export function write(value, indent = "", step = "") {
  const inner = indent + step;
  const list = (open, parts, close) => {
    if (parts.length === 0) return open + close;
    return step === "" ? open + parts.join(",") + close : `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${indent}${close}`;
  };
  if (value instanceof Digits) return value.text;
  if (Array.isArray(value)) return list("[", value.map((item) => write(item, inner, step)), "]");
  if (value !== null && typeof value === "object") {
    const fields = Object.entries(value).filter(([, field]) => field !== undefined);
    const space = step === "" ? "" : " ";
    return list("{", fields.map(([key, field]) => `${JSON.stringify(key)}:${space}${write(field, inner, step)}`), "}");
  }
  return JSON.stringify(value);
}

/** Parses JSON text; numbers keep their digits in browsers that provide the source text. Throws as JSON.parse does. */
export function read(text) {
  return JSON.parse(text, (_, value, context) =>
    typeof value === "number" ? new Digits(context?.source ?? String(value)) : value,
  );
}
