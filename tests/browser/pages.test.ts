import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { type StagedSession, useMailStage } from "../support/mail-stage.ts";
import { readFixture, replaySession, saveNotes, waitUntilDistilled } from "../support/seed-sessions.ts";
import { signalProcess } from "../support/processes.ts";
import { startPermissionHook } from "../support/waiting-hook.ts";
import { useOutside } from "../support/use-outside.ts";
import { findBarriers } from "./support/axe.ts";
import type { Page } from "./support/chromium.ts";
import { waitForRoom } from "./support/staged-present.ts";
import { goByKeys, goTo, useViewer } from "./support/viewer.ts";

const outside = useOutside();
const session = "browser-orders";
let agent = "";
let rook: StagedSession;
let jay: StagedSession;
let noteId = "";
let room = "";
let blamed = "";

const viewer = useViewer({
  async seed(rookery) {
    await saveNotes(rookery, ["20-postgres-slow-query", "06-notes-db-choice"]);
    await replaySession(rookery, "01-fastapi-timezone-bug", session);
    const saved = (await rookery.call("GET", "/api/notes?limit=500")).json.notes.length;
    await waitUntilDistilled(rookery, saved + 2);
    noteId = (await rookery.call("GET", "/api/notes?limit=1")).json.notes[0].id;
  },
});
const stage = useMailStage(() => viewer.rookery);
beforeAll(async () => {
  const { rookery } = viewer;
  rook = await stage.open("aviary");
  jay = await stage.open("aviary");
  agent = rook.agent;
  room = (await waitForRoom(rookery, "aviary")).id;
  await rook.send("project", "Mind the deploy at three.");
  await rook.send(jay.agent, "Just between us.");
  blamed = join(rook.cwd, "eggs.ts");
  const code = "export const eggs = countEggs(nest);\nexport const birds = 3;\n";
  writeFileSync(blamed, `${code}const older = true;\n`);
  await rook.say("UserPromptSubmit", { prompt_id: "eggs", prompt: "Count the eggs at dawn." });
  const written = { tool_name: "Edit", tool_input: { file_path: blamed, old_string: "", new_string: code } };
  await rook.say("PostToolUse", { prompt_id: "eggs", ...written });
  await rookery.call("POST", "/api/tasks", { title: "Fix the roof", hostPid: rook.claude.pid });
  await rookery.call("POST", "/api/leases", { globs: ["src/**"], hostPid: jay.claude.pid });
  await outside.call(rookery, "POST", "/api/deliveries", { to: agent, body: "From a script." });
  const ask = { agent, wait: false, context: "It matters.", multi: true };
  await rookery.call("POST", "/api/questions", {
    ...ask,
    question: "Which seeds?",
    options: ["Millet", "Hemp"],
  });
});

/** The page, and an element that only appears with real data. */
const places: [string, () => string, () => string | RegExp][] = [
  ["Today", () => "#/today", () => agent],
  ["a lane", () => `#/today/${agent}`, () => "Which seeds?"],
  ["Memory", () => "#/memory", () => /\d+ notes/],
  ["a search", () => "#/memory?q=created", () => /\d+ results?/],
  ["a note", () => `#/memory/${noteId}`, () => "Source events"],
  ["Sessions", () => "#/sessions", () => /\d+ tool uses/],
  [
    "a story",
    () => `#/sessions/${session}`,
    () => readFixture("01-fastapi-timezone-bug").turns[0]?.prompt ?? "",
  ],
  ["Questions", () => "#/questions", () => "Which seeds?"],
  ["Rooms", () => "#/rooms", () => agent],
  ["a room", () => `#/rooms/${encodeURIComponent(room)}`, () => "Mind the deploy at three."],
  ["an agent", () => `#/rooms/${agent}`, () => /Message from/],
  ["Blame", () => "#/blame", () => "eggs.ts"],
  [
    "a blamed file",
    () => `#/blame/${encodeURIComponent(blamed)}`,
    () => "export const eggs = countEggs(nest);",
  ],
  ["Health", () => "#/health", () => "Hook latency"],
  ["Settings", () => "#/settings", () => "context.tokens"],
  ["the projects", () => "#/settings/projects", () => "sessions are captured"],
];

const [desk, phone] = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];
let page: Page;
beforeAll(async () => {
  page = await viewer.open("#/today", { reducedMotion: "reduce" });
});

