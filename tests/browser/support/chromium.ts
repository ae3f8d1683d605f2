import { spawnSync } from "node:child_process";
import playwright, {
  type Browser,
  type BrowserContext,
} from "../../tools/node_modules/playwright-core/index.js";

export type { Browser, BrowserContext, Page } from "../../tools/node_modules/playwright-core/index.js";

export const chromiumArgs = ["--no-sandbox", "--disable-dev-shm-usage"];

/** The Chromium that is installed on the system. */
export function launchChromium(): Promise<Browser> {
  return playwright.chromium.launch({ executablePath: findChromium(), args: chromiumArgs });
}

/** A browser with a profile on disk. */
export function launchProfile(folder: string): Promise<BrowserContext> {
  return playwright.chromium.launchPersistentContext(folder, {
    executablePath: findChromium(),
    args: chromiumArgs,
  });
}

/** A Chromium that runs already. */
export function connectChromium(address: string): Promise<Browser> {
  return playwright.chromium.connectOverCDP(address);
}

export function findChromium(): string {
  const executablePath = spawnSync("sh", ["-c", "command -v chromium"], { encoding: "utf8" }).stdout.trim();
  if (executablePath === "")
    throw new Error("No Chromium: `npm test` installs it, or apt-get install chromium.");
  return executablePath;
}
