// The context of a grading call, with the language of its messages.
import { failure, jsonOf } from "./arguments.js";
import { nameOf } from "./loading.js";

/**
 * Returns the JSON text of a context with a locale; without a locale, the context stays unchanged. Bytes and texts are read as JSON,
 * because their fields are needed. Numbers keep every digit, unless the context has another locale, which is replaced.
 */
export function contextOf(context, locale) {
  if (context === undefined || context === null) {
    return { ok: true, text: locale === "" ? "" : JSON.stringify({ locale }) };
  }
  const reading = jsonOf(context, "context");
  if (!reading.ok || locale === "") return reading;
  let fields;
  try {
    // The module reads a byte order mark, which `JSON.parse` refuses.
    fields = JSON.parse(reading.text.replace(/^\uFEFF/, ""));
  } catch {
    // The module describes the mistake.
    return reading;
  }
  if (typeof fields !== "object" || fields === null || Array.isArray(fields)) {
    return failure("wrong-type", "context", `with a locale, \`context\` must be an object, not ${nameOf(fields)}`, "give an object, or its JSON as text or bytes");
  }
  if (Object.hasOwn(fields, "locale")) return { ok: true, text: JSON.stringify({ ...fields, locale }) };
  const comma = Object.keys(fields).length > 0 ? "," : "";
  return { ok: true, text: reading.text.replace("{", () => `{"locale":${JSON.stringify(locale)}${comma}`) };
}
