import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromiumArgs, connectChromium, findChromium, type Page } from "../browser/support/chromium.ts";
import type { Outside } from "./outside.ts";
import { waitFor } from "./processes.ts";

export interface OutsideBrowser {
  open(address: string): Promise<Page>;
  close(): Promise<void>;
}

/** A browser that the person started: a link from a session's screen may only sign in such a one to answer questions. */
export async function openOutsideBrowser({ run }: Pick<Outside, "run">): Promise<OutsideBrowser> {
  const profile = mkdtempSync(join(tmpdir(), "rk-browser-"));
  const flags = ["--headless", "--remote-debugging-port=0", `--user-data-dir=${profile}`, ...chromiumArgs];
  const ended = run([findChromium(), ...flags, "about:blank"], { PATH: "/usr/bin:/bin", HOME: profile });
  const portFile = join(profile, "DevToolsActivePort");
  const port = await waitFor(
    () => existsSync(portFile) && /^(\d+)\n./.exec(readFileSync(portFile, "utf8"))?.[1],
    { describe: "the browser's debugging port" },
  );
  const browser = await connectChromium(`http://127.0.0.1:${port}`);
  return {
    async open(address) {
      const page = await (await browser.newContext()).newPage();
      await page.goto(address);
      return page;
    },
    async close() {
      await (await browser.newBrowserCDPSession()).send("Browser.close");
      await ended;
      rmSync(profile, { recursive: true, force: true });
    },
  };
}
