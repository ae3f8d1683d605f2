import { beforeAll, expect, test } from "vitest";
import { makeId } from "../../src/shared/ids.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { Rookery } from "../support/rookery.ts";
import { spawnDaemon } from "../support/daemon-process.ts";
import { waitFor } from "../support/processes.ts";
import type { Page } from "./support/chromium.ts";
import { printTimes, useViewer } from "./support/viewer.ts";

const count = 100_000;
const titleOf = (number: number): string => `Note number ${number}.`;

/** Written directly into the tables while no daemon runs: the API would take minutes. */
async function seed(rookery: Rookery): Promise<void> {
  await rookery.call("POST", "/api/notes", { project: "many", text: "The first of many." });
  await rookery.kill9();
  const store = openStore(rookery.home.database, Date.now);
  const { projectId } = store.notes.listRecent(undefined, 1)[0] ?? { projectId: "" };
  const list = { facts: [], concepts: [], filesRead: [], filesModified: [], sourceEvents: [] };
  const place = { projectId, worktree: null, sessionId: null, turnId: null, promptNumber: null };
  const startedAt = Date.now() - count * 1000;
  store.db.transaction(() => {
    for (let number = 1; number <= count; number++) {
      const at = startedAt + number * 900;
      store.notes.insert({
        ...list,
        ...place,
        ...{
          id: makeId(at),
          type: "discovery",
          title: titleOf(number),
          narrative: `${titleOf(number)} `.repeat(20),
        },
        tokens: 100,
        provenance: "manual",
        hash: String(number),
        createdAt: at,
        updatedAt: at,
        supersededBy: null,
        supersededBecause: null,
        author: null,
        byMachine: false,
        worth: null,
        pinnedAt: null,
      });
    }
  });
  store.close();
  await spawnDaemon(rookery);
}

const viewer = useViewer({ seed });
let page: Page;
beforeAll(async () => {
  page = await viewer.open("#/memory");
});

test("a hundred thousand notes: any position is quick to reach, and few rows exist at a time", async () => {
  await page.getByText("100,001 notes").waitFor();
  const list = page.getByRole("region", { name: "All notes" });
  const scrollTo = (share: number) =>
    list.evaluate((element, part) => void (element.scrollTop = part * element.scrollHeight), share);
  const times: number[] = [];
  for (const [share, number] of [
    [0.5, 50_001],
    [1, 1],
    [0.25, 75_001],
    [0, 100_000],
  ] as const) {
    const startedAt = performance.now();
    await scrollTo(share);
    const nearby = new RegExp(
      `^Note number (${number}|${number - 3}|${number - 4}|${number + 1}|${number + 2})\\.$`,
    );
    await list.getByText(nearby).first().waitFor();
    times.push(performance.now() - startedAt);
    expect(await list.locator("li").count()).toBeLessThan(60);
  }
  printTimes("a position is reached", times);

  // Scrolls a long way, frame by frame, as a person would; the page must keep up.
  const frames = await list.evaluate(async (element) => {
    const gaps: number[] = [];
    let last = performance.now();
    for (let frame = 0; frame < 120; frame++) {
      element.scrollTop += 400;
      await new Promise(requestAnimationFrame);
      gaps.push(performance.now() - last);
      last = performance.now();
    }
    return gaps;
  });
  // At 60 frames per second a frame takes 17 ms; a busy machine may drop some.
  printTimes("a frame while scrolling", frames);
  expect(await list.locator("li").count()).toBeLessThan(60);
});

test("keys move beyond the visible rows, and a list does not move while notes arrive", async () => {
  await page.reload();
  await page.getByText("100,001 notes").waitFor();
  const list = page.getByRole("region", { name: "All notes" });
  const focused = () =>
    page.evaluate(() => document.activeElement?.closest("[data-index]")?.getAttribute("data-index"));
  // The page ignores keys until its rows are there.
  await waitFor(async () => {
    if (Number(await focused()) >= 29) return true;
    await page.keyboard.press("j");
    return false;
  });
  const title = await page.evaluate(() => document.activeElement?.querySelector(".row-title")?.textContent);

  await viewer.rookery.call("POST", "/api/notes", { project: "many", text: "One more came in." });
  await page.getByRole("button", { name: "1 new" }).waitFor();
  expect(await page.evaluate(() => document.activeElement?.querySelector(".row-title")?.textContent)).toBe(
    title,
  );
  await page.keyboard.press("r");
  await page.getByText("100,002 notes").waitFor();
  await list.evaluate((element) => void (element.scrollTop = 0));
  await list.getByText("One more came in.").first().waitFor();
});
