import { beforeAll, expect, test } from "vitest";
import { findBarriers } from "./support/axe.ts";
import type { Page } from "./support/chromium.ts";
import { goTo, useViewer } from "./support/viewer.ts";

const viewer = useViewer();
let page: Page;
beforeAll(async () => {
  page = await viewer.open("#/now", { reducedMotion: "reduce" });
});

test.each([
  ["#/now", "No session runs", "rookery doctor"],
  ["#/memory", "Nothing remembered yet", "rookery import transcripts"],
  ["#/memory?q=wombat", "Nothing found", "quotation marks"],
  ["#/memory?type=gotcha", "Nothing fits these filters", "Take one away"],
  ["#/sessions", "No sessions yet", "rookery import transcripts"],
  ["#/questions", "Nothing was asked yet", "rookery ask"],
  ["#/rooms", "Nobody has been here yet", "rookery matrix invite"],
  ["#/health", "Nothing was put before a session yet", "No hook has called"],
  ["#/settings", "No projects yet", "first session in a folder"],
  ["#/settings?q=nothingofthekind", "No setting fits", "Settings"],
])("%s has nothing to show, and says how that changes", async (hash, said, taught) => {
  await goTo(page, hash);
  await page.getByText(said).first().waitFor();
  await page.getByText(taught).locator("visible=true").first().waitFor();
  expect(await findBarriers(page, { isSample: true })).toEqual([]);
});

test("a tab without a token is locked, says how to open it, and is let in by a code once", async () => {
  const tab = await (await viewer.browser.newContext({ reducedMotion: "reduce" })).newPage();
  const address = await viewer.address();
  await tab.goto(new URL("/", address).href);
  await tab.getByText("rookery open").waitFor();
  expect(await findBarriers(tab)).toEqual([]);
  await tab.goto(address);
  await tab.locator(".shell").waitFor();
  expect(tab.url()).not.toContain("code=");
  const other = await (await viewer.browser.newContext()).newPage();
  await other.goto(address);
  await other.getByText("This code was used before").waitFor();
  await tab.evaluate(() => sessionStorage.setItem("rookery.token", "wrong"));
  await tab.reload();
  await tab.getByText("rookery open").waitFor();
  await goTo(tab, "#/memory");
  await tab.getByText("rookery open").waitFor();
});
