import { spawnSync } from "node:child_process";
import playwright, { type Browser } from "../../tools/node_modules/playwright-core/index.js";

export type { Browser, BrowserContext, Page } from "../../tools/node_modules/playwright-core/index.js";

const names = ["chromium", "chromium-browser", "google-chrome"];

/** The system's own Chromium. */
export function launchChromium(): Promise<Browser> {
  const executablePath = names
    .map((name) => spawnSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).stdout.trim())
    .find(Boolean);
  if (!executablePath) throw new Error("No Chromium: `npm test` installs it, or apt-get install chromium.");
  return playwright.chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
}
