// Converts arguments to the form that the modules of both packages take. An invalid argument becomes an error as a value.
import { nameOf } from "./loading.js";

/** The maximum sizes of arguments. A larger argument is refused before it is passed to the module. */
export const MOST = { document: 16 * 1024 * 1024, latex: 20_000, output: 16 * 1024 * 1024, word: 1_000 };

/** Returns an error as a value. */
export function failure(rule, document, message, help, pointer = "") {
  return { ok: false, errors: [{ rule, document, pointer, message, help }] };
}

const tooLarge = (document, pointer, limit) =>
  failure("too-large", document, `more than the limit of ${limit.toLocaleString("en")} bytes`, "send less", pointer);

/** Returns an error for half a character, which would be replaced when the text is encoded as UTF-8. */
const halved = (text, document, pointer) =>
  // Node 18 has no `isWellFormed`.
  /\p{Cs}/u.test(text)
    ? failure("invalid-utf8", document, "the text has a lone surrogate", "replace it, or remove it", pointer)
    : undefined;

/** Returns a text if the value is a string, otherwise an error: no value is converted to a string. */
export function textOf(value, document, pointer, help, limit = MOST.word) {
  if (typeof value !== "string") {
    return failure("not-a-text", document, `a text is needed, not ${nameOf(value)}`, help, pointer);
  }
  // Each UTF-16 code unit needs at least one byte of UTF-8, so the length is a lower bound.
  if (value.length > limit) return tooLarge(document, pointer, limit);
  return halved(value, document, pointer) ?? { ok: true, text: value };
}

const bytesIn = (value) =>
  ArrayBuffer.isView(value)
    ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
    : ["[object ArrayBuffer]", "[object SharedArrayBuffer]"].includes(Object.prototype.toString.call(value))
      ? new Uint8Array(value)
      : undefined;

/** Returns the JSON text of a document. Texts and bytes stay unchanged, so numbers keep every digit. */
export function jsonOf(value, document) {
  try {
    const bytes = bytesIn(value);
    if (bytes !== undefined) {
      if (bytes.length > MOST.document) return tooLarge(document, "", MOST.document);
      try {
        // Decodes a copy, because shared memory cannot be decoded.
        return { ok: true, text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes.slice()) };
      } catch {
        return failure("invalid-utf8", document, "the bytes are not UTF-8", "encode the document as UTF-8");
      }
    }
    const text = typeof value === "string" ? value : JSON.stringify(value);
    if (typeof text === "string") {
      if (text.length > MOST.document) return tooLarge(document, "", MOST.document);
      // In a value, JSON.stringify writes half a character as an escape, and the module describes the mistake.
      return halved(text, document, "") ?? { ok: true, text };
    }
  } catch {
    // The value has a cycle, a BigInt, or a getter that throws.
  }
  return failure("not-json", document, `${nameOf(value)} cannot be written as JSON`, "give a JSON text or plain data");
}

const encoder = new TextEncoder();

/** Returns the bytes of an output; a text is encoded as UTF-8. */
export function outputOf(value, pointer) {
  const bytes = typeof value === "string" ? undefined : bytesIn(value);
  if (bytes === undefined && typeof value !== "string") {
    return failure("not-a-text", "arguments", `a text or bytes are needed, not ${nameOf(value)}`, "give a string, a Uint8Array or an ArrayBuffer", pointer);
  }
  if ((bytes ?? value).length > MOST.output) return tooLarge("arguments", pointer, MOST.output);
  if (bytes !== undefined) return { ok: true, bytes };
  return halved(value, "arguments", pointer) ?? { ok: true, bytes: encoder.encode(value) };
}

/** Returns the options of a call: an object, or none. */
export function optionsOf(value) {
  if (value === undefined || value === null) return { ok: true, options: {} };
  if (typeof value === "object" && !Array.isArray(value)) return { ok: true, options: value };
  return failure("wrong-type", "options", `an object is needed, not ${nameOf(value)}`, "give an object, or nothing");
}

/** Returns the language of messages: a tag, or an empty text. */
export function localeOf(options) {
  const { locale } = options;
  if (locale === undefined || locale === null) return { ok: true, text: "" };
  return textOf(locale, "arguments", "/locale", 'give a tag such as "de"', 100);
}

/** Runs a call and returns its answer, or its error as a value. */
export function answered(run) {
  try {
    return run();
  } catch (error) {
    const stopped = error instanceof WebAssembly.RuntimeError || error instanceof RangeError;
    return stopped
      ? failure("internal", "arguments", "the module stopped", "please report the input that did this")
      : failure("not-readable", "arguments", "an argument threw when it was read", "give plain data");
  }
}
