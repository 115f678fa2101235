// Paths of files and folders for the tests.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const from = (path) => fileURLToPath(new URL(path, import.meta.url));

export const repository = from("../../");
export const packages = from("../dist/");
export const preview = from("../dist/fablegrade-preview/");
export const author = from("../dist/fablegrade-author/");
export const page = from("../../examples/authoring-preview/");
export const vectors = from("../../tests/vectors/");
/** Screenshots, for people to look at; not committed. */
export const artifacts = from("../../test-artifacts/authoring-preview/");

/** Cargo's target folder. */
export const target = JSON.parse(
  execFileSync("cargo", ["metadata", "--format-version=1", "--no-deps", "--offline"], { cwd: repository, encoding: "utf8", maxBuffer: 1 << 26 }),
).target_directory;
