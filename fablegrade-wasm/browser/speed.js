// Measures how long reading a formula takes in Chromium: the first time after init, and when warm. Run with `node speed.js`.
import { launch } from "./chromium.js";
import { packages } from "./places.js";
import { serve } from "./static-server.js";

const server = await serve({ "/": packages });
const browser = await launch();
const rounds = [];
for (let round = 0; round < 7; round += 1) {
  const page = await browser.newPage();
  await page.goto(`${server.url}/fablegrade-preview/package.json`);
  rounds.push(
    await page.evaluate(async () => {
      const { default: init, understand } = await import("/fablegrade-preview/index.js");
      const time = (run) => {
        const from = performance.now();
        run();
        return performance.now() - from;
      };
      const from = performance.now();
      await init();
      const loaded = performance.now() - from;
      const first = time(() => understand("\\frac{-b\\pm\\sqrt{b^2-4ac}}{2a}"));
      const other = time(() => understand("\\int_0^1\\sin(2\\pi x)\\,dx+\\log_2 8"));
      const warm = time(() => {
        for (let i = 0; i < 1000; i += 1) understand("\\frac{-b\\pm\\sqrt{b^2-4ac}}{2a}");
      });
      return { init: loaded, first, other, warm: warm / 1000 };
    }),
  );
  await page.close();
}
await browser.close();
await server.close();
const median = (name) => rounds.map((round) => round[name]).sort((a, b) => a - b)[Math.floor(rounds.length / 2)];
for (const [name, what] of [["init", "init"], ["first", "first formula after init"], ["other", "another kind of formula, first time"], ["warm", "a formula, warm"]]) {
  const all = rounds.map((round) => round[name]);
  console.log(`${what.padEnd(38)} median ${median(name).toFixed(3)} ms   ${Math.min(...all).toFixed(3)} to ${Math.max(...all).toFixed(3)}`);
}
