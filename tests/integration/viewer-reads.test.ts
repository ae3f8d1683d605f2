import { afterAll, beforeAll, expect, test } from "vitest";
import { spawnDaemon } from "../support/daemon-process.ts";
import { waitFor } from "../support/processes.ts";
import type { Rookery } from "../support/rookery.ts";
import { readFixture, replaySession, saveNotes, waitUntilDistilled } from "../support/seed-sessions.ts";
import { useRookeriesWithoutRooms } from "../support/use-rookery.ts";

const rookeries = useRookeriesWithoutRooms(afterAll);
const session = "reads-orders";
let rookery: Rookery;
let total = 0;
const get = async (path: string) => (await rookery.call("GET", path)).json;

beforeAll(async () => {
  rookery = rookeries.open();
  await spawnDaemon(rookery);
  await saveNotes(rookery, ["20-postgres-slow-query", "06-notes-db-choice"]);
  const saved = (await get("/api/browse")).total;
  await replaySession(rookery, "01-fastapi-timezone-bug", session);
  await waitUntilDistilled(rookery, saved + 3);
  total = (await get("/api/browse")).total;
});

const post = async (event: string, id: string, fields: object = {}) => {
  const { cwd } = await get(`/api/sessions/${session}`);
  const body = { session_id: id, cwd, hook_event_name: event, prompt_id: `${id}-p`, ...fields };
  return (await rookery.call("POST", `/api/hooks/${event}`, body)).json;
};

test("a list is read page by page, and does not move while notes arrive", async () => {
  const first = await get("/api/browse?limit=4");
  expect(first.notes.length).toBe(4);
  const anchor = first.notes[0].id;
  await rookery.call("POST", "/api/notes", { project: "elsewhere", text: "Came in between." });
  const pages = await Promise.all(
    Array.from({ length: Math.ceil(total / 4) }, (_, page) =>
      get(`/api/browse?limit=4&until=${anchor}&skip=${page * 4}`),
    ),
  );
  const ids: string[] = pages.flatMap(({ notes }) => notes.map(({ id }: any) => id));
  expect(ids.length).toBe(total);
  expect(ids).toEqual([...new Set(ids)].toSorted().toReversed());
  expect(pages[0]).not.toHaveProperty("total");
  expect((await get("/api/browse")).total).toBe(total + 1);
});

test.each<[string, (note: any) => boolean]>([
  ["type=gotcha", ({ type }) => type === "gotcha"],
  ["project=elsewhere", ({ project }) => project === "elsewhere"],
  [
    "project=metrics-db&type=preference",
    ({ project, type }) => project === "metrics-db" && type === "preference",
  ],
  [`from=${Date.now() - 3600_000}`, ({ createdAt }) => createdAt > Date.now() - 2 * 3600_000],
])("a list filtered by %s has exactly these", async (filter, fits) => {
  const everything = (await get("/api/browse?limit=200")).notes;
  const found = await get(`/api/browse?limit=200&${filter}`);
  expect(found.notes).toEqual(everything.filter(fits));
  expect(found.total).toBe(found.notes.length);
});

test("every kind is listed newest first, page by page, and an unfinished word is found", async () => {
  const fixture = readFixture("01-fastapi-timezone-bug");
  const prompts = fixture.turns.map(({ prompt }) => prompt).toReversed();
  const first = await get("/api/browse?kind=prompt&limit=2");
  expect(first.total).toBe(prompts.length);
  const rest = await get(`/api/browse?kind=prompt&limit=2&skip=2&until=${first.notes[0].id}`);
  const lines = [...first.notes, ...rest.notes];
  expect(lines.map(({ snippet }: any) => snippet)).toEqual(
    prompts.map((prompt) => prompt.replace(/\s+/g, " ").slice(0, 240)),
  );
  expect(lines[0]).toMatchObject({ kind: "prompt", type: null, session, project: fixture.project });
  expect((await get("/api/browse?kind=summary")).total).toBeGreaterThan(0);
  expect((await get("/api/browse?kind=prompt&project=elsewhere")).total).toBe(0);
  expect((await get("/api/browse?kind=nonsense")).code).toBe("invalid_payload");

  const search = async (query: string) => (await get(`/api/search?limit=50&${query}`)).results;
  expect(await search("q=timez&typing=1&kind=note")).not.toEqual([]);
  const whole = await search("q=timez&kind=note");
  expect(whole.flatMap(({ matched }: { matched: string[] }) => matched)).toEqual([]);
});

