import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CodexWorld, openCodexWorld } from "../support/codex.ts";
import { listSpooled } from "../support/host-world.ts";
import { expectAnswerToTool } from "../support/person-elsewhere.ts";
import { waitFor } from "../support/processes.ts";
import { openRookery, type Rookery } from "../support/rookery.ts";
import { useOutside } from "../support/use-outside.ts";

const person = useOutside();
let rookery: Rookery;
let world: CodexWorld;
/** One home, one daemon and one installation for all. */
beforeAll(async () => {
  world = await openCodexWorld();
  const { PATH = "", HOME = "" } = world.env;
  rookery = openRookery({ PATH, HOME });
  world.env.ROOKERY_HOME = rookery.home.root;
  await rookery.start();
  expect(await rookery.cli("install", "--host", "codex")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("Trust all"),
  });
});
afterAll(async () => {
  await rookery.close();
  await world.close();
});

const patienceMs = 60_000;
const send = async (to: string, body: string) =>
  expect(await person.call(rookery, "POST", "/api/deliveries", { to, body })).toMatchObject({ status: 201 });
const shell = (cmd: string) => ({ tools: [{ name: "exec_command", input: { cmd } }] });
const threadOf = (stdout: string): string => /"thread_id":"([^"]+)"/.exec(stdout)?.[1] ?? "";
const storedEvents = (sessionId: string): [event: string, tool: string | null, file: string | null][] =>
  rookery
    .query(
      "SELECT event, tool_name, file_path FROM events WHERE session_id = ? ORDER BY occurred_at, seq",
      sessionId,
    )
    .map(({ event, tool_name, file_path }) => [event, tool_name, file_path]);

test("every event of a session is stored once, with its failures, edits and identity", async () => {
  world.model.requests.length = 0;
  await rookery.call("POST", "/api/observations", {
    project: world.project,
    text: "The pool uses SQLite in WAL mode.",
  });
  const patch = "*** Begin Patch\n*** Add File: src/pool.ts\n+export const size = 4;\n*** End Patch";
  world.model.play([
    shell("echo two; exit 3"),
    shell(`apply_patch <<'E'\n${patch}\nE`),
    { tools: [{ name: "agents_list", namespace: "mcp__rookery", input: {} }] },
  ]);
  const { code, stdout } = await world.prompt("GO-FIRST look at the pool");
  expect(code).toBe(0);
  const session = threadOf(stdout);

  const [first] = world.model.requests;
  expect(first?.text).toContain("<rookery-memory");
  expect(first?.text).toContain("The pool uses SQLite in WAL mode");
  expect(world.model.requests.at(-1)?.results.at(-1)).toMatch(/project-rook \(you\)/);
  // Codex reports neither the exit code nor the end of a patch to its hooks: both come from its rollout.
  await waitFor(() => storedEvents(session).length === 10, {
    timeoutMs: patienceMs,
    describe: () => `10 events, not ${JSON.stringify(storedEvents(session))}`,
  });
  const file = join(world.project, "src", "pool.ts");
  expect(storedEvents(session).map(String).toSorted()).toEqual(
    [
      ["session.started", null, null],
      ["prompt", null, null],
      ["tool.before", "Bash", null],
      ["tool.failed", "Bash", null],
      ["tool.before", "Bash", null],
      ["tool.after", "apply_patch", file],
      ["tool.before", "mcp__rookery__agents_list", null],
      ["tool.after", "mcp__rookery__agents_list", null],
      ["turn.ended", null, null],
      ["session.ended", null, null],
    ]
      .map(String)
      .toSorted(),
  );
  expect(rookery.query("SELECT host, status FROM sessions WHERE id = ?", session)).toEqual([
    { host: "codex", status: "ended" },
  ]);
});

