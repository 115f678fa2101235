// Debian's Chromium with a fresh profile and no traffic of its own.
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

const executablePath = process.env.CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find(existsSync);

export const launch = () =>
  chromium.launch({
    executablePath,
    headless: true,
    args: [
      "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync", "--font-render-hinting=none",
    ],
  });

/** How long a step may take before it counts as hanging: not a measure of speed, a machine may be busy with builds. */
export const PATIENCE = 120_000;
