import { describe, expect, test } from "vitest";
import { waitFor } from "../support/processes.ts";
import type { Rookery } from "../support/rookery.ts";
import { findBarriers } from "./support/axe.ts";
import { readFixture, replaySession, saveNotes, waitUntilDistilled } from "../support/seed-sessions.ts";
import { useOutside } from "../support/use-outside.ts";
import { useViewer } from "./support/viewer.ts";

const outside = useOutside();
const session = "browser-orders";
let agent = "";
let noteId = "";

async function seed(rookery: Rookery): Promise<void> {
  await saveNotes(rookery, ["20-postgres-slow-query", "06-notes-db-choice"]);
  await replaySession(rookery, "01-fastapi-timezone-bug", session);
  const saved = (await rookery.call("GET", "/api/observations?limit=500")).json.observations.length;
  await waitUntilDistilled(rookery, saved + 2);
  agent = (await rookery.call("GET", `/api/sessions/${session}`)).json.agent;
  await outside.call(rookery, "POST", "/api/deliveries", { to: agent, body: "Mind the deploy at three." });
  noteId = (await rookery.call("GET", "/api/observations?limit=1")).json.observations[0].id;
}

const viewer = useViewer(seed);

/** The page, and something on it that only real data can bring there. */
const places: [string, () => string, () => string | RegExp][] = [
  ["Now", () => "#/now", () => agent],
  ["Memory", () => "#/memory", () => /\d+ notes/],
  ["a note", () => `#/memory/${noteId}`, () => "Source events"],
  ["Sessions", () => "#/sessions", () => /\d+ tool uses/],
  [
    "a story",
    () => `#/sessions/${session}`,
    () => readFixture("01-fastapi-timezone-bug").turns[0]?.prompt ?? "",
  ],
  ["Questions", () => "#/questions", () => /no questions|Nothing was asked/],
  ["Rooms", () => "#/rooms", () => agent],
  ["a conversation", () => `#/rooms/${agent}`, () => "Mind the deploy at three."],
  ["Health", () => "#/health", () => "Hook latency"],
  ["Settings", () => "#/settings", () => "context.tokens"],
];

describe("every page shows what is there, and nothing that bars anybody", () => {
  test.each(places)("%s", async (_name, hash, text) => {
    const page = await viewer.open(hash(), { reducedMotion: "reduce" });
    await page.getByText(text()).first().waitFor();
    expect(await findBarriers(page)).toEqual([]);
  });

  test("in the dark", async () => {
    const page = await viewer.open("#/now", { colorScheme: "dark", reducedMotion: "reduce" });
    for (const [, hash, text] of places) {
      await page.evaluate((to) => void (location.hash = to), hash());
      await page.getByText(text()).first().waitFor();
      expect(await findBarriers(page), hash()).toEqual([]);
    }
  });

  test("on a phone, 390 pixels wide, without scrolling sideways", async () => {
    const page = await viewer.open("#/now", {
      viewport: { width: 390, height: 844 },
      reducedMotion: "reduce",
    });
    for (const [, hash, text] of places) {
      await page.evaluate((to) => void (location.hash = to), hash());
      await page.getByText(text()).locator("visible=true").first().waitFor();
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width, hash()).toBeLessThanOrEqual(390);
      expect(await findBarriers(page), hash()).toEqual([]);
    }
  });
});

test("dark and light follow the system until the key t decides", async () => {
  const page = await viewer.open("#/now", { colorScheme: "dark" });
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const dark = await background();
  await page.emulateMedia({ colorScheme: "light" });
  const light = await background();
  expect(light).not.toBe(dark);
  await page.keyboard.press("t");
  await page.keyboard.press("t");
  expect(await background()).toBe(dark);
  await page.reload();
  expect(await background()).toBe(dark);
});

