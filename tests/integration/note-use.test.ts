import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { spawnDaemon } from "../support/daemon-process.ts";
import { type StagedSession, useMailStage } from "../support/mail-stage.ts";
import { waitFor } from "../support/processes.ts";
import type { Rookery } from "../support/rookery.ts";
import { useRookeries } from "../support/use-rookery.ts";

const rookeries = useRookeries(afterAll);
let rookery: Rookery;
const stage = useMailStage(() => rookery);
let noteId = "";

beforeAll(async () => {
  rookery = rookeries.open({});
  await spawnDaemon(rookery);
  const { cwd } = await stage.open("aviary");
  const text = "Workers keep their client after a timeout; release it in a finally block.";
  const body = { project: cwd, title: "The pool runs dry", text, files: ["pool.ts"] };
  noteId = (await rookery.call("POST", "/api/notes", body)).json.id;
});

const readUse = async (): Promise<any> =>
  (await rookery.call("GET", `/api/recall-use?from=0&to=${Date.now() + 1000}`)).json.projects.find(
    ({ project }: any) => project === "aviary",
  );

/** Asks about the note and opens its file; returns the context that the session gets with both. */
async function readPool(session: StagedSession): Promise<string> {
  const read = { prompt_id: "p", tool_name: "Read", tool_use_id: `${session.id}-read` };
  const file = { tool_input: { file_path: join(session.cwd, "pool.ts") } };
  const recalled = await session.say("UserPromptSubmit", {
    prompt_id: "p",
    prompt: "Why does the pool run dry?",
  });
  const context = await session.say("PreToolUse", { ...read, ...file });
  await session.say("PostToolUse", { ...read, ...file, tool_response: "export const pool = openPool();" });
  return recalled + context;
}

test("a recalled note is undecided during the turn, and then used only if the reply shows it", async () => {
  const reader = await stage.open("aviary");
  expect(await readPool(reader)).toContain("finally block");
  expect(await readUse()).toMatchObject({ recalled: 1, used: 0, undecided: 1 });
  const reply = "Workers keep the client after a timeout, so I release it in a finally block.";
  await reader.say("Stop", { prompt_id: "p", last_assistant_message: reply });
  await waitFor(async () => (await readUse()).undecided === 0, { describe: "the turn to be distilled" });
  expect(await readUse()).toMatchObject({ recalled: 1, used: 1, notes: [{ id: noteId, used: "words" }] });

  const other = await stage.open("aviary");
  expect(await readPool(other)).toContain("finally block");
  await other.say("Stop", { prompt_id: "p", last_assistant_message: "I doubled the size." });
  await waitFor(async () => (await readUse()).undecided === 0, { describe: "the second turn" });
  const { recalled, used, notes, tokens } = await readUse();
  expect([recalled, used]).toEqual([2, 1]);
  expect(notes.map((note: any) => note.used)).toEqual(["no", "words"]);
  expect(tokens).toBeGreaterThan(0);
});

test("a title of the start context that the agent opens counts as recalled and used", async () => {
  const reader = await stage.open("aviary");
  expect(reader.started).toContain("The pool runs dry");
  const before = await readUse();
  await reader.say("UserPromptSubmit", { prompt_id: "p", prompt: "Good morning." });
  await reader.say("PostToolUse", {
    ...{ prompt_id: "p", tool_name: "mcp__plugin_rookery_rookery__memory_get" },
    ...{ tool_input: { ids: [noteId.slice(-8)] }, tool_response: "…" },
  });
  await reader.say("Stop", { prompt_id: "p", last_assistant_message: "Good morning." });
  await waitFor(async () => (await readUse()).used === before.used + 1, { describe: "the opened note" });
  const own = (await readUse()).notes.find(({ session }: any) => session === reader.id);
  expect(own).toMatchObject({ id: noteId, used: "opened" });
});
