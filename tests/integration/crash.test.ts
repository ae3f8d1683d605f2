import { readdirSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { isLong } from "../support/long.ts";
import { waitFor } from "../support/processes.ts";
import { spawnDaemon } from "../support/daemon-process.ts";
import { makePayload, type Rookery } from "../support/rookery.ts";
import { idOf, ringBell, spoolEvent } from "../support/spool-writer.ts";
import { useFakeClaudes } from "../support/fake-claude.ts";
import { useRookeriesWithoutRooms } from "../support/use-rookery.ts";

const rookeries = useRookeriesWithoutRooms();
const claudes = useFakeClaudes();
const rounds = isLong ? 25 : 4;
const writers = 8;

interface Writer {
  sessionId: string;
  written: string[];
  prompts: number;
  done: Promise<void>;
}

/** One session that repeats a prompt, some tool uses and a Stop, with short pauses like a fast agent. */
function startWriter(rookery: Rookery, sessionId: string, hostPid: number, isOver: () => boolean): Writer {
  const writer: Writer = { sessionId, written: [], prompts: 0, done: Promise.resolve() };
  let tool = 0;

  async function emit(event: string, fields: Record<string, unknown>): Promise<void> {
    const prompt_id = `${sessionId}-${writer.prompts}`;
    const name = spoolEvent(
      rookery.home,
      event,
      makePayload(event, { session_id: sessionId, prompt_id, ...fields }),
      hostPid,
    );
    writer.written.push(idOf(name));
    const rung = await ringBell(rookery.home, name, 500);
    // Two cores are enough for this only if the writers leave the daemon some, and write less while it starts.
    await pause(rung === "answered" ? 5 : 50);
  }

  async function run(): Promise<void> {
    await emit("SessionStart", { source: "startup" });
    while (!isOver()) {
      writer.prompts++;
      await emit("UserPromptSubmit", { prompt: `prompt ${writer.prompts}` });
      for (let n = 0; n < 3; n++)
        await emit("PostToolUse", { tool_name: "Bash", tool_use_id: `${sessionId}-t${++tool}` });
      await emit("Stop", { last_assistant_message: "done" });
    }
  }
  writer.done = run();
  return writer;
}

/** The same through the hook script, which also leaves a file per event. */
async function runHooks(rookery: Rookery, isOver: () => boolean): Promise<number> {
  let count = 0;
  while (!isOver()) {
    const tool_use_id = `hook-${++count}`;
    const ran = await rookery.hook(
      "PostToolUse",
      makePayload("PostToolUse", { session_id: "through-script", tool_use_id }),
      { isHasty: true },
    );
    expect(ran).toEqual({ code: 0, stdout: "", stderr: "" });
  }
  return count;
}

const name = `${rounds} times killed -9 under 8 writers, then stopped past the cap: every event is there exactly once`;
test(name, { timeout: 60_000 + rounds * 20_000 }, async () => {
  const rookery = rookeries.open();
  await spawnDaemon(rookery);
  const { home } = rookery;
  let isOver = false;
  const lanes = Array.from({ length: writers }, (_, n) =>
    startWriter(rookery, `s-${n}`, claudes.open().pid, () => isOver),
  );
  const hooks = runHooks(rookery, () => isOver);
  for (let round = 0; round < rounds; round++) {
    await pause(20 + Math.random() * 180); // The daemon must survive a kill at any moment.
    await rookery.kill9();
    await spawnDaemon(rookery);
  }

  process.kill(rookery.pid(), "SIGSTOP");
  const late = spoolEvent(home, "Notification", makePayload("Notification", { session_id: "late" }));
  expect(await ringBell(home, late, 500)).toBe("late");
  const script = makePayload("Notification", { session_id: "script" });
  expect(await rookery.hook("Notification", script, { isHasty: true })).toEqual({
    code: 0,
    stdout: "",
    stderr: "",
  });
  await pause(200); // Writers continue in the meantime, without the bell.
  isOver = true;
  await Promise.all(lanes.map(({ done }) => done));
  const hookCount = await hooks;
  process.kill(rookery.pid(), "SIGCONT");

  await waitFor(() => readdirSync(home.spool).length === 0, {
    timeoutMs: 120_000,
    describe: () => `an empty spool, not ${readdirSync(home.spool).slice(0, 5).join(", ")}`,
  });
  await waitFor(() => !readdirSync(home.run).includes("breaker"));
  const written = [...lanes.flatMap((lane) => lane.written), idOf(late)];
  const ids = rookery.query<{ id: string }>("SELECT id FROM events").map(({ id }) => id);
  const stored = new Set(ids);
  expect(ids.length).toBe(stored.size);
  expect(written.filter((id) => !stored.has(id))).toEqual([]);
  expect(stored.size).toBe(written.length + hookCount + 1);
  expect(readdirSync(home.rejected)).toEqual([]);

  for (const { sessionId, prompts, written: own } of lanes) {
    const session = (await rookery.call("GET", `/api/sessions/${sessionId}`)).json;
    expect(session).toMatchObject({
      status: "active",
      source: "startup",
      counts: { prompts, toolUses: 3 * prompts, events: own.length },
    });
    const turns = rookery.query(
      "SELECT outcome, origin_kind AS kind, count(*) AS n FROM turns WHERE session_id = ? GROUP BY 1, 2",
      sessionId,
    );
    expect(turns).toEqual([{ outcome: "completed", kind: "human", n: prompts }]);
    const strays = rookery.query(
      `SELECT e.id FROM events e LEFT JOIN turns t ON t.id = e.turn_id
       WHERE e.session_id = ? AND e.event <> 'session.started' AND t.prompt_id IS NOT json_extract(e.payload, '$.prompt_id')`,
      sessionId,
    );
    expect(strays).toEqual([]);
  }
  expect(rookery.query("PRAGMA integrity_check")).toEqual([{ integrity_check: "ok" }]);
  expect(rookery.query("PRAGMA foreign_key_check")).toEqual([]);
  expect(
    new Set(
      rookery
        .query<{ id: string }>("SELECT agent_id AS id FROM sessions WHERE id LIKE 's-_'")
        .map(({ id }) => id),
    ).size,
  ).toBe(writers);
});