test("the keys lead everywhere: g and a letter, ? for help, j k Enter through a list, / to search, Esc back", async () => {
  const page = await viewer.open("#/now");
  for (const [key, heading] of [
    ["m", "Memory"],
    ["s", "Sessions"],
    ["q", "Questions"],
    ["r", "Rooms"],
    ["h", "Health"],
    ["c", "Settings"],
    ["n", "Now"],
  ]) {
    await page.keyboard.press("g");
    await page.keyboard.press(key ?? "");
    await page.getByRole("heading", { level: 1, name: heading ?? "" }).waitFor();
  }
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });

  await page.keyboard.press("g");
  await page.keyboard.press("m");
  await page.locator("[data-row]").first().waitFor();
  for (const key of ["j", "j", "j", "k"]) await page.keyboard.press(key);
  const second = await page.locator("[data-row]").nth(1).getAttribute("href");
  expect(await page.evaluate(() => document.activeElement?.getAttribute("href"))).toBe(second);
  await page.keyboard.press("Enter");
  await page.getByText("Source events").waitFor();
  expect(new URL(page.url()).hash).toBe(second);
  await page.keyboard.press("Escape");
  await page.getByText("Choose a note").waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("postgres index");
  await page.getByText(/\d+ results?/).waitFor();
});

test("a running session's card tells what it is doing as it happens", async () => {
  const page = await viewer.open("#/now");
  const cwd = (await viewer.rookery.call("GET", `/api/sessions/${session}`)).json.cwd;
  const post = (event: string, fields: object) =>
    viewer.rookery.call("POST", `/api/hooks/${event}`, {
      session_id: session,
      cwd,
      prompt_id: "live",
      ...fields,
    });
  await page.locator(".card", { hasText: agent }).getByText("idle").waitFor();
  await post("UserPromptSubmit", { prompt: "Now add the export, please" });
  await page.getByText("Now add the export, please").waitFor();
  await post("PreToolUse", {
    tool_name: "Bash",
    tool_use_id: "t1",
    tool_input: { command: "pytest -k export" },
  });
  await page.locator(".card-working", { hasText: "pytest -k export" }).waitFor();
  await post("PermissionRequest", { tool_name: "Bash", tool_input: { command: "git push" } });
  await page.locator(".card-waiting", { hasText: "waiting for you" }).waitFor();
  await post("Stop", { last_assistant_message: "Done." });
  await page.locator(".card-idle", { hasText: agent }).waitFor();
});

test("a setting is changed, explained and put back; a project is switched; the preview follows", async () => {
  const page = await viewer.open("#/settings");
  const setting = page.locator("form.setting", { hasText: "context.tokens" });
  await setting.getByRole("textbox").fill("99999");
  await setting.getByRole("button", { name: "Save" }).click();
  await setting.getByRole("alert").waitFor();
  await setting.getByRole("textbox").fill("700");
  await setting.getByRole("button", { name: "Save" }).click();
  await setting.getByText("file", { exact: true }).waitFor();
  expect((await viewer.rookery.cli("config", "--json")).stdout).toContain("700");
  await setting.getByRole("button", { name: "Back to the default" }).click();
  await setting.getByText("default", { exact: true }).waitFor();

  const project = page.locator("fieldset.switch").first();
  await project.getByLabel("isolated").check();
  const modes = async () =>
    (await viewer.rookery.call("GET", "/api/projects")).json.projects.map(({ mode }: any) => mode);
  await waitFor(async () => (await modes()).includes("isolated"));
  await project.getByLabel("on", { exact: true }).check();

  const preview = page.locator(".preview");
  await page.locator(".preview-controls").getByLabel("Project").selectOption({ label: "orders-api" });
  await preview.getByText("<rookery-memory").waitFor();
  await viewer.rookery.call("POST", "/api/observations", {
    project: "orders-api",
    text: "The preview is alive today.",
  });
  await preview.getByText("The preview is alive today.").waitFor();
  await page.getByLabel("Tokens:").fill("0");
  await page.getByText("Nothing: there is nothing to tell").waitFor();
});

test("a message goes to an agent and its way is followed", async () => {
  const page = await viewer.open(`#/rooms/${agent}`);
  await page.getByRole("textbox", { name: /Message to/ }).fill("From the browser");
  await page.keyboard.press("Control+Enter");
  const message = page.locator(".messages li", { hasText: "From the browser" });
  await message.getByText("waiting").waitFor();
  const { deliveries } = (await viewer.rookery.call("GET", `/api/deliveries?agent=${agent}`)).json;
  expect(deliveries[0]).toMatchObject({ body: "From the browser", from: "you", source: "viewer" });
  await viewer.rookery.call("POST", `/api/deliveries/${deliveries[0].id}/ack`);
  await message.getByText("read").waitFor();
});
