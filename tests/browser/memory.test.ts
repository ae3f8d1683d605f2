import { expect, test } from "vitest";
import { waitFor } from "../support/processes.ts";
import { readFixture, saveNotes } from "../support/seed-sessions.ts";
import { useViewer } from "./support/viewer.ts";

const viewer = useViewer((rookery) => saveNotes(rookery, ["20-postgres-slow-query", "06-notes-db-choice"]));
const postgres = readFixture("20-postgres-slow-query").project;

async function save(text: string, fields: object = {}): Promise<string> {
  return (await viewer.rookery.call("POST", "/api/observations", { project: postgres, text, ...fields })).json
    .id;
}

async function exists(id: string): Promise<boolean> {
  return (await viewer.rookery.call("GET", `/api/observations/${id}`)).status === 200;
}

test("what is stored appears by itself, without a reload", async () => {
  const now = await viewer.open("#/now");
  const memory = await viewer.open("#/memory");
  await memory.getByText(/\d+ notes/).waitFor();
  await now.evaluate(() => void ((globalThis as any).marker = "same page"));
  const startedAt = performance.now();
  await save("The kestrel nests above the server room.");
  await now.getByText("The kestrel nests").first().waitFor();
  console.log(`live after ${Math.round(performance.now() - startedAt)} ms (bar: 500)`);
  await memory.getByText("The kestrel nests").first().waitFor();
  expect(await now.evaluate(() => (globalThis as any).marker)).toBe("same page");
});

test("a deleted note can be had back; left alone, it is gone", async () => {
  const kept = await save("Delete me, then think again.");
  const lost = await save("Delete me for good.");
  const page = await viewer.open(`#/memory/${kept}`);
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByText("Deleted “Delete me, then think again.”").waitFor();
  expect(await exists(kept)).toBe(true);
  await page.keyboard.press("u");
  await page.locator(".toast").waitFor({ state: "detached" });
  expect(await page.locator(".row-leaving").count()).toBe(0);

  await page.evaluate((id) => void (location.hash = `#/memory/${id}`), lost);
  await page.getByRole("heading", { name: "Delete me for good." }).waitFor();
  await page.keyboard.press("#");
  await page.locator(".row-leaving").waitFor();
  expect(await exists(lost)).toBe(true);
  await waitFor(async () => !(await exists(lost)), { timeoutMs: 15_000 });
  await page.locator(".row", { hasText: "Delete me for good." }).waitFor({ state: "detached" });
  expect(await exists(kept)).toBe(true);
});

test("a page that goes away takes its undo with it: what was deleted is deleted", async () => {
  const id = await save("Deleted on the way out.");
  const page = await viewer.open(`#/memory/${id}`);
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByText("Deleted “").waitFor();
  await page.goto("about:blank");
  await waitFor(async () => !(await exists(id)), { timeoutMs: 3_000 });
});

test("a note is edited in place, by keys alone", async () => {
  const id = await save("The queue holds ten itmes.", { title: "Queue size" });
  const page = await viewer.open(`#/memory/${id}`);
  await page.getByRole("heading", { name: "Queue size" }).waitFor();
  await page.keyboard.press("e");
  const editor = page.getByRole("form", { name: "Edit the note" });
  await editor.waitFor();
  await page.keyboard.press("End");
  await page.keyboard.type(" limit");
  await editor.getByLabel("Type").selectOption("gotcha");
  await editor.getByLabel("Text").fill("The queue holds ten items.");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("heading", { name: "Queue size limit" }).waitFor();
  expect((await viewer.rookery.call("GET", `/api/observations/${id}`)).json).toMatchObject({
    ...{ title: "Queue size limit", text: "The queue holds ten items.", type: "gotcha" },
  });
  await page.keyboard.press("e");
  await editor.getByLabel("Title").fill("never saved");
  await page.keyboard.press("Escape");
  await page.getByRole("heading", { name: "Queue size limit" }).waitFor();
});

test("a newer note takes an older one's place, and gives it back", async () => {
  const old = await save("The cellar door code is four digits.", { title: "Cellar door code" });
  const newer = await save("The cellar door code is six digits since May.", {
    title: "Cellar door code, longer",
  });
  const read = async () => (await viewer.rookery.call("GET", `/api/observations/${old}`)).json;
  const page = await viewer.open(`#/memory/${old}`);
  await page.getByRole("heading", { name: "Cellar door code" }).waitFor();
  if (!("supersededBy" in (await read()))) {
    // A daemon whose notes cannot replace each other offers nothing of the kind.
    expect(await page.getByRole("button", { name: "Supersede" }).count()).toBe(0);
    return;
  }
  // Saying it by hand and finding it by itself are one thing: it may have happened already.
  if ((await read()).supersededBy === null) {
    await page.keyboard.press("s");
    await page.getByRole("button", { name: /Cellar door code, longer/ }).click();
  }
  await page.getByText("No longer holds").waitFor();
  expect(await read()).toMatchObject({ supersededBy: newer });
  await page.getByRole("button", { name: "Let it hold again" }).click();
  await page.getByText("No longer holds").waitFor({ state: "detached" });
  expect(await read()).toMatchObject({ supersededBy: null });
});

test("search as one types, with filters; the address holds them", async () => {
  await save("Wombats dig at night.", { type: "discovery", files: ["src/zoo/wombat.ts"] });
  await viewer.rookery.call("POST", "/api/observations", {
    project: "other-zoo",
    text: "Wombats sleep by day.",
    type: "gotcha",
  });
  const page = await viewer.open("#/memory");
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

test("after the daemon was away the page finds it again by itself", async () => {
  const page = await viewer.open("#/now");
  const port = new URL(page.url()).port;
  await viewer.rookery.kill9();
  await page.locator(".connection-lost").waitFor({ state: "attached" });
  viewer.rookery.env.ROOKERY_PORT = port;
  await viewer.rookery.start();
  await page.locator(".connection-live").waitFor({ state: "attached", timeout: 20_000 });
  await save("Back from the dead.");
  await page.getByText("Back from the dead.").first().waitFor();
});