test("a message reaches the next prompt, also if the daemon is killed in the middle of the session", async () => {
  world.model.play([]);
  const session = threadOf((await world.prompt("GO-SECOND hello")).stdout);
  const agents = () =>
    rookery.query("SELECT a.name FROM agents a JOIN sessions s ON s.agent_id = a.id WHERE s.id = ?", session);
  const { name } = await waitFor(() => agents()[0], { describe: "the agent of the session" });
  await send(name, "The port is 4711.");
  world.model.requests.length = 0;
  world.model.respondWith(async ({ results }) => {
    if (results.length > 0) return { text: "DONE" };
    await rookery.kill9();
    return shell("echo three");
  });
  expect(await world.resume(session, "GO-THIRD and now?")).toMatchObject({ code: 0 });
  expect(world.model.requests[0]?.text).toContain("The port is 4711.");

  await rookery.start();
  const turns = () =>
    rookery.query("SELECT outcome FROM turns WHERE session_id = ? ORDER BY started_at", session);
  await waitFor(
    () => listSpooled(world).length === 0 && turns().every(({ outcome }) => outcome === "completed"),
    { timeoutMs: patienceMs },
  );
  expect(turns()).toHaveLength(2);
  expect(
    storedEvents(session)
      .map(([event]) => event)
      .toSorted(),
  ).toEqual(
    [
      ...["session.started", "prompt", "turn.ended", "session.ended"],
      ...["session.started", "prompt", "tool.before", "tool.after", "turn.ended", "session.ended"],
    ].toSorted(),
  );
  expect(rookery.query("SELECT state FROM deliveries")).toEqual([
    { state: expect.stringMatching(/injected|confirmed/) },
  ]);
});

test("ask_human reaches the person, and the agent gets the answer", () =>
  expectAnswerToTool(person, {
    rookery,
    world,
    tool: { name: "ask_human", namespace: "mcp__rookery" },
    prompt: world.prompt,
  }));

test("its rollouts are imported with the turns that they record, archived or not", async () => {
  const [archived] = rookery.query("SELECT id FROM sessions LIMIT 1");
  expect(await world.cli("archive", archived?.id)).toMatchObject({ code: 0 });
  const other = openRookery({ HOME: world.env.HOME ?? "" });
  try {
    const { stdout } = await other.cli("import", "transcripts", `${world.env.HOME}/.codex`, "--json");
    const turns = rookery.query("SELECT count(*) AS count FROM turns")[0]?.count;
    expect(JSON.parse(stdout)).toMatchObject({ state: "done", files: 3, turns, prompts: turns, damaged: 0 });
  } finally {
    await other.close();
  }
});

test("a subagent's events belong to the turn that started it, and its task is no prompt of the person", async () => {
  const patch = "*** Begin Patch\n*** Add File: callers.ts\n+export {};\n*** End Patch";
  const patching = `apply_patch <<'E'\n${patch}\nE`;
  const spawn = { name: "spawn_agent", namespace: "multi_agent_v1", input: { message: "SUBTASK: callers" } };
  const wait = (targets: string[]) => ({
    name: "wait_agent",
    namespace: "multi_agent_v1",
    input: { targets, timeout_ms: 10_000 },
  });
  world.model.respondWith(({ text, results }) => {
    if (!text.includes("GO-DELEGATE"))
      return [shell("echo callers; exit 4"), shell(patching)][results.length] ?? { text: "None." };
    if (results.length === 0) return { tools: [spawn] };
    const [, agent = ""] = /"agent_id":"([^"]+)"/.exec(results[0] ?? "") ?? [];
    return results.length === 1 ? { tools: [wait([agent])] } : { text: "DONE" };
  });
  const { code, stdout } = await world.prompt("GO-DELEGATE this");
  expect(code).toBe(0);
  const session = threadOf(stdout);
  const events = () =>
    rookery.query(
      `SELECT event, tool_kind AS kind, subagent_id IS NOT NULL AS isSubagent, count(DISTINCT turn_id) AS turns
         FROM events WHERE session_id = ? AND event NOT LIKE 'session.%' GROUP BY 1, 2, 3 ORDER BY 1, 2`,
      session,
    );
  // The exit code and the end of the patch are in the subagent's own rollout.
  await waitFor(() => events().some(({ event }) => event === "tool.failed"), {
    timeoutMs: patienceMs,
    describe: () => `a failed call, not ${JSON.stringify(events())}`,
  });
  const event = (name: string, kind: string | null, isSubagent: 0 | 1) => ({
    event: name,
    kind,
    isSubagent,
    turns: 1,
  });
  expect(events()).toEqual([
    event("other", null, 1),
    event("prompt", null, 0),
    event("subagent.ended", null, 1),
    event("subagent.started", null, 1),
    event("tool.after", "delegate", 0),
    event("tool.after", "edit", 1),
    event("tool.after", "housekeeping", 0),
    event("tool.before", "delegate", 0),
    event("tool.before", "housekeeping", 0),
    event("tool.before", "run", 1),
    event("tool.failed", "run", 1),
    event("turn.ended", null, 0),
  ]);
  expect(rookery.query("SELECT text FROM prompts WHERE text LIKE '%SUBTASK%'")).toEqual([]);
  expect(rookery.query("SELECT outcome FROM turns WHERE session_id = ?", session)).toEqual([
    { outcome: "completed" },
  ]);
});