test.each(places)(
  "%s shows its content, fits, and is accessible: light, dark, on a phone",
  async (_name, hash, text) => {
    await page.emulateMedia({ colorScheme: "light" });
    for (const size of [desk, phone]) {
      await page.setViewportSize(size);
      await goTo(page, hash());
      await page.getByText(text()).locator("visible=true").first().waitFor();
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width).toBeLessThanOrEqual(size.width);
      expect(await findBarriers(page, { isSample: size === phone })).toEqual([]);
      // The dark theme changes only the colours.
      await page.emulateMedia({ colorScheme: "dark" });
      if (size === desk)
        expect(await findBarriers(page, { rules: ["color-contrast"], isSample: true })).toEqual([]);
    }
  },
);

test("Markdown is rendered in notes and rooms: headings, lists, tables, code and links, no HTML", async () => {
  const text = [
    "## Nest plan",
    "1. gather **twigs**\n2. weave",
    "| Bird | Eggs |\n|---|---|\n| Rook | 4 |",
    "```sh\nmake nest\n```",
    "See [the guide](https://example.com/guide) and <b>this</b>.",
  ].join("\n\n");
  const { json } = await viewer.rookery.call("POST", "/api/notes", { text, project: rook.cwd });
  await rook.send("project", text);
  await page.setViewportSize(desk);
  for (const [hash, place] of [
    [`#/memory/${json.id}`, ".split-detail"],
    [`#/rooms/${encodeURIComponent(room)}`, ".bubble"],
  ] as const) {
    await goTo(page, hash);
    const shown = page.locator(place, { hasText: "Nest plan" }).last();
    await shown.getByRole("heading", { name: "Nest plan" }).last().waitFor();
    await shown.locator("ol li", { hasText: "gather" }).locator("strong", { hasText: "twigs" }).waitFor();
    await shown.getByRole("cell", { name: "Rook" }).waitFor();
    await shown.locator(".code", { hasText: "make nest" }).waitFor();
    expect(await shown.getByRole("link", { name: /the guide/ }).getAttribute("href")).toBe(
      "https://example.com/guide",
    );
    await shown.getByText("<b>this</b>").waitFor();
  }
});

test("a permission for a file that another agent has claimed names that agent", async () => {
  const file_path = join(rook.cwd, "src", "eggs.ts");
  const tool_input = { file_path, old_string: "3", new_string: "4" };
  const fields = { session_id: rook.id, cwd: rook.cwd, tool_name: "Edit", tool_input };
  const hook = startPermissionHook(viewer.rookery, fields, rook.claude.pid);
  await goTo(page, "#/questions");
  await page.locator(".inbox-row, .question", { hasText: "eggs.ts" }).first().waitFor();
  const folded = page.locator(".inbox-row", { hasText: "eggs.ts" });
  if ((await folded.count()) > 0) await folded.click();
  await page
    .locator(".question", { hasText: "eggs.ts" })
    .getByText(`${jay.agent} has claimed this file.`)
    .waitFor();
  signalProcess(hook.pid, "SIGTERM");
  await hook.done;
});

test("on a phone a room's tasks and leases are one step away, and so is its list", async () => {
  await page.setViewportSize(phone);
  await goTo(page, `#/rooms/${encodeURIComponent(room)}`);
  await page.getByRole("button", { name: "Tasks, leases" }).click();
  await page.getByText("Fix the roof").locator("visible=true").waitFor();
  await page.getByText("src/**").locator("visible=true").waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.getByRole("link", { name: "All rooms" }).click();
  await page.getByRole("link", { name: agent }).first().waitFor();
});

test("dark and light follow the system until the key t switches", async () => {
  await page.emulateMedia({ colorScheme: "dark" });
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const dark = await background();
  await page.emulateMedia({ colorScheme: "light" });
  const light = await background();
  expect(light).not.toBe(dark);
  await page.keyboard.press("t");
  await page.keyboard.press("t");
  await expect.poll(background).toBe(dark);
  await page.reload();
  await page.locator(".shell").waitFor();
  expect(await background()).toBe(dark);
  await page.keyboard.press("t");
  await expect.poll(background).toBe(light);
});

test("keyboard navigation: g and a letter, ? for help, j k Enter through a list, / to search, Esc back", async () => {
  await page.setViewportSize(desk);
  for (const [key, heading] of [
    ["m", "Memory"],
    ["s", "Sessions"],
    ["q", "Questions"],
    ["r", "Rooms"],
    ["b", "Blame"],
    ["h", "Health"],
    ["c", "Settings"],
    ["t", "Today"],
  ]) {
    await goByKeys(page, key ?? "");
    await page.getByRole("heading", { level: 1, name: heading ?? "" }).waitFor();
  }
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });

  await goByKeys(page, "m");
  await page.locator("[data-row]").first().waitFor();
  for (const key of ["j", "j", "j", "k"]) await page.keyboard.press(key);
  const second = await page.locator("[data-row]").nth(1).getAttribute("href");
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute("href"))).toBe(second);
  await page.keyboard.press("Enter");
  await page.getByText("Source events").waitFor();
  expect(new URL(page.url()).hash).toBe(second);
  // Where there is room for it, the first note is open.
  const first = await page.locator("[data-row]").first().getAttribute("href");
  await page.keyboard.press("Escape");
  await expect.poll(() => new URL(page.url()).hash).toBe(first);
  await page.keyboard.press("/");
  await page.keyboard.type("postgres index");
  await page.getByText(/\d+ results?/).waitFor();
});

