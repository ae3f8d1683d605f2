import { afterAll, beforeAll } from "vitest";
import { spawnDaemon } from "../../support/daemon-process.ts";
import type { Rookery } from "../../support/rookery.ts";
import { useOutside } from "../../support/use-outside.ts";
import { useRookeries } from "../../support/use-rookery.ts";
import { type Browser, type BrowserContext, launchChromium, type Page } from "./chromium.ts";

type ContextOptions = Parameters<Browser["newContext"]>[0];

interface Viewer {
  rookery: Rookery;
  browser: Browser;
  /** A new tab, signed in with its own code; fails on unexpected console output. */
  open(hash?: string, options?: ContextOptions): Promise<Page>;
  /** Loads the page again, with a new code. */
  signIn(page: Page, hash: string): Promise<void>;
  address(): Promise<string>;
}

interface ViewerOptions {
  seed?: (rookery: Rookery) => Promise<void>;
  env?: Record<string, string>;
}

/** The owner of the machine. */
export const owner = "olga";

/** A daemon with the data of `seed`, and a browser, shared by all tests of a file. */
export function useViewer({ seed, env = {} }: ViewerOptions = {}): Viewer {
  const rookeries = useRookeries(afterAll);
  const outside = useOutside();
  const contexts: BrowserContext[] = [];
  const viewer = {} as Viewer;

  beforeAll(async () => {
    viewer.rookery = rookeries.open({ ROOKERY_MATRIX_OWNER: owner, ...env });
    const launching = launchChromium();
    await spawnDaemon(viewer.rookery);
    await seed?.(viewer.rookery);
    viewer.browser = await launching;
  });
  afterAll(async () => {
    for (const context of contexts) await context.close();
    await viewer.browser?.close();
  });

  viewer.address = async () => {
    const { json } = await outside.call(viewer.rookery, "POST", "/api/viewer/codes");
    return json.url;
  };
  viewer.signIn = async (page, hash) => {
    // The address may differ from the current one in its hash only, which would load nothing.
    await page.goto("about:blank");
    await page.goto(await viewer.address());
    await page.locator(".shell").waitFor();
    await goTo(page, hash);
    await page.locator(".connection-live").waitFor({ state: "attached" });
  };
  viewer.open = async (hash = "#/today", options = {}) => {
    const context = await viewer.browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    contexts.push(context);
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    page.on("pageerror", (error) => {
      throw error;
    });
    await viewer.signIn(page, hash);
    return page;
  };
  return viewer;
}

export function goTo(page: Page, hash: string): Promise<void> {
  return page.evaluate((to) => void (location.hash = to), hash);
}

/** The key `g` and a letter, sent together: the letter counts for a moment only. */
export async function goByKeys(page: Page, letter: string): Promise<void> {
  await Promise.all([page.keyboard.press("g"), page.keyboard.press(letter)]);
}

/** Prints times for the reader of the run. Limits are checked by `npm run bench`, on a quiet machine. */
export function printTimes(what: string, times: number[]): void {
  console.log(`${what}: ${times.map(Math.round).join(", ")} ms`);
}
