// A static server on any free port, for tests. It serves only files below the given folders.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";

const TYPES = {
  ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css",
  ".wasm": "application/wasm", ".svg": "image/svg+xml", ".json": "application/json", ".woff2": "font/woff2",
};

/** Serves `folders`, a map from path prefixes to folders, and returns `{ url, close }`. */
export async function serve(folders) {
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname));
    for (const [prefix, folder] of Object.entries(folders)) {
      if (!path.startsWith(prefix)) continue;
      try {
        const file = join(folder, path.slice(prefix.length) || "index.html");
        const body = await readFile(file);
        // Not cached: two frames that request the same file would wait for each other.
        response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream", "cache-control": "no-store" }).end(body);
        return;
      } catch {
        // This folder does not have the file; the next one can have it.
      }
    }
    response.writeHead(404).end();
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => new Promise((resolve) => { server.closeAllConnections(); server.close(resolve); }) };
}