test("a blamed file shows the prompt behind the line under the pointer or the focus", async () => {
  await page.setViewportSize(desk);
  await goTo(page, `#/blame/${encodeURIComponent(blamed)}`);
  const reason = page.getByRole("complementary", { name: "Reason" });
  await reason.getByText("Point at a line").waitFor();
  const top = () => page.locator(".blame-lines").evaluate((lines) => lines.getBoundingClientRect().top);
  const before = await top();
  await page.getByText("export const birds = 3;").hover();
  await reason.getByText("Count the eggs at dawn.").waitFor();
  expect(await top()).toBe(before);
  await page.getByText("const older = true;").hover();
  await page.locator(".blame-block", { hasText: "older" }).getByText("no recorded edit").waitFor();
  await reason.getByText("Point at a line").waitFor();
  await page.locator(".blame-who a").first().focus();
  await reason.getByText("Count the eggs at dawn.").waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Sessions" }).waitFor();
});

test("Ctrl-K finds notes, sessions, rooms, settings and commands, by keyboard alone", async () => {
  await goTo(page, "#/today");
  const find = async (words: string, kind: string): Promise<void> => {
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: /^Find/ }).and(page.locator(":focus")).waitFor();
    await page.keyboard.type(words);
    const item = page
      .getByRole("option")
      .filter({ has: page.locator(".palette-kind", { hasText: kind }) })
      .first();
    await item.waitFor();
    while ((await item.getAttribute("aria-selected")) !== "true") await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Find" }).waitFor({ state: "hidden" });
  };
  await find("context.tokens", "setting");
  await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
  await find("go to health", "command");
  await page.getByRole("heading", { level: 1, name: "Health" }).waitFor();
  await find("eggs", "session");
  await page.getByRole("heading", { level: 1, name: "Sessions" }).waitFor();
  await find("aviary", "room");
  await page.getByRole("heading", { level: 1, name: "Rooms" }).waitFor();
  await find("postgres index", "note");
  await page.getByText("Source events").waitFor();
  for (const size of [desk, phone]) {
    await page.setViewportSize(size);
    await page.keyboard.press("Control+k");
    await page.keyboard.type("qqqq nothing");
    await page.getByText("Nothing found.").waitFor();
    expect(await findBarriers(page, { isSample: true })).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name: "Find" }).waitFor({ state: "hidden" });
  }
  // A key that the page uses must not act behind the palette.
  await page.setViewportSize(desk);
  await page.keyboard.press("Control+k");
  await page.keyboard.type("t");
  expect(await page.evaluate(() => document.documentElement.dataset.theme ?? "auto")).not.toBe("dark");
  expect(await findBarriers(page, { isSample: true })).toEqual([]);
  await page.keyboard.press("Escape");
});

test("a session's page shows the turns in order, the tools, the files, and the notes it was given", async () => {
  const { rookery } = viewer;
  const { cwd } = (await rookery.call("GET", `/api/sessions/${session}`)).json;
  const about = { session_id: "browser-reader", cwd };
  await rookery.call("POST", "/api/hooks/SessionStart", { ...about, source: "startup" });
  await goTo(page, `#/sessions/${session}`);
  const { turns } = readFixture("01-fastapi-timezone-bug");
  await page
    .locator(".turn")
    .nth(turns.length - 1)
    .waitFor();
  for (const [index, { prompt }] of turns.entries())
    await page.locator(".turn").nth(index).getByText(prompt).first().waitFor();
  await page
    .getByText(/7 tool uses/)
    .first()
    .click();
  await page.locator(".tools li.failed").first().waitFor();
  await page.getByText(/\d files touched, \d changed/).waitFor();
  await page.locator(".files a", { hasText: "orders.py" }).first().click();
  await page.getByLabel("File").and(page.locator("input")).waitFor();
  expect(new URL(page.url()).hash).toContain("file=orders.py");

  await goTo(page, "#/sessions/browser-reader");
  await page.getByText(/Given \d+ notes?/).click();
  const memory = page.locator(".injections li").first();
  await memory.getByText("index at startup").waitFor();
  await memory.getByRole("link").click();
  await page.getByText("Used in sessions").waitFor();
  await page.locator(".injections li", { hasText: "index at startup" }).first().waitFor();
});

