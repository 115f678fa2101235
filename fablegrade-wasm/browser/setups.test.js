// Builds and serves pages with common tools, and runs the result. If a tool needs a line of configuration, the README names it, and
// the error without that line names it too.
import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { PATIENCE, launch } from "./chromium.js";
import { preview, repository } from "./places.js";
import { serve } from "./static-server.js";

const tools = fileURLToPath(new URL("./setups/", import.meta.url));
const from = createRequire(join(tools, "package.json"));
const readme = readFileSync(join(repository, "fablegrade-wasm/package/README.md"), "utf8");
const runs = promisify(execFile);
let work;
let browser;

before(async () => {
  work = mkdtempSync(join(tmpdir(), "fablegrade-setups-"));
  // As npm installs it: a folder, not a link.
  mkdirSync(join(work, "node_modules"));
  cpSync(preview, join(work, "node_modules/fablegrade-preview"), { recursive: true });
  for (const name of ["react", "react-dom", "scheduler", "next", "@next", "@swc", "styled-jsx", "client-only", "postcss", "nanoid", "picocolors", "source-map-js", "caniuse-lite", "tslib"]) {
    try {
      symlinkSync(join(tools, "node_modules", name), join(work, "node_modules", name));
    } catch {
      // The package is installed already.
    }
  }
  browser = await launch();
});

after(async () => {
  await browser?.close();
  rmSync(work, { recursive: true, force: true });
});

/** A program without `await` at its top. */
const program = `import init, { understand } from "fablegrade-preview";
import { connect } from "fablegrade-preview/worker";
async function main() {
  await init();
  const worker = await connect();
  const far = await worker.understand("\\\\frac12x");
  worker.terminate();
  return understand("\\\\frac12x").latex + " " + far.latex;
}
main().catch((error) => error.message).then((text) => {
  document.body.textContent = text;
  document.body.dataset.done = "true";
});`;
const shown = "\\frac{1}{2}x \\frac{1}{2}x";

