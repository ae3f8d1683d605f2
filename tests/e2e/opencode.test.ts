import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type OpenCodeWorld, openOpenCodeWorld } from "../support/opencode.ts";
import { layShellBait } from "../support/host-world.ts";
import { expectAnswerToTool } from "../support/person-elsewhere.ts";
import { waitFor } from "../support/processes.ts";
import { openRookery, type Rookery } from "../support/rookery.ts";
import { useOutside } from "../support/use-outside.ts";

const person = useOutside();
let rookery: Rookery;
let world: OpenCodeWorld;
let settings: string;
beforeAll(async () => {
  world = await openOpenCodeWorld();
  const { PATH = "", HOME = "" } = world.env;
  rookery = openRookery({ PATH, HOME });
  world.env.ROOKERY_HOME = rookery.home.root;
  settings = readFileSync(world.settings, "utf8");
  await rookery.start();
  for (const outcome of ["installed", "present"])
    expect(JSON.parse((await rookery.cli("install", "--host", "opencode", "--json")).stdout)).toMatchObject({
      outcome,
    });
}, 60_000);
afterAll(async () => {
  await rookery.close();
  await world.close();
});

const patienceMs = 60_000;
const shell = (command: string) => ({ tools: [{ name: "bash", input: { command, description: "try" } }] });

test("every event of a session is stored once, also if the daemon is killed in the middle", async () => {
  await rookery.call("POST", "/api/observations", {
    project: world.project,
    text: "The pool uses SQLite in WAL mode.",
  });
  const bait = layShellBait(world);
  const prompt = `GO-FIRST look at the pool, ${bait.prompt}`;
  world.model.respondWith(async ({ body, results }) => {
    if (!Array.isArray(body.tools) || body.tools.length === 0) return { text: "ok" };
    switch (results.length) {
      case 0:
        return shell("echo agent=$ROOKERY_AGENT; exit 3");
      case 1:
        return { tools: [{ name: "rookery_agents_list", input: {} }] };
      case 2:
        return { tools: [{ name: "read", input: { filePath: `${world.project}/missing.ts` } }] };
      case 3:
        await rookery.kill9();
        return shell(bait.command);
      default:
        return { text: "DONE" };
    }
  });
  const ran = await world.prompt(prompt);
  expect(ran).toMatchObject({ code: 0 });
  const talk = world.model.requests.filter(({ body }) => body.tools?.length > 0);
  expect(talk[0]?.text).toContain("The pool uses SQLite in WAL mode");
  expect(talk[1]?.results[0]).toContain("agent=project-rook");
  expect(talk.at(-1)?.results[1]).toMatch(/project-rook \(you\)/);

  expect(bait.sprung()).toEqual([]);
  await rookery.start();
  const events = () =>
    rookery
      .query("SELECT event, tool_name FROM events ORDER BY occurred_at, seq")
      .map(({ event, tool_name }) => [event, tool_name].filter(Boolean).join(" "));
  const sessions = () => rookery.query("SELECT host, status FROM sessions");
  await waitFor(() => events().includes("turn.ended") && sessions()[0]?.status === "ended", {
    timeoutMs: patienceMs,
    describe: () => `the end of the session, not ${JSON.stringify([events(), sessions()])}`,
  });
  expect(events()).toEqual([
    ...["session.started", "prompt", "tool.before bash", "tool.failed bash"],
    ...["tool.before rookery_agents_list", "tool.after rookery_agents_list"],
    ...["tool.before read", "tool.failed read"],
    ...["tool.before bash", "tool.after bash", "turn.ended", "session.ended"],
  ]);
  expect(sessions()).toEqual([{ host: "opencode", status: "ended" }]);
});

test("its database is imported with the turns and calls that it records, and only once", async () => {
  const folder = `${world.env.HOME}/.local/share/opencode`;
  const read = async (target: Rookery) =>
    JSON.parse((await target.cli("import", "transcripts", folder, "--json")).stdout);
  expect(await read(rookery)).toMatchObject({ state: "done", files: 1, turns: 0, turnsKnown: 1, damaged: 0 });
  const other = openRookery({ HOME: world.env.HOME ?? "" });
  try {
    expect(await read(other)).toMatchObject({ state: "done", files: 1, turns: 1, prompts: 1, damaged: 0 });
    expect(other.query("SELECT host, project FROM sessions")).toEqual([
      { host: "opencode", project: world.project },
    ]);
  } finally {
    await other.close();
  }
});

test("ask_human reaches the person, and the agent gets the answer", () =>
  expectAnswerToTool(person, { rookery, world, tool: { name: "rookery_ask_human" }, prompt: world.prompt }));

test("uninstalling restores the settings byte by byte", async () => {
  expect(readFileSync(world.settings, "utf8")).not.toBe(settings);
  expect((await rookery.cli("uninstall", "--yes")).stdout).toContain("Rookery in OpenCode");
  expect(readFileSync(world.settings, "utf8")).toBe(settings);
});