test("sessions have the headings of their days, and are found by words of their prompts and by project", async () => {
  await goTo(page, "#/sessions");
  await page.locator(".day-head", { hasText: "Today" }).waitFor();
  const rows = page.locator(".split-list .row");
  const [{ prompt } = { prompt: "" }] = readFixture("01-fastapi-timezone-bug").turns;
  const words = (prompt.match(/\p{L}{5,}/gu) ?? []).slice(0, 3).join(" ");
  await page.keyboard.press("/");
  await page.keyboard.type(words.toUpperCase());
  await expect.poll(() => rows.count()).toBe(1);
  expect(await rows.first().getAttribute("href")).toContain(`#/sessions/${session}?q=`);
  await page.getByLabel("Search sessions").fill("no_such%word");
  await page.getByText("No matching sessions").waitFor();
  await page.getByLabel("Search sessions").fill("");
  await page.getByLabel("Project").selectOption({ label: "aviary" });
  await expect.poll(() => rows.count()).toBe(2);
  await page.keyboard.press("Escape");
  await page.getByLabel("Project").selectOption("");
  await rows.nth(2).waitFor();
});

test("a session that a message woke shows the message, not the host's tags", async () => {
  const event = "Rookery: 1 new message from cron. It follows.";
  const prompt = `<task-notification>\n<task-id>b1</task-id>\n<event>${event}</event>\n</task-notification>`;
  const told = await rook.say("UserPromptSubmit", { prompt });
  expect(told).toContain("From a script.");
  await goTo(page, `#/sessions/${rook.id}`);
  const turn = page.locator(".turn", { hasText: "From a script." });
  await turn.locator(".prompt-received").waitFor();
  expect(await turn.innerText()).not.toMatch(/task-notification|It follows/);
});

test("a running session's card shows its current activity live", async () => {
  await goTo(page, "#/today");
  const { cwd, agent: name } = (await viewer.rookery.call("GET", `/api/sessions/${session}`)).json;
  const post = (event: string, fields: object) =>
    viewer.rookery.call("POST", `/api/hooks/${event}`, {
      session_id: session,
      cwd,
      prompt_id: "live",
      ...fields,
    });
  await page.locator(".card", { hasText: name }).getByText("idle").waitFor();
  await post("UserPromptSubmit", { prompt: "Now add the export, please" });
  await page.locator(".card-prompt", { hasText: "Now add the export, please" }).waitFor();
  await post("PreToolUse", {
    tool_name: "Bash",
    tool_use_id: "t1",
    tool_input: { command: "pytest -k export" },
  });
  await page.locator(".card-working", { hasText: "pytest -k export" }).waitFor();
  await post("PermissionRequest", { tool_name: "Bash", tool_input: { command: "git push" } });
  await page.locator(".card-waiting", { hasText: name }).waitFor();
  await post("Stop", { last_assistant_message: "Done." });
  await page.locator(".card-idle", { hasText: name }).waitFor();
});

test("Health draws its charts, and describes them in words", async () => {
  await goTo(page, "#/health");
  const charts = page.locator(".chart canvas");
  await charts.nth(2).waitFor();
  for (const name of [/^Hook latency over time/, /^Queue and spool over time/, /^Size over time/])
    await page.getByRole("img", { name }).waitFor();
  const isDrawn = await charts.first().evaluate((canvas) => {
    const { width, height } = canvas as HTMLCanvasElement;
    const { data } = (canvas as HTMLCanvasElement).getContext("2d")?.getImageData(0, 0, width, height) ?? {};
    return data?.some((part) => part !== 0);
  });
  expect(isDrawn).toBe(true);
  await page.getByText("No model calls").waitFor();
});

test("a running session, its story and its notes name the coding agent", async () => {
  await page.setViewportSize(desk);
  const { sessions } = (await viewer.rookery.call("GET", "/api/sessions")).json;
  const { id, hostLabel } = sessions.find((each: { agent: string }) => each.agent === agent);
  expect(hostLabel).toBe("Claude Code");
  for (const [hash, place] of [
    ["#/today", ".card"],
    [`#/sessions/${id}`, "header"],
    ["#/sessions", ".row-meta"],
    [`#/memory/${noteId}`, ".note"],
  ] as const) {
    await goTo(page, hash);
    await page.locator(place).filter({ hasText: hostLabel }).first().waitFor();
  }
});