test("a session shows its turns, the tools in order, and its notes", async () => {
  const { turns, files, earlier } = await get(`/api/sessions/${session}/story`);
  const fixture = readFixture("01-fastapi-timezone-bug");
  expect(earlier).toBe(0);
  expect(turns.map((turn: any) => turn.prompts[0].text)).toEqual(fixture.turns.map(({ prompt }) => prompt));
  expect(turns[0]).toMatchObject({
    kind: "human",
    outcome: "completed",
    said: fixture.turns[0]?.final,
    moreTools: 0,
  });
  expect(turns[0].tools.map(({ tool }: any) => tool)).toEqual(
    fixture.turns[0]?.steps.flatMap(({ tool }) => tool ?? []),
  );
  expect(turns[0].tools[1]).toMatchObject({
    tool: "Read",
    hasFailed: true,
    about: expect.stringContaining("model.py"),
  });
  expect(turns[0].summary.completed || turns[0].summary.learned).toBeTruthy();
  expect(turns.flatMap((turn: any) => turn.notes).length).toBeGreaterThanOrEqual(3);
  expect(files.find(({ edits }: any) => edits > 0)).toBeDefined();

  const last = await get(`/api/sessions/${session}/story?limit=1`);
  expect(last).toMatchObject({ earlier: turns.length - 1, turns: [{ number: turns.length }] });
  const before = await get(`/api/sessions/${session}/story?limit=1&before=${turns.length}`);
  expect(before.turns[0].number).toBe(turns.length - 1);
  expect((await rookery.call("GET", "/api/sessions/none/story")).json.code).toBe("session_not_found");
  expect((await rookery.call("GET", `/api/sessions/${session}/story?before=x`)).json.code).toBe(
    "invalid_payload",
  );
});

test("sessions are listed page by page", async () => {
  for (const id of ["older-1", "older-2", "older-3"]) await post("SessionStart", id, { source: "startup" });
  const all = (await get("/api/sessions")).sessions.map(({ id }: any) => id);
  const walked: string[] = [];
  for (let page = (await get("/api/sessions?limit=2")).sessions; page.length > 0; ) {
    walked.push(...page.map(({ id }: any) => id));
    page = (await get(`/api/sessions?limit=2&before=${walked.at(-1)}`)).sessions;
  }
  expect(walked).toEqual(all);
});

test("a note shows its sources and uses; the total shows cost and savings", async () => {
  expect((await get("/api/savings")).saved).toBe(0);

  const started = await post("SessionStart", "reader", { source: "startup" });
  const context = started.output.hookSpecificOutput.additionalContext;
  const note = (await get("/api/browse?limit=200")).notes.find(
    (line: any) => line.session === session && context.includes(`\n${line.id.slice(-4)} `),
  );
  const whole = await get(`/api/notes/${note.id}`);
  await post("UserPromptSubmit", "reader", { prompt: `What do we know about ${whole.title} ${whole.text}?` });
  const { events, injections } = await get(`/api/notes/${note.id}/sources`);
  expect(events.map(({ id }: any) => id).toSorted()).toEqual(whole.sourceEvents.toSorted());
  expect(injections).toContainEqual(
    expect.objectContaining({
      session: "reader",
      point: "session.started",
      reason: expect.stringMatching(/^index at startup: /),
    }),
  );

  const savings = await get("/api/savings?days=2");
  expect(savings.indexRows).toBeGreaterThan(0);
  expect(savings.injected).toBeGreaterThan(context.length / 8);
  expect(savings.days.reduce((sum: number, day: any) => sum + day.injected, 0)).toBe(savings.injected);
  expect((await rookery.call("GET", "/api/savings?days=-1")).json.code).toBe("invalid_payload");
});

test("the series grows, and a running session is shown live", async () => {
  const { everyMs, samples } = await get("/api/series");
  expect(everyMs).toBe(10_000);
  expect(samples[0]).toMatchObject({
    queue: 0,
    spoolFiles: 0,
    hookP50Ms: null,
    rssBytes: expect.any(Number),
  });

  const running = async () => (await get("/api/now")).sessions.find(({ id }: any) => id === "runner");
  await post("SessionStart", "runner", { source: "startup" });
  expect(await running()).toMatchObject({ state: "idle", prompt: null });
  await post("UserPromptSubmit", "runner", { prompt: "Tidy up" });
  await post("PreToolUse", "runner", {
    tool_name: "Bash",
    tool_input: { command: "ls\n-la" },
    tool_use_id: "r1",
  });
  expect(await running()).toMatchObject({
    ...{
      state: "working",
      prompt: "Tidy up",
      doing: { event: "tool.before", tool: "Bash", about: "ls -la" },
    },
  });
  await post("SessionEnd", "runner", { reason: "exit" });
  await waitFor(async () => (await running()) === undefined);
});
