import { spawnSync } from "node:child_process";
import playwright, { type Browser } from "../../tools/node_modules/playwright-core/index.js";

export type { Browser, BrowserContext, Page } from "../../tools/node_modules/playwright-core/index.js";

/** The Chromium that is installed on the system. */
export function launchChromium(): Promise<Browser> {
  const executablePath = spawnSync("sh", ["-c", "command -v chromium"], { encoding: "utf8" }).stdout.trim();
  if (executablePath === "")
    throw new Error("No Chromium: `npm test` installs it, or apt-get install chromium.");
  return playwright.chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
}
