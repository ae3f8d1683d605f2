import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectMessageFromCodex } from "../support/codex-peer.ts";
import { layShellBait } from "../support/host-world.ts";
import { expectAnswerToTool } from "../support/person-elsewhere.ts";
import { waitFor } from "../support/processes.ts";
import { openQwenWorld, type QwenWorld } from "../support/qwen.ts";
import { openRookery, type Rookery } from "../support/rookery.ts";
import { useOutside } from "../support/use-outside.ts";

const person = useOutside();
let rookery: Rookery;
let world: QwenWorld;
let settings: string;
beforeAll(async () => {
  world = await openQwenWorld();
  const { PATH = "", HOME = "" } = world.env;
  rookery = openRookery({ PATH, HOME });
  world.env.ROOKERY_HOME = rookery.home.root;
  settings = readFileSync(world.settings, "utf8");
  await rookery.start();
  for (const outcome of ["installed", "present"])
    expect(JSON.parse((await rookery.cli("install", "--host", "qwen", "--json")).stdout)).toMatchObject({
      outcome,
    });
}, 60_000);
afterAll(async () => {
  await rookery.close();
  await world.close();
});

const patienceMs = 60_000;

test("every event of a session is stored once, also if the daemon is killed in the middle", async () => {
  await rookery.call("POST", "/api/observations", {
    project: world.project,
    text: "The pool uses SQLite in WAL mode.",
  });
  const bait = layShellBait(world);
  const prompt = `GO-FIRST look at the pool, ${bait.prompt}`;
  world.model.respondWith(async ({ body, results }) => {
    if (!Array.isArray(body.tools) || body.tools.length === 0) return { text: "ok" };
    if (results.length === 0)
      return { tools: [{ name: "run_shell_command", input: { command: "exit 3", is_background: false } }] };
    if (results.length === 1) return { tools: [{ name: "mcp__rookery__agents_list", input: {} }] };
    if (results.length === 2) {
      await rookery.kill9();
      return {
        tools: [{ name: "run_shell_command", input: { command: bait.command, is_background: false } }],
      };
    }
    return { text: "DONE" };
  });
  const ran = await world.prompt(prompt);
  expect(ran).toMatchObject({ code: 0 });
  const talk = world.model.requests.filter(({ body }) => body.tools?.length > 0);
  expect(talk[0]?.text).toContain("The pool uses SQLite in WAL mode");
  expect(talk.at(-1)?.results[1]).toMatch(/project-rook \(you\)/);

  expect(bait.sprung()).toEqual([]);
  await rookery.start();
  const events = () =>
    rookery
      .query(
        "SELECT event, tool_name FROM events WHERE event <> 'other' AND event <> 'notification' ORDER BY occurred_at, seq",
      )
      .map(({ event, tool_name }) => [event, tool_name].filter(Boolean).join(" "));
  // It reports no end after a single prompt; its process ends.
  const sessions = () => rookery.query("SELECT host, status FROM sessions");
  await waitFor(() => events().includes("turn.ended") && sessions()[0]?.status === "ended", {
    timeoutMs: patienceMs,
    describe: () => `the end of the session, not ${JSON.stringify([events(), sessions()])}`,
  });
  expect(events().toSorted()).toEqual(
    [
      ...["session.started", "prompt", "tool.before run_shell_command", "tool.failed run_shell_command"],
      ...["tool.before mcp__rookery__agents_list", "tool.after mcp__rookery__agents_list"],
      ...["tool.before run_shell_command", "tool.after run_shell_command", "turn.ended"],
    ].toSorted(),
  );
  expect(sessions()).toEqual([{ host: "qwen", status: "ended" }]);
});

test("its transcripts are imported with the turns and calls that they record", async () => {
  const other = openRookery({ HOME: world.env.HOME ?? "" });
  try {
    const { stdout } = await other.cli("import", "transcripts", `${world.env.HOME}/.qwen`, "--json");
    expect(JSON.parse(stdout)).toMatchObject({ state: "done", files: 1, turns: 1, prompts: 1, damaged: 0 });
  } finally {
    await other.close();
  }
});

test("a message from an agent of another host is in the model's next request", () =>
  expectMessageFromCodex({
    host: "qwen",
    rookery,
    world,
    step: { tools: [{ name: "run_shell_command", input: { command: "true", is_background: false } }] },
    prompt: world.prompt,
  }));

test("ask_human reaches the person, and the agent gets the answer", () =>
  expectAnswerToTool(person, {
    rookery,
    world,
    tool: { name: "mcp__rookery__ask_human" },
    prompt: world.prompt,
  }));

test("uninstalling restores the settings byte by byte", async () => {
  expect(readFileSync(world.settings, "utf8")).not.toBe(settings);
  expect((await rookery.cli("uninstall", "--yes")).stdout).toContain("settings.json");
  expect(readFileSync(world.settings, "utf8")).toBe(settings);
});
