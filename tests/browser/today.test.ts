import { beforeAll, expect, test } from "vitest";
import { openStore } from "../../src/store/open-store.ts";
import { spawnDaemon } from "../support/daemon-process.ts";
import { useMailStage } from "../support/mail-stage.ts";
import type { Rookery } from "../support/rookery.ts";
import { findBarriers } from "./support/axe.ts";
import type { Page } from "./support/chromium.ts";
import { stageDay } from "./support/staged-day.ts";
import { goTo, printTimes, useViewer } from "./support/viewer.ts";

const yesterday = new Date();
yesterday.setDate(yesterday.getDate() - 1);
yesterday.setHours(18, 0, 0, 0);
const name = new Intl.DateTimeFormat("en-CA").format(yesterday);

async function seed(rookery: Rookery): Promise<void> {
  await rookery.kill9();
  const store = openStore(rookery.home.database, Date.now);
  stageDay(store, { agents: 20, turns: 12, now: yesterday.getTime(), hours: 9 });
  store.close();
  await spawnDaemon(rookery);
}

const viewer = useViewer({ seed });
const stage = useMailStage(() => viewer.rookery);
let page: Page;
beforeAll(async () => {
  page = await viewer.open(`#/today?day=${name}`, { reducedMotion: "reduce" });
});

test("a day of 20 agents and 500 events is drawn at once, from one request", async () => {
  const requests: string[] = [];
  await page.evaluate(() => {
    const lanes = new MutationObserver(() => {
      const count = document.querySelectorAll(".lane-picture").length;
      if (count > 0) ((globalThis as any).laneCounts ??= new Set()).add(count);
    });
    lanes.observe(document.body, { subtree: true, childList: true });
  });
  page.on("request", (request) => requests.push(new URL(request.url()).pathname));
  const startedAt = performance.now();
  await goTo(page, "#/settings");
  await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
  await goTo(page, `#/today?day=${name}`);
  await page.locator(".lane").nth(19).waitFor();
  printTimes("the day", [performance.now() - startedAt]);
  expect(requests.filter((path) => path === "/api/strip")).toHaveLength(1);
  // All lanes appear in one change of the document.
  expect(await page.evaluate(() => [...(globalThis as any).laneCounts])).toEqual([20]);
  const marks = await page.locator(".working, .note-tick, .asked").count();
  expect(marks).toBeGreaterThanOrEqual(500);
});

test("a lane opens its story, in order, by key and by click; its entries open their pages", async () => {
  await goTo(page, `#/today?day=${name}`);
  const lane = page.locator(".lane", { hasText: "billing-jay" });
  await lane.waitFor();
  await lane.focus();
  await page.keyboard.press("Enter");
  const story = page.locator(".lane-story");
  await story.getByText(/^working .* questions?, \d+ notes$/).waitFor();
  expect(new URL(page.url()).hash).toBe(`#/today/billing-jay?day=${name}`);
  const times = await story
    .locator("time")
    .evaluateAll((list) => list.map((time) => (time as HTMLTimeElement).dateTime));
  expect(times.length).toBeGreaterThan(20);
  expect(times).toEqual(times.toSorted());
  expect(await findBarriers(page, { isSample: true })).toEqual([]);
  await page.keyboard.press("Escape");
  await story.waitFor({ state: "detached" });
  await lane.locator(".lane-name").click();
  await story.locator(".story-note").first().click();
  await page.getByText("Source events").waitFor();
  await page.goBack();
  await story.locator("li a:not([class])").first().click();
  await page.getByRole("heading", { level: 1, name: "Sessions" }).waitFor();
  await page.goBack();
  await page.locator(".lane .note-tick").first().click();
  await page.getByRole("heading", { level: 1, name: "Memory" }).waitFor();
});

test("the lane of a running agent shows its turn, its question and its note as they happen", async () => {
  const { rookery } = viewer;
  await goTo(page, "#/today");
  const rook = await stage.open("aviary");
  const lane = page.locator(".lane", { hasText: rook.agent });
  await lane.locator(".idle").first().waitFor({ state: "attached" });
  await rook.say("UserPromptSubmit", { prompt_id: "p", prompt: "Count the <b>birds</b>." });
  await lane.locator(".working").waitFor({ state: "attached" });
  await rookery.call("POST", "/api/questions", { question: "All of them?", agent: rook.agent, wait: false });
  await lane.locator(".asked-open").waitFor();
  await lane.locator(".lane-name").click();
  await page.locator(".lane-story").getByText("Count the <b>birds</b>.").waitFor();
  await page.locator(".story-question", { hasText: "All of them?" }).getByText("waiting for you").waitFor();
  await rookery.call("POST", "/api/notes", { project: "aviary", session: rook.id, text: "Count at dawn." });
  await page.locator(".story-note", { hasText: "Count at dawn." }).waitFor();
});

test("the week opens its days, and says which notes were recalled and used, and who talks to whom", async () => {
  await goTo(page, `#/today?day=${name}`);
  await page.locator(".lane").nth(19).waitFor();
  const days = page.locator(".week-day");
  await days.nth(6).waitFor();
  expect(await page.locator(".week-day[aria-current]").textContent()).toContain("20 agents");
  const use = page.locator(".use", { hasText: "orders-api" });
  await use.getByText(/\d+ notes recalled, \d+ used/).click();
  await use.getByText("its words are in the reply or an edit").first().waitFor();
  await use.getByText("no sign of use").first().waitFor();
  const [rook, jay] = [await stage.open("aviary"), await stage.open("aviary")];
  await rook.send(jay.agent, "Just between us.");
  await rook.send("project", "To all of you.");
  await page.locator(".talk a", { hasText: jay.agent }).getByText("1 message").waitFor();
  await page.locator(".talk a", { hasText: "room aviary" }).waitFor();
  expect(await findBarriers(page, { isSample: true })).toEqual([]);
  await days.nth(6).click();
  await page.getByRole("heading", { level: 1, name: "Today" }).waitFor();
});

test("keys move through the days, but not into the future", async () => {
  await goTo(page, "#/today");
  await page.getByRole("heading", { level: 1, name: "Today" }).waitFor();
  await page.keyboard.press("[");
  await page.getByRole("heading", { level: 1, name: "Yesterday" }).waitFor();
  await page.locator(".lane").nth(19).waitFor();
  await page.keyboard.press("]");
  await page.getByRole("heading", { level: 1, name: "Today" }).waitFor();
  await page.keyboard.press("]");
  expect(new URL(page.url()).hash).toBe("#/today");
});
