import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { waitFor } from "../support/processes.ts";
import { readFixture, saveNotes } from "../support/seed-sessions.ts";
import type { Page } from "./support/chromium.ts";
import { goTo, printTimes, useViewer } from "./support/viewer.ts";

const viewer = useViewer({
  seed: (rookery) => saveNotes(rookery, ["20-postgres-slow-query", "06-notes-db-choice"]),
});
let page: Page;
beforeAll(async () => {
  page = await viewer.open("#/memory");
});
const postgres = readFixture("20-postgres-slow-query").project;

async function save(text: string, fields: object = {}): Promise<string> {
  return (await viewer.rookery.call("POST", "/api/notes", { project: postgres, text, ...fields })).json.id;
}

async function exists(id: string): Promise<boolean> {
  return (await viewer.rookery.call("GET", `/api/notes/${id}`)).status === 200;
}

test("a stored note appears without a reload", async () => {
  const now = await viewer.open("#/today");
  const memory = page;
  await memory.getByText(/\d+ notes/).waitFor();
  await now.evaluate(() => void ((globalThis as any).marker = "same page"));
  const times: number[] = [];
  for (let n = 0; n < 3; n++) {
    await save(`Kestrel ${n} nests above the server room.`);
    const savedAt = performance.now();
    await now.getByText(`Kestrel ${n} nests`).first().waitFor();
    times.push(performance.now() - savedAt);
  }
  printTimes("a note appears", times);
  await memory.getByText("Kestrel 2 nests").first().waitFor();
  expect(await now.evaluate(() => (globalThis as any).marker)).toBe("same page");
});

test("a deleted note can be restored; otherwise, or when the page is left, it is gone", async () => {
  const kept = await save("Delete me, then think again.");
  const lost = await save("Delete me for good.");
  const own = await viewer.open(`#/memory/${kept}`);
  await own.clock.install();
  await own.getByRole("button", { name: "Delete" }).click();
  await own.getByText("Deleted “Delete me, then think again.”").waitFor();
  expect(await exists(kept)).toBe(true);
  await own.keyboard.press("u");
  await own.locator(".toast").waitFor({ state: "detached" });
  expect(await own.locator(".row-deleting").count()).toBe(0);

  await own.evaluate((id) => void (location.hash = `#/memory/${id}`), lost);
  await own.getByRole("heading", { name: "Delete me for good." }).waitFor();
  await own.keyboard.press("#");
  await own.locator(".row-deleting").waitFor();
  expect(await exists(lost)).toBe(true);
  await own.clock.fastForward(6_500);
  await waitFor(async () => !(await exists(lost)));
  await own.locator(".row", { hasText: "Delete me for good." }).waitFor({ state: "detached" });
  expect(await exists(kept)).toBe(true);

  // Leaving the page also discards its undo.
  const left = await save("Deleted on the way out.");
  await goTo(own, `#/memory/${left}`);
  await own.getByRole("heading", { name: "Deleted on the way out." }).waitFor();
  await own.getByRole("button", { name: "Delete" }).click();
  await own.getByText("Deleted “Deleted on the way out.”").waitFor();
  await own.goto("about:blank");
  await waitFor(async () => !(await exists(left)));
});

test("a note is edited in place, with the keyboard alone", async () => {
  const id = await save("The queue holds ten itmes.", { title: "Queue size" });
  await goTo(page, `#/memory/${id}`);
  await page.getByRole("heading", { name: "Queue size" }).waitFor();
  const editor = page.getByRole("form", { name: "Edit the note" });
  await page.keyboard.press("e");
  await editor.getByLabel("Title").and(page.locator(":focus")).waitFor();
  await page.keyboard.press("End");
  await page.keyboard.type(" limit");
  await editor.getByLabel("Type").selectOption("gotcha");
  await editor.getByLabel("Text").fill("The queue holds ten items.");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("heading", { name: "Queue size limit" }).waitFor();
  expect((await viewer.rookery.call("GET", `/api/notes/${id}`)).json).toMatchObject({
    title: "Queue size limit",
    text: "The queue holds ten items.",
    type: "gotcha",
  });
  await page.keyboard.press("e");
  await editor.getByLabel("Title").fill("never saved");
  await page.keyboard.press("Escape");
  await page.getByRole("heading", { name: "Queue size limit" }).waitFor();
});

test("a newer note replaces an older one, and can be undone", async () => {
  const old = await save("The cellar door code is four digits.", { title: "Cellar door code" });
  const newer = await save("The cellar door code is six digits since May.", {
    title: "Cellar door code, longer",
  });
  const read = async () => (await viewer.rookery.call("GET", `/api/notes/${old}`)).json;
  await goTo(page, `#/memory/${old}`);
  await page.getByRole("heading", { name: "Cellar door code" }).waitFor();
  // The rule may already have replaced it, with the same result.
  if ((await read()).supersededBy !== null) {
    await page.getByRole("button", { name: "Restore" }).click();
    await page.getByText("Superseded by").waitFor({ state: "detached" });
  }
  await page.keyboard.press("s");
  const picker = page.getByRole("group", { name: "Superseding note" });
  await picker.getByRole("textbox").fill("cellar door lon");
  await picker.getByRole("button", { name: /Cellar door code, longer/ }).click();
  await page.getByText("Superseded by").waitFor();
  expect(await read()).toMatchObject({ supersededBy: newer });
  await page.keyboard.press("u");
  await page.getByText("Superseded by").waitFor({ state: "detached" });
  expect(await read()).toMatchObject({ supersededBy: null });

  await page.keyboard.press("s");
  await picker.getByRole("button", { name: /Cellar door code, longer/ }).click();
  await page.getByRole("button", { name: "Restore" }).click();
  await page.getByText("Superseded by").waitFor({ state: "detached" });
  expect(await read()).toMatchObject({ supersededBy: null });
});

