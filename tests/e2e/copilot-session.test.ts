import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CopilotWorld, openCopilotWorld } from "../support/copilot.ts";
import { expectMessageFromCodex } from "../support/codex-peer.ts";
import { layShellBait } from "../support/host-world.ts";
import { expectAnswerToTool } from "../support/person-elsewhere.ts";
import { waitFor } from "../support/processes.ts";
import { openRookery, type Rookery } from "../support/rookery.ts";
import { useOutside } from "../support/use-outside.ts";

const person = useOutside();
let rookery: Rookery;
let world: CopilotWorld;
const servers = '{\n\t"mcpServers": {}\n}\n';
const patienceMs = 60_000;
beforeAll(async () => {
  world = await openCopilotWorld();
  const { PATH = "", HOME = "" } = world.env;
  rookery = openRookery({ PATH, HOME });
  world.env.ROOKERY_HOME = rookery.home.root;
  writeFileSync(join(world.home, ".copilot", "mcp-config.json"), servers);
  await rookery.start();
  for (const outcome of ["installed", "present"])
    expect(JSON.parse((await rookery.cli("install", "--host", "copilot", "--json")).stdout)).toMatchObject({
      outcome,
    });
}, 60_000);
afterAll(async () => {
  await rookery.close();
  await world.close();
});

const bash = (command: string) => ({ tools: [{ name: "bash", input: { command, description: "step" } }] });

test("every event of a session is stored once, also if the daemon is killed in the middle", async () => {
  await rookery.call("POST", "/api/observations", {
    project: world.project,
    text: "The pool uses SQLite in WAL mode.",
  });
  const bait = layShellBait(world);
  const prompt = `GO-FIRST look at the pool, ${bait.prompt}`;
  world.model.respondWith(async ({ body, results }) => {
    if (!Array.isArray(body.tools) || body.tools.length === 0) return { text: "ok" };
    if (results.length === 0) return bash("exit 3");
    if (results.length === 1) return { tools: [{ name: "rookery-agents_list", input: {} }] };
    if (results.length === 2) {
      await rookery.kill9();
      return bash(bait.command);
    }
    return { text: "All done." };
  });
  expect(await world.prompt(prompt)).toMatchObject({ code: 0 });
  const talk = world.model.requests.filter(({ body }) => body.tools?.length > 0);
  expect(talk[0]?.text).toContain("The pool uses SQLite in WAL mode");
  expect(talk.at(-1)?.results[1]).toMatch(/project-rook \(you\)/);

  expect(bait.sprung()).toEqual([]);
  await rookery.start();
  const events = () =>
    rookery
      .query(
        "SELECT event, tool_name FROM events WHERE event NOT IN ('other', 'notification') ORDER BY occurred_at, seq",
      )
      .map(({ event, tool_name }) => [event, tool_name].filter(Boolean).join(" "));
  await waitFor(() => events().includes("session.ended"), {
    timeoutMs: patienceMs,
    describe: () => `the end of the session, not ${JSON.stringify(events())}`,
  });
  expect(events().toSorted()).toEqual(
    [
      ...["session.started", "prompt", "tool.before bash", "tool.failed bash"],
      ...["tool.before rookery-agents_list", "tool.after rookery-agents_list"],
      ...["tool.before bash", "tool.after bash", "turn.ended", "session.ended"],
    ].toSorted(),
  );
  expect(rookery.query("SELECT host, status FROM sessions")).toEqual([{ host: "copilot", status: "ended" }]);
  // Its hooks do not report the last message; the transcript does.
  const final = () => rookery.query("SELECT last_assistant_message AS final FROM turns")[0]?.final;
  await waitFor(() => final() === "All done.", { timeoutMs: patienceMs, describe: () => `not ${final()}` });
});

test("its transcripts are imported with the turns and calls that they record", async () => {
  const other = openRookery({ HOME: world.env.HOME ?? "" });
  try {
    const { stdout } = await other.cli("import", "transcripts", join(world.home, ".copilot"), "--json");
    expect(JSON.parse(stdout)).toMatchObject({ state: "done", files: 1, turns: 1, prompts: 1, damaged: 0 });
    expect(other.query("SELECT host FROM sessions")).toEqual([{ host: "copilot" }]);
  } finally {
    await other.close();
  }
});

test("a message from an agent of another host is in the model's next request", () =>
  expectMessageFromCodex({
    host: "copilot",
    rookery,
    world,
    step: bash("true"),
    prompt: world.prompt,
  }));

test("up and doctor say how to turn the extension on, until it is", async () => {
  const hint = "turn on its experimental features";
  expect((await rookery.cli("up")).stdout).toContain(hint);
  expect((await rookery.cli("doctor", "--all")).stdout).toContain(
    `installed in Copilot CLI. Copilot CLI: ${hint}`,
  );
  // As Copilot writes it after `/settings experimental on`.
  writeFileSync(join(world.home, ".copilot", "settings.json"), '{\n  "experimental": true\n}\n');
  expect((await rookery.cli("up")).stdout).not.toContain(hint);
  expect((await rookery.cli("doctor", "--all")).stdout).toMatch(/installed in Copilot CLI$/m);
});

test("ask_human reaches the person, and the agent gets the answer", () =>
  expectAnswerToTool(person, { rookery, world, tool: { name: "rookery-ask_human" }, prompt: world.prompt }));

test("uninstalling restores its files byte by byte", async () => {
  expect(readFileSync(join(world.home, ".copilot", "mcp-config.json"), "utf8")).not.toBe(servers);
  expect((await rookery.cli("uninstall", "--yes")).code).toBe(0);
  expect(readFileSync(join(world.home, ".copilot", "mcp-config.json"), "utf8")).toBe(servers);
  for (const folder of ["hooks", "extensions"])
    expect(existsSync(join(world.home, ".copilot", folder))).toBe(false);
});
