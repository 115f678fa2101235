const fs = require("fs");
const words = fs.readFileSync(0, "utf8").trim().split(/\s+/);
const how = words[0], held = [];
while (how === "spin");
while (how === "eat") held.push(new Array(100000).fill(Math.random()));
while (how === "flood") fs.writeSync(1, "x".repeat(1000));
if (how === "crash") process.exit(3);
if (how === "sleep") setTimeout(() => {}, 600000);
else console.log(words.map((word) => 2 * word).join(" "));