test("an unfinished word is found with every letter, and highlighted", async () => {
  await save("The migration of the aviary runs at night.", { title: "Aviary migration" });
  await goTo(page, "#/memory");
  const row = page.locator(".row", { hasText: "Aviary migration" });
  await page.keyboard.press("/");
  for (const [index, letter] of Array.from("aviary migration").entries()) {
    await page.keyboard.type(letter);
    if (index >= 2) await row.waitFor();
  }
  await row.locator("mark", { hasText: "migration" }).first().waitFor();
  await page.getByRole("searchbox").fill("aviar migr");
  await row.locator("mark").first().waitFor();
  await page.getByRole("searchbox").fill("xq");
  await page.getByText("Keep typing").waitFor();
});

test("every kind can be browsed and searched, for any period", async () => {
  const { rookery } = viewer;
  const cwd = join(rookery.env.HOME ?? "", "sea");
  mkdirSync(cwd);
  const about = { session_id: "kinds", cwd, prompt_id: "k" };
  await rookery.call("POST", "/api/hooks/SessionStart", { ...about, source: "startup" });
  await rookery.call("POST", "/api/hooks/UserPromptSubmit", { ...about, prompt: "Where do petrels sleep?" });
  await rookery.call("POST", "/api/hooks/Stop", { ...about, last_assistant_message: "On the open sea." });
  // A turn is distilled a moment after it ends.
  await waitFor(async () => (await rookery.call("GET", "/api/browse?kind=prompt")).json.total === 1);
  const ask = { question: "Shall petrels be counted?", options: ["yes", "no"], wait: false };
  const { question } = (await rookery.call("POST", "/api/questions", { ...ask, cwd })).json;
  await goTo(page, "#/today");
  await page.getByRole("button", { name: "yes" }).click();
  await waitFor(
    async () => (await rookery.call("GET", `/api/questions/${question.id}`)).json.state === "answered",
  );
  await goTo(page, "#/memory");
  await page.getByLabel("Kind").selectOption("prompt");
  await page.locator(".row", { hasText: "Where do petrels sleep?" }).waitFor();
  await page.getByText(/^\d+ prompts?$/).waitFor();
  await page.getByLabel("Kind").selectOption("question");
  await page.locator(".row", { hasText: "Shall petrels be counted?" }).waitFor();
  await page.getByRole("searchbox").fill("petrel");
  await page.getByText("1 result", { exact: true }).waitFor();
  await page.getByLabel("Kind").selectOption("");
  await page.getByText(/^[3-9] results$/).waitFor();
  await page.getByRole("searchbox").fill("");

  await page.getByLabel("Time").selectOption("between");
  await page.getByLabel("From", { exact: true }).fill("2001-01-01");
  await page.getByLabel("To", { exact: true }).fill("2001-12-31");
  await page.getByText("No matches for these filters").waitFor();
  await save("Long ago.", { createdAt: Date.UTC(2001, 5, 1) });
  await page.getByText("1 note", { exact: true }).waitFor();
  await page.locator(".row", { hasText: "Long ago." }).waitFor();
});

test("search while typing, with filters; the address keeps them", async () => {
  await save("Wombats dig at night.", { type: "discovery", files: ["src/zoo/wombat.ts"] });
  await viewer.rookery.call("POST", "/api/notes", {
    project: "other-zoo",
    text: "Wombats sleep by day.",
    type: "gotcha",
  });
  await goTo(page, "#/memory");
  await page.getByRole("searchbox").fill("wombats");
  await page.getByText("2 results").waitFor();
  await page.getByLabel("Type").selectOption("gotcha");
  await page.getByText("1 result", { exact: true }).waitFor();
  await page.getByLabel("Type").selectOption("");
  await page.getByLabel("Project").selectOption({ label: "other-zoo" });
  await page.getByText("1 result", { exact: true }).waitFor();
  await page.getByText("Wombats sleep by day.").first().waitFor();
  await page.reload();
  await page.getByText("1 result", { exact: true }).waitFor();
  await page.getByRole("searchbox").fill("");
  await page.getByText("1 note", { exact: true }).waitFor();
  await page.getByLabel("Project").selectOption("");
  await page.getByLabel("File").fill("wombat.ts");
  await page.keyboard.press("Enter");
  await page.getByText("1 note", { exact: true }).waitFor();
  await page.getByLabel("Time").selectOption("day");
  await page.getByText("Wombats dig at night.").first().waitFor();
});

test("while the daemon is down every page says so under its title, and reconnects on its own", async () => {
  await goTo(page, "#/today");
  const port = new URL(page.url()).port;
  await viewer.rookery.kill9();
  await page.locator(".connection-lost").waitFor({ state: "attached" });
  for (const name of ["Sessions", "Rooms", "Health", "Settings", "Today"]) {
    await goTo(page, `#/${name.toLowerCase()}`);
    await page.getByRole("heading", { level: 1, name }).waitFor();
    await page.getByRole("alert").getByText("The daemon is not responding.").first().waitFor();
  }
  viewer.rookery.env.ROOKERY_PORT = port;
  await viewer.rookery.start();
  await page.locator(".connection-live").waitFor({ state: "attached" });
  await save("Back from the dead.");
  await page.getByText("Back from the dead.").first().waitFor();
});
