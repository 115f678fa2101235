// Starts Debian's Chromium with a fresh profile and without background traffic.
import { deepStrictEqual } from "node:assert/strict";
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

/** The time in milliseconds after which a step counts as hanging. It is long, because the machine can be busy with builds. */
export const PATIENCE = 120_000;

const executablePath = process.env.CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find(existsSync);

export const launch = () =>
  chromium.launch({
    executablePath,
    headless: true,
    timeout: PATIENCE,
    args: [
      "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync", "--font-render-hinting=none",
    ],
  });

const same = (actual, expected) => {
  try {
    deepStrictEqual(actual, expected);
    return true;
  } catch {
    return false;
  }
};

/** Waits until `read` returns the expected value, because a page is redrawn only some time after an action. */
export async function becomes(read, expected, message) {
  const end = Date.now() + PATIENCE;
  let actual = await read();
  while (!same(actual, expected) && Date.now() < end) {
    await new Promise((resume) => setTimeout(resume, 20));
    actual = await read();
  }
  deepStrictEqual(actual, expected, message);
}

/** Waits until the authoring page has drawn all changes so far, in the author's and in the learner's part. */
export const drawn = (page) =>
  page.evaluate(
    () =>
      new Promise((done) => {
        // The page redraws in the next frame, and messages arrive in the order in which they were sent.
        requestAnimationFrame(() => {
          const learner = document.querySelector("#learner").contentWindow;
          const hear = ({ source, data }) => {
            if (source !== learner || !data.ready) return;
            removeEventListener("message", hear);
            done();
          };
          addEventListener("message", hear);
          learner.postMessage({ hello: true }, location.origin);
        });
      }),
  );
