import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { countTokens } from "../bench/count-tokens.ts";
import { connectClient } from "../support/mcp-client.ts";
import { sixtyNotes } from "../support/sixty-notes.ts";
import { waitFor } from "../support/processes.ts";
import { openRookery, type Rookery, withoutRooms } from "../support/rookery.ts";

let rookery: Rookery;
let project: string;

beforeEach(async () => {
  rookery = openRookery(withoutRooms);
  project = join(rookery.env.HOME ?? "", "parcel-api");
  mkdirSync(project, { recursive: true });
  await rookery.start();
});
afterEach(() => rookery.close());

async function hook(session: string, event: string, fields: object): Promise<string> {
  const { stdout } = await rookery.hook(event, {
    session_id: session,
    cwd: project,
    hook_event_name: event,
    ...fields,
  });
  return stdout ? (JSON.parse(stdout).hookSpecificOutput?.additionalContext ?? "") : "";
}

const start = (session: string, source = "startup"): Promise<string> =>
  hook(session, "SessionStart", { source });

async function turn(session: string, prompt_id: string, prompt: string, final: string): Promise<void> {
  await hook(session, "UserPromptSubmit", { prompt_id, prompt });
  const use = {
    prompt_id,
    tool_name: "Edit",
    tool_use_id: `${prompt_id}-use`,
    tool_input: { file_path: join(project, "src/upload.ts"), old_string: "a", new_string: "b" },
  };
  await hook(session, "PostToolUse", { ...use, tool_response: "ok" });
  await hook(session, "Stop", { prompt_id, last_assistant_message: final });
}

async function save(text: string, type = "decision"): Promise<string> {
  return (await rookery.call("POST", "/api/notes", { project, text, type })).json.id;
}

/** Summaries of whole sessions, as search finds them. */
async function findSummaries(q: string): Promise<{ title: string; session: string; snippet: string }[]> {
  const query = `q=${encodeURIComponent(q)}&kind=summary&limit=20`;
  return (await rookery.call("GET", `/api/search?${query}`)).json.results;
}

it("a pinned note comes first in every session until it is unpinned", async () => {
  const old = await save("Parcels above 30 kg go by freight", "change");
  await save("Rates are cached for a day, never longer");
  expect((await rookery.cli("pin", old.slice(-8))).stdout).toContain("Pinned: Parcels above 30 kg");
  expect((await rookery.cli("pin", "--list")).stdout).toContain("Parcels above 30 kg");
  const first = await start("s-1");
  expect(first.indexOf("Pinned:")).toBeGreaterThan(0);
  expect(first.indexOf("Parcels above 30 kg")).toBeLessThan(first.indexOf("Rates are cached"));
  expect((await rookery.call("GET", `/api/notes/${old}`)).json.pinnedAt).toBeGreaterThan(0);

  expect((await rookery.cli("pin", old, "--undo")).stdout).toContain("Unpinned");
  expect(await start("s-2")).not.toContain("Pinned:");
  expect((await rookery.cli("pin", "--list")).stdout).toContain("No pinned notes");
  expect((await rookery.cli("pin")).code).toBe(2);
  expect((await rookery.cli("pin", "ffffffff")).code).toBe(4);
});

it("an export carries pins", async () => {
  const id = await save("Labels are printed at 203 dpi, never scaled");
  await rookery.call("PATCH", `/api/notes/${id}`, { pinned: true });
  const lines = (await rookery.cli("export")).stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  expect(lines.find((line) => line.id === id)).toMatchObject({ pinned_at: expect.any(Number) });
});

it("the short ids of the context name their notes", async () => {
  const id = await save("Tracking numbers never contain the letter O");
  const row = /^([0-9a-f]{4,6}) D\d+ Tracking numbers/m.exec(await start("s-1"));
  expect((await rookery.call("GET", `/api/notes/${row?.[1]}`)).json.id).toBe(id);
  const client = await connectClient(rookery);
  try {
    const { text } = await client.call("memory_get", { ids: [row?.[1]] });
    expect(text).toContain("Tracking numbers never contain the letter O");
  } finally {
    await client.close();
  }
});