function project(name, files) {
  const folder = join(work, name);
  mkdirSync(folder, { recursive: true });
  const given = {
    "package.json": '{"type":"module","private":true}',
    "index.html": '<!doctype html><title>x</title><link rel="icon" href="data:,"><body><script type="module" src="/main.js"></script>',
    "main.js": program,
    ...files,
  };
  for (const [file, text] of Object.entries(given)) {
    mkdirSync(join(folder, file, ".."), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  return folder;
}

async function seen(url) {
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE);
  const said = [];
  page.on("console", (message) => said.push(message.text()));
  page.on("pageerror", (error) => said.push(error.message));
  await page.goto(url);
  await page.locator("body[data-done]").waitFor().catch(() => assert.fail(said.join("\n")));
  const text = await page.locator("body").textContent();
  await page.close();
  return text;
}

/** Checks that the README names a line of configuration. */
const names = (line) => assert.ok(readme.includes(line), `the README names \`${line}\``);

async function vite(name) {
  // The newest version also builds the pages of the other tests.
  const place = name === "vite8" ? join(tools, "../node_modules/vite") : join(tools, "node_modules", name);
  return import(pathToFileURL(join(place, "dist/node/index.js")));
}

async function develops(name, config) {
  const { createServer } = await vite(name);
  const root = project(`${name}-${config.optimizeDeps ? "whole" : "bare"}`, {});
  const server = await createServer({ root, configFile: false, logLevel: "silent", server: { host: "127.0.0.1", port: 0, strictPort: false, ws: false, fs: { allow: [work] } }, cacheDir: join(root, "cache"), ...config });
  await server.listen();
  try {
    return await seen(server.resolvedUrls.local[0]);
  } finally {
    await server.close();
  }
}

for (const name of ["vite5", "vite6", "vite7"]) {
  test(`${name} in development, with the line it needs`, async () => {
    names('optimizeDeps: { exclude: ["fablegrade-preview"] }');
    assert.equal(await develops(name, { optimizeDeps: { exclude: ["fablegrade-preview"] } }), shown);
  });

  test(`${name} in development without it: the error says what arrived, and the line`, async () => {
    const text = await develops(name, {});
    assert.match(text, /gave an HTML page beginning with "<!doctype html>|answered 404/);
    assert.ok(text.includes('optimizeDeps: { exclude: ["fablegrade-preview"] }'), text);
  });

  test(`${name} builds for its default target`, async () => {
    names('worker: { format: "es" }');
    const { build } = await vite(name);
    const root = project(`${name}-build`, {});
    await build({ root, configFile: false, logLevel: "error", worker: { format: "es" } });
    const server = await serve({ "/": join(root, "dist") });
    assert.equal(await seen(`${server.url}/`), shown);
    await server.close();
  });
}

test("Vite 8 needs nothing, in development and when it builds", async () => {
  assert.equal(await develops("vite8", {}), shown);
  const { build } = await vite("vite8");
  const root = project("vite8-build", {});
  await build({ root, configFile: false, logLevel: "error" });
  const server = await serve({ "/": join(root, "dist") });
  assert.equal(await seen(`${server.url}/`), shown);
  await server.close();
});

test("Rollup makes one file with the entry /inline", async () => {
  names("Rollup");
  const { rollup } = from("rollup");
  const root = project("rollup", { "main.js": program.replace('"fablegrade-preview"', '"fablegrade-preview/inline"').replace(/import \{ connect \}.*\n/, "").replace(/ {2}const worker[^]*terminate\(\);\n/, "").replace(' + " " + far.latex', "") });
  // Does the work of @rollup/plugin-node-resolve for this package.
  const resolve = { name: "resolve", resolveId: (id) => (id === "fablegrade-preview/inline" ? join(work, "node_modules/fablegrade-preview/inline.js") : null) };
  const bundle = await rollup({ input: join(root, "main.js"), plugins: [resolve], onLog: () => {} });
  await bundle.write({ file: join(root, "out.js"), format: "es" });
  const html = readFileSync(join(root, "index.html"), "utf8").replace("/main.js", "/out.js");
  const alone = project("rollup-alone", { "index.html": html, "out.js": readFileSync(join(root, "out.js"), "utf8") });
  rmSync(join(alone, "main.js"));
  const server = await serve({ "/": alone });
  assert.equal(await seen(`${server.url}/`), "\\frac{1}{2}x");
  await server.close();
});

test("webpack 5 needs nothing", async () => {
  const webpack = from("webpack");
  const root = project("webpack", { "index.html": '<!doctype html><title>x</title><link rel="icon" href="data:,"><body><script src="/dist/main.js"></script>' });
  const stats = await new Promise((resolve, reject) =>
    webpack({ context: root, mode: "production", entry: "./main.js", output: { path: join(root, "dist"), publicPath: "/dist/" } }, (error, done) => (error ? reject(error) : resolve(done))),
  );
  assert.ok(!stats.hasErrors(), stats.toString("errors-only"));
  const server = await serve({ "/": root });
  assert.equal(await seen(`${server.url}/`), shown);
  await server.close();
});

test("a bundle for Node finds its module with the entry /inline, and else says so", async () => {
  names('import init from "fablegrade-preview/inline"');
  const esbuild = from("esbuild");
  const source = (entry) => `import init, { understand } from "fablegrade-preview${entry}";
init().then(() => console.log(understand("\\\\frac12x").latex), (error) => console.log(error.message));`;
  for (const [format, end] of [["esm", "mjs"], ["cjs", "cjs"]]) {
    const root = project(`node-${format}`, { "main.js": source("/inline"), "bare.js": source("") });
    for (const entry of ["main", "bare"]) {
      await esbuild.build({ absWorkingDir: root, entryPoints: [`${entry}.js`], bundle: true, platform: "node", format, outfile: join(root, `out/${entry}.${end}`), logLevel: "silent" });
    }
    rmSync(join(root, "main.js"));
    const { stdout } = await runs("node", [join(root, `out/main.${end}`)]);
    assert.equal(stdout.trim(), "\\frac{1}{2}x", format);
    if (format === "esm") {
      const bare = await runs("node", [join(root, `out/bare.${end}`)]);
      assert.match(bare.stdout, /import "fablegrade-preview\/inline"/);
    }
  }
});

test("a page with Trusted Types starts the worker under its own policy", async () => {
  names("script-src 'self' 'wasm-unsafe-eval'");
  names("connect({ worker })");
  const page = (worker) => `<!doctype html><title>x</title><link rel="icon" href="data:,">
<meta http-equiv="Content-Security-Policy" content="script-src 'self' 'wasm-unsafe-eval'; require-trusted-types-for 'script'; trusted-types own">
<body><script type="module" src="/${worker}.js"></script>`;
  const main = (options) =>
    program.replace("await connect()", `await connect(${options})`).replaceAll(/"fablegrade-preview(\/worker)?"/g, (_, worker) => `"/package/${worker ? "worker" : "index"}.js"`);
  const own = `{ worker: new Worker(trustedTypes.createPolicy("own", { createScriptURL: (url) => url }).createScriptURL("/package/worker-thread.js"), { type: "module" }) }`;
  const root = project("trusted", { "own.html": page("own"), "bare.html": page("bare"), "own.js": main(own), "bare.js": main("") });
  const server = await serve({ "/package/": preview, "/": root });
  assert.equal(await seen(`${server.url}/own.html`), shown);
  assert.match(await seen(`${server.url}/bare.html`), /the worker cannot be started: .*Trusted/);
  await server.close();
});

test("Next.js renders on the server and goes on in the browser", async () => {
  const root = project("next", {
    "package.json": '{"private":true}',
    "next.config.js": `module.exports = { outputFileTracingRoot: ${JSON.stringify(work)}, eslint: { ignoreDuringBuilds: true } };`,
    "pages/index.js": `import init, { understand } from "fablegrade-preview";
import { useEffect, useState } from "react";
export async function getServerSideProps() {
  await init();
  return { props: { served: understand("\\\\frac12x").latex } };
}
export default function Page({ served }) {
  const [typed, setTyped] = useState("");
  useEffect(() => {
    init().then(() => setTyped(understand("\\\\frac12y").latex), (error) => setTyped(error.message)).then(() => (document.body.dataset.done = "true"));
  }, []);
  return <p>{served} {typed}</p>;
}`,
  });
  rmSync(join(root, "index.html"));
  rmSync(join(root, "main.js"));
  const next = join(tools, "node_modules/next/dist/bin/next");
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: "1", CI: "1", NODE_ENV: "production" };
  await runs("node", [next, "build"], { cwd: root, env, timeout: 5 * PATIENCE, maxBuffer: 1 << 24 }).catch((error) => assert.fail(`${error.stdout}\n${error.stderr}`));
  const server = execFile("node", [next, "start", "-p", "0", "-H", "127.0.0.1"], { cwd: root, env });
  try {
    const url = await new Promise((resolve, reject) => {
      let said = "";
      const hear = (data) => {
        said += data;
        const found = /http:\/\/127\.0\.0\.1:\d+/.exec(said);
        if (found && /Ready/.test(said)) resolve(found[0]);
      };
      server.stdout.on("data", hear);
      server.stderr.on("data", hear);
      server.on("exit", () => reject(new Error(said)));
    });
    const html = await (await fetch(url)).text();
    assert.ok(html.includes("\\frac{1}{2}x"), html.slice(0, 2_000));
    assert.ok((await seen(url)).startsWith("\\frac{1}{2}x \\frac{1}{2}y"));
  } finally {
    server.kill();
  }
});

test("the React starter, in a browser", async () => {
  const root = join(work, "react-preview");
  cpSync(join(repository, "examples/react-preview"), root, { recursive: true });
  const { build } = await vite("vite7");
  await build({ root, logLevel: "error" });
  const server = await serve({ "/": join(root, "dist") });
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE);
  const said = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && said.push(message.text()));
  page.on("pageerror", (error) => said.push(error.message));
  await page.goto(server.url);
  const answer = page.getByLabel("Answer");
  await page.getByRole("status").getByText("Enter a formula.").waitFor();
  await answer.fill("\\frac12x+");
  await page.getByRole("status").getByText("The formula cannot be read at character 10").waitFor();
  await page.getByLabel("Language").selectOption("de");
  await page.getByRole("status").getByText("Die Formel ist bei Zeichen 10 nicht lesbar").waitFor();
  await answer.fill("\\frac12y+\\cos(x)");
  await page.getByText("Das Symbol y kommt in dieser Frage nicht vor.").waitFor();
  await page.getByText("Die Funktion cos darf hier nicht verwendet werden.").waitFor();
  await answer.fill("\\sin x");
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByText('{"latex":"\\\\sin x","type":"expression"}').waitFor();
  assert.deepEqual(said, []);
  await page.close();
  await server.close();
});
