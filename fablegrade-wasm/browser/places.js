// Where things are.
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
