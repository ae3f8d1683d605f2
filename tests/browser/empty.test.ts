import { beforeAll, expect, test } from "vitest";
import { findBarriers } from "./support/axe.ts";
import type { Page } from "./support/chromium.ts";
import { goTo, useViewer } from "./support/viewer.ts";

const viewer = useViewer();
let page: Page;
beforeAll(async () => {
  page = await viewer.open("#/today", { reducedMotion: "reduce" });
});

test.each([
  ["#/today", "Nothing yet today", "rookery doctor"],
  ["#/today?day=2020-02-02", "No activity on this day", "No session ran"],
  ["#/memory", "No notes yet", "rookery import transcripts"],
  ["#/memory?q=wombat", "No results", "quotation marks"],
  ["#/memory?type=gotcha", "No matches for these filters", "Remove a filter"],
  ["#/sessions", "No sessions yet", "rookery import transcripts"],
  ["#/sessions?q=wombat", "No matching sessions", "All words must be"],
  ["#/questions", "No questions yet", "rookery ask"],
  ["#/rooms", "No agents yet", "rookery matrix invite"],
  ["#/blame", "No edited files yet", "rookery blame"],
  ["#/health", "No notes used in a session yet", "No hook calls"],
  ["#/settings", "No projects yet", "becomes a project"],
  ["#/settings/projects", "No projects yet", "becomes a project"],
  ["#/settings?q=nothingofthekind", "No matching settings", "Settings"],
])("%s is empty, and explains how to fill it", async (hash, said, taught) => {
  await goTo(page, hash);
  await page.getByText(said).first().waitFor();
  await page.getByText(taught).locator("visible=true").first().waitFor();
  expect(await findBarriers(page, { isSample: true })).toEqual([]);
});

test.each(["#/memory", "#/sessions", "#/blame"])("%s keeps no room beside its empty list", async (hash) => {
  await goTo(page, hash);
  await page.locator(".split-list .empty-start").waitFor();
  await page.locator(".split-detail").waitFor({ state: "hidden" });
  const center = await page.locator(".empty h2").evaluate((heading) => {
    const { left, width } = heading.getBoundingClientRect();
    return left + width / 2;
  });
  const { left, width } = await page.locator(".split").evaluate((split) => split.getBoundingClientRect());
  expect(Math.abs(center - left - width / 2)).toBeLessThan(2);
});

test("the default of a switch is called on or off", async () => {
  await goTo(page, "#/settings?q=recall.prompts");
  await page.getByText("Default on, variable").waitFor();
});

test("a tab without a token is locked, explains how to unlock it, and accepts a code once", async () => {
  const tab = await (await viewer.browser.newContext({ reducedMotion: "reduce" })).newPage();
  const address = await viewer.address();
  await tab.goto(new URL("/", address).href);
  await tab.getByText("rookery open", { exact: true }).waitFor();
  expect(await findBarriers(tab)).toEqual([]);
  await tab.route("**/viewer/token", (request) => request.abort(), { times: 1 });
  const lost = await viewer.address();
  await tab.goto("about:blank");
  await tab.goto(lost);
  await tab.getByText("The daemon did not answer").waitFor();
  await tab.goto(address);
  await tab.locator(".shell").waitFor();
  expect(tab.url()).not.toContain("code=");
  const other = await (await viewer.browser.newContext()).newPage();
  await other.goto(address);
  await other.getByText("This code was used before").waitFor();
  await viewer.rookery.call("DELETE", "/api/viewer/browsers");
  await tab.evaluate(() => sessionStorage.setItem("rookery.token", "wrong"));
  await tab.reload();
  await tab.getByText("rookery open", { exact: true }).waitFor();
  await goTo(tab, "#/memory");
  await tab.getByText("rookery open", { exact: true }).waitFor();
});
