// Runs the decisions of a WebAssembly module over pairs from standard input:
//   node decisions.mjs MODULE.wasm < PAIRS
import { readFileSync } from "node:fs";

const bytes = readFileSync(process.argv[2]);
const { instance } = await WebAssembly.instantiate(bytes, {});
const { put, decide, get } = instance.exports;
const encoder = new TextEncoder();
const decoder = new TextDecoder();
const answers = [];
for (const line of readFileSync(0, "utf8").split("\n").slice(0, -1)) {
  for (const byte of encoder.encode(line)) put(byte);
  const answer = new Uint8Array(decide());
  for (let at = 0; at < answer.length; at++) answer[at] = get(at);
  answers.push(decoder.decode(answer));
}
process.stdout.write(answers.map((answer) => answer + "\n").join(""));
