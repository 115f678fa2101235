// Loads the module of either package once, from any source. If the source is not a module, the error describes it.

const MAGIC = [0x00, 0x61, 0x73, 0x6d];
const isModule = (bytes) => MAGIC.every((byte, at) => bytes[at] === byte);

/** Describes the bytes that arrived: their kind and first characters. */
function described(bytes, from) {
  const head = new TextDecoder().decode(bytes.subarray(0, 60)).replace(/[^ -~]+/g, " ").trim();
  const kind = bytes.length === 0 ? "nothing" : /^<(!doctype|html|\?xml)/i.test(head) ? "an HTML page" : "something else";
  return `${from} gave ${kind}${head === "" ? "" : ` beginning with ${JSON.stringify(head)}`} in place of WebAssembly`;
}

function wayOut(name) {
  return (
    `If a bundler moved the package, keep it whole (Vite in development: optimizeDeps: { exclude: ["${name}"] }), give init() the ` +
    `address of ${name.replace("-", "_")}_bg.wasm, or import "${name}/inline", which needs no file.`
  );
}

const isResponse = (value) => typeof Response === "function" && value instanceof Response;
const isAddress = (value) =>
  typeof value === "string" || value instanceof URL || (typeof Request === "function" && value instanceof Request);

/** Returns the bytes or the compiled module of a source. */
async function fetched(name, source) {
  const response = isAddress(source) ? await fetch(source) : source;
  if (!isResponse(response)) return response;
  const from = response.url || "the response";
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (!response.ok) throw new Error(`${name}: ${from} answered ${response.status}. ${wayOut(name)}`);
  if (!isModule(bytes)) throw new Error(`${name}: ${described(bytes, from)} (${response.headers.get("content-type")}). ${wayOut(name)}`);
  return bytes;
}

/** Returns the source if it is a compiled module or the bytes of a module. */
function checked(name, source) {
  if (typeof WebAssembly === "object" && source instanceof WebAssembly.Module) return source;
  const bytes = ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : Object.prototype.toString.call(source) === "[object ArrayBuffer]"
      ? new Uint8Array(source)
      : undefined;
  if (bytes === undefined) {
    throw new TypeError(`${name}: a module is loaded from an address, a response, bytes or a WebAssembly.Module, not from ${nameOf(source)}`);
  }
  if (!isModule(bytes)) throw new Error(`${name}: ${described(bytes, "the source")}. ${wayOut(name)}`);
  return bytes;
}

/** Names the kind of a value. */
export function nameOf(value) {
  if (value === null) return "null";
  if (typeof value !== "object") return typeof value === "undefined" ? "undefined" : `a ${typeof value}`;
  return Array.isArray(value) ? "an array" : "an object";
}

/**
 * Returns `init` and `initSync` of a package. `address()` returns the module's URL; `start` is called once the module is loaded.
 * Later calls of `init` return the first call's promise. After a failure, the next call tries again.
 */
export function loader(name, { load, loadSync, address, start }) {
  let loading;
  let loaded = false;

  const ready = () => {
    if (!loaded) start();
    loaded = true;
  };
  async function begin(source) {
    const given = checked(name, await fetched(name, (await source) ?? address()));
    // Compiles asynchronously, so the page stays responsive.
    if (!loaded) await load({ module_or_path: given });
    ready();
  }
  return {
    init(source) {
      loading ??= begin(source).catch((error) => {
        loading = undefined;
        throw error;
      });
      return loading;
    },
    initSync(source) {
      if (loaded) return;
      loadSync({ module: checked(name, source) });
      ready();
      loading = Promise.resolve();
    },
  };
}
