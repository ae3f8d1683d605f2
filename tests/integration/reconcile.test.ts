import { copyFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openTurnAssembler } from "../../src/domain/transcript/assemble-turns.ts";
import { readTranscriptLine } from "../../src/hosts/claude-code/transcript/read-line.ts";
import type { TranscriptTurn } from "../../src/domain/transcript/turn-draft.ts";
import { isLong } from "../support/long.ts";
import { waitFor } from "../support/processes.ts";
import { openRookery, type Rookery, withoutRooms } from "../support/rookery.ts";
import { placeTranscript, readRecorded, sessionIdOf } from "../support/transcripts.ts";

let rookery: Rookery;
let project: string;
beforeEach(async () => {
  rookery = openRookery(withoutRooms);
  project = join(rookery.env.HOME ?? "", "orders-api");
  mkdirSync(project, { recursive: true });
  await rookery.start();
});
afterEach(() => rookery.close());

interface Recorded {
  id: string;
  path: string;
  turns: TranscriptTurn[];
}

function record(name: string, edit?: (text: string) => string): Recorded {
  // Moves the recorded times to now.
  const raw = readRecorded(name, { mark: "7", cwd: project, ...(edit ? { edit } : {}) });
  const text = raw.replaceAll(/"timestamp":"[^"]+"/g, `"timestamp":"${new Date().toISOString()}"`);
  const assembler = openTurnAssembler();
  const entries = text
    .trimEnd()
    .split("\n")
    .flatMap((line) => readTranscriptLine(line));
  const turns = [...entries.flatMap((entry) => assembler.push(entry)), ...assembler.flush()];
  const id = sessionIdOf(text);
  return { id, turns, path: placeTranscript(join(rookery.env.HOME ?? "", ".claude"), text, id) };
}

/** Runs only those hooks of a recorded session that `arrives` selects. */
async function runHooks({ id, path, turns }: Recorded, arrives: (event: string, index: number) => boolean) {
  const hook = async (event: string, index: number, fields: object): Promise<void> => {
    if (!arrives(event, index)) return;
    const about = { session_id: id, cwd: project, transcript_path: path, hook_event_name: event };
    expect((await rookery.hook(event, { ...about, ...fields })).code).toBe(0);
  };
  await hook("SessionStart", -1, { source: "startup" });
  for (const [index, turn] of turns.entries()) {
    const prompt_id = turn.promptId;
    await hook("UserPromptSubmit", index, { prompt_id, prompt: turn.prompt });
    for (const step of turn.steps) {
      if (step.kind !== "tool") continue;
      const use = { prompt_id, tool_name: step.tool, tool_use_id: step.eventId, tool_input: step.input };
      if (step.failed) await hook("PostToolUseFailure", index, { ...use, error: step.output });
      else await hook("PostToolUse", index, { ...use, tool_response: step.output });
    }
    if (turn.outcome === "completed")
      await hook("Stop", index, { prompt_id, last_assistant_message: turn.final });
  }
  await hook("SessionEnd", turns.length, { reason: "other" });
}

const settled = () =>
  waitFor(
    () =>
      rookery.query("SELECT count(*) AS n FROM turns WHERE distilled_at IS NULL")[0].n === 0 &&
      rookery.query("SELECT count(*) AS n FROM sessions WHERE transcript_byte = 0")[0].n === 0,
  );
const uses = () =>
  rookery.query(
    "SELECT tool_use_id AS id, event, via FROM events WHERE tool_use_id IS NOT NULL ORDER BY occurred_at",
  );
const notes = (type: string) =>
  rookery
    .query("SELECT title FROM observations WHERE type = ? ORDER BY created_at", type)
    .map(({ title }) => title);
const counts = () =>
  ["events", "turns", "prompts", "observations", "summaries"].map(
    (table) => rookery.query(`SELECT count(*) AS n FROM ${table}`)[0].n,
  );

