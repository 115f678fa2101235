const fs = require("fs");
async function solve(how) {
  const held = [];
  while (how === "spin");
  while (how === "eat") held.push(new Array(100000).fill(Math.random()));
  while (how === "flood") fs.writeSync(1, "x".repeat(1000));
  if (how === "crash") throw new Error("as asked");
  if (how === "sleep") await new Promise((resolve) => setTimeout(resolve, 600000));
  return how + "!";
}