it("at least 50 of 60 notes worth showing fit into the default budget, as a real tokenizer counts", async () => {
  for (const [type, text] of sixtyNotes) await save(text, type);
  await start("s-1");
  await turn(
    "s-1",
    "p-1",
    "Make the upload of labels retry when the carrier answers 503",
    "Root cause: `uploadLabel` gave up on the first 503, because the carrier restarts every night.",
  );
  await waitFor(async () => (await findSummaries("labels carrier retry")).length === 2);
  const { text, tokens } = (await rookery.call("GET", `/api/context?project=${encodeURIComponent(project)}`))
    .json;
  expect((text.match(/^[0-9a-f]{4,6} [A-Z]\d+ \S.*$/gm) ?? []).length).toBeGreaterThanOrEqual(50);
  expect(text).toContain("Last sessions:");
  const counted = countTokens(text);
  expect(counted).toBeLessThanOrEqual(1_000);
  expect(Math.abs(tokens - counted)).toBeLessThanOrEqual(0.05 * counted);
});

it("search shows the tokens of each result", async () => {
  const id = await save("Tracking numbers never contain the letter O");
  const { tokens } = (await rookery.call("GET", `/api/notes/${id}`)).json;
  const client = await connectClient(rookery);
  try {
    const { text } = await client.call("memory_search", { query: "tracking numbers", project });
    expect(text).toMatch(/Tokens in full\n.*Tracking numbers.* \| \d+$/);
  } finally {
    await client.close();
  }
  const { results } = (await rookery.call("GET", "/api/search?q=tracking")).json;
  expect(results[0].tokens).toBeGreaterThanOrEqual(tokens / 2);
  expect((await rookery.cli("search", "tracking")).stdout).toMatch(/^Id +Date +Type +Project +Tokens +Title/);
});

it("the context explains each row", async () => {
  const id = await save("Rates are cached for a day, never longer");
  const { rows } = (await rookery.call("GET", `/api/context?project=${encodeURIComponent(project)}`)).json;
  expect(rows).toEqual([
    expect.objectContaining({
      section: "decisions",
      id,
      kind: "note",
      parts: expect.objectContaining({ type: 1 }),
    }),
  ]);
  const { stdout } = await rookery.cli("context", "--project", project, "--explain");
  expect(stdout).toMatch(/^decisions 1\.\d+ {2}Rates are cached/);
  expect(stdout).toContain("recency 1.00");
});

it("a resumed session is given only new notes", async () => {
  await save("Rates are cached for a day, never longer");
  await start("s-1");
  expect(await start("s-1", "resume")).toBe("");
  await save("Labels are printed at 203 dpi, never scaled");
  const again = await start("s-1", "resume");
  expect(again).toContain("Labels are printed");
  expect(again).not.toContain("Rates are cached");
});

it("a session has one summary that follows its turns", async () => {
  await start("s-1");
  await turn(
    "s-1",
    "p-1",
    "Make the upload of labels retry when the carrier answers 503",
    "Root cause: `uploadLabel` gave up on the first 503, because the carrier restarts every night.",
  );
  await waitFor(async () => (await findSummaries("labels carrier retry")).length === 2);
  await turn(
    "s-1",
    "p-2",
    "and write it down in the docs",
    "The docs of `uploadLabel` now name the nightly restart of the carrier.",
  );
  await waitFor(async () => (await findSummaries("docs uploadLabel carrier")).length === 3);
  const found = await findSummaries("upload labels carrier retry 503");
  const whole = found.filter(
    ({ title }) => title === "Make the upload of labels retry when the carrier answers 503",
  );
  expect(whole).toHaveLength(2); // Those of the first turn and of the session.
  const text = await start("s-2");
  expect(text).toContain("Last sessions:");
  expect(text).toContain("Make the upload of labels retry when the carrier answers 503");
});

it("forgetting a turn removes its words from the session's summary", async () => {
  await start("s-1");
  await turn(
    "s-1",
    "p-1",
    "Make the upload of labels retry on 503",
    "Fixed: `uploadLabel` retries because of 503.",
  );
  await turn(
    "s-1",
    "p-2",
    "Rename zanzibar to the new carrier code",
    "Renamed zanzibar, because the code was wrong.",
  );
  // One of each turn, and that of the session.
  await waitFor(async () => (await findSummaries("upload labels zanzibar carrier")).length === 3);
  await rookery.cli("forget", "--query", "zanzibar", "--yes");
  const rest = await findSummaries("upload labels zanzibar carrier");
  expect(rest.map(({ title }) => title)).toEqual(Array(2).fill("Make the upload of labels retry on 503"));
  expect(JSON.stringify(rest)).not.toContain("zanzibar");
});