describe("events missed by hooks", () => {
  it("are recovered from the transcript: each tool use once, in the right turn", async () => {
    const session = record("tools");
    let seen = 0;
    await runHooks(session, (event) => !event.startsWith("PostToolUse") || seen++ % 2 === 0);
    await settled();
    const all: { id: string; via: string }[] = uses();
    expect(all.map(({ id }) => id).toSorted()).toEqual(
      session.turns[0]?.steps.flatMap((step) => ("eventId" in step ? step.eventId : [])).toSorted(),
    );
    expect(all.map(({ via }) => via).toSorted()).toEqual([
      "hook",
      "hook",
      "hook",
      "transcript",
      "transcript",
    ]);
    expect(
      rookery.query("SELECT count(DISTINCT turn_id) AS n FROM events WHERE tool_use_id IS NOT NULL"),
    ).toEqual([{ n: 1 }]);
    expect(rookery.query("SELECT count(*) AS n FROM turns")).toEqual([{ n: 1 }]);
  });

  it.each([
    ["whose transcripts have another format", ".gemini/tmp/shop/chats"],
    ["whose transcripts cannot be read", ".factory/sessions/shop"],
  ])("are not taken from the transcript of a host %s", async (_, folder) => {
    const session = record("tools");
    const path = join(rookery.env.HOME ?? "", folder, `${session.id}.jsonl`);
    mkdirSync(dirname(path), { recursive: true });
    copyFileSync(session.path, path);
    await runHooks({ ...session, path }, (event) => !event.startsWith("PostToolUse"));
    await waitFor(() => rookery.query("SELECT 1 FROM turns WHERE distilled_at IS NOT NULL").length === 1);
    expect(uses()).toEqual([]);
    const [{ byte }] = rookery.query("SELECT transcript_byte AS byte FROM sessions");
    if (folder.startsWith(".factory")) expect(byte).toBe(0);
  });

  it.runIf(isLong)("are recovered without the contents of excluded files", async () => {
    const session = record("tools", (text) => text.replaceAll("greet.js", "greet.pem"));
    await runHooks(session, (event) => !event.startsWith("PostToolUse"));
    await settled();
    const recovered: { payload: string }[] = rookery.query(
      "SELECT payload FROM events WHERE via = 'transcript' AND payload LIKE '%greet.pem%'",
    );
    expect(recovered.length).toBeGreaterThan(0);
    for (const { payload } of recovered) expect(payload).not.toMatch(/old_string|new_string|content/);
  });

  it("cause their turn to be distilled again", async () => {
    const session = record("tools");
    await runHooks(session, (event) => event === "SessionStart" || event === "UserPromptSubmit");
    const { id, cwd } = { id: session.id, cwd: project };
    await rookery.hook("Stop", { session_id: id, cwd, prompt_id: session.turns[0]?.promptId });
    await waitFor(() => rookery.query("SELECT 1 FROM turns WHERE distilled_at IS NOT NULL").length === 1);
    rookery.query("SELECT 1");
    await rookery.hook("Stop", {
      session_id: id,
      cwd,
      transcript_path: session.path,
      prompt_id: session.turns[0]?.promptId,
    });
    await settled();
    expect(rookery.query("SELECT files_modified AS files FROM summaries")[0].files).toContain("greet.js");
  });

  it("can be a complete turn, with its text and its own times", async () => {
    const session = record("question");
    await runHooks(session, (event) => event === "SessionStart" || event === "SessionEnd");
    await settled();
    const turns = rookery.query("SELECT outcome, last_assistant_message AS final FROM turns ORDER BY number");
    expect(turns.map(({ outcome }) => outcome)).toEqual(session.turns.map(({ outcome }) => outcome));
    expect(turns[0].final).toBe(session.turns[0]?.final);
    expect(rookery.query("SELECT text FROM prompts ORDER BY number").map(({ text }) => text)).toEqual(
      session.turns.map(({ prompt }) => prompt),
    );
    expect(notes("decision")).toContain("Which database? → PostgreSQL");
    expect(
      new Set(rookery.query("SELECT via FROM events WHERE turn_id IS NOT NULL").map(({ via }) => via)),
    ).toEqual(new Set(["transcript"]));
  });

  it("include the reason of a refusal, even if every hook arrived", async () => {
    await runHooks(record("denied"), () => true);
    await settled();
    expect(
      notes("preference").filter((title) => title.includes("Never make folders in the root")),
    ).toHaveLength(1);
  });

  it.runIf(isLong)("include an Esc, with its time", async () => {
    const session = record("interrupted");
    await runHooks(session, (event, index) => event !== "UserPromptSubmit" || index !== 2);
    await settled();
    expect(rookery.query("SELECT outcome FROM turns ORDER BY started_at, number").length).toBe(5);
    expect(rookery.query("SELECT count(*) AS n FROM turns WHERE outcome = 'interrupted'")[0].n).toBe(2);
    expect(rookery.query("SELECT count(*) AS n FROM prompts WHERE text = 'GO-SECOND'")).toEqual([{ n: 1 }]);
  });

  it("are searched for when the daemon starts", async () => {
    const session = record("question");
    await runHooks(session, (event) => event === "SessionStart");
    await rookery.kill9();
    await rookery.start();
    await waitFor(() => notes("decision").includes("Which database? → PostgreSQL"));
  });

  it("change nothing when read again", async () => {
    const session = record("tools");
    await runHooks(session, (event) => event === "SessionStart" || event === "SessionEnd");
    await settled();
    const before = counts();
    await rookery.kill9();
    await rookery.start();
    await rookery.hook("SessionStart", { session_id: "other", cwd: project, source: "startup" });
    await waitFor(() => rookery.query("SELECT count(*) AS n FROM sessions")[0].n === 2);
    await runHooks(session, (event) => event.startsWith("PostToolUse"));
    await rookery.cli("restart");
    await rookery.hook("SessionStart", { session_id: "other", cwd: project, source: "resume" });
    expect(counts()).toEqual([(before[0] as number) + 2, ...before.slice(1)]);
  });

  it("are redacted like everything else, without our own injected text", async () => {
    const key = ["AKIA", "Z3MK7QX5WJ2PLT4V"].join("");
    const session = record("tools", (text) =>
      text
        .replaceAll("echo one", `echo ${key}`)
        .replaceAll("INJECTED at", "<rookery-memory>OURS</rookery-memory>"),
    );
    await runHooks(session, (event) => event === "SessionStart" || event === "SessionEnd");
    await settled();
    const payloads = rookery
      .query("SELECT payload FROM events")
      .map(({ payload }) => payload)
      .join("\n");
    expect(payloads).toContain("[secret:");
    expect(payloads).not.toContain(key);
    expect(payloads).not.toContain("OURS");
  });

  it("are not searched for in a turn that still runs", async () => {
    const session = record("tools");
    await runHooks(session, (event) => event === "SessionStart" || event === "UserPromptSubmit");
    await rookery.hook("SessionStart", { session_id: "other", cwd: project, source: "startup" });
    expect(rookery.query("SELECT outcome FROM turns")).toEqual([{ outcome: null }]);
    expect(uses()).toEqual([]);
  });
});
