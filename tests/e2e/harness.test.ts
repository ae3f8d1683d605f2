import { existsSync } from "node:fs";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { type ClaudeWorld, openClaudeWorld } from "../support/claude.ts";
import { scriptTurns } from "../support/model-server.ts";
import { descendantsOf, isRunning, processesMentioning, waitFor } from "../support/processes.ts";

let world: ClaudeWorld;

beforeEach(async () => {
  world = await openClaudeWorld();
});

afterEach(() => world.close());

/** For tests of `close` itself: also closed if the test fails. */
async function openOwnWorld(): Promise<ClaudeWorld> {
  const own = await openClaudeWorld();
  onTestFinished(() => own.close().catch(() => undefined));
  return own;
}

const bash = (command: string) => ({ name: "Bash", input: { command, description: "Test" } });

test("a print run calls the scripted tool, and the next request holds its result", async () => {
  world.model.respondWith(
    scriptTurns({ "GO-BASH": [{ text: "Let me see.", tools: [bash("echo from-$((6 * 7))")] }] }),
  );

  const run = await world.run("Please GO-BASH now", ["--allowedTools", "Bash(echo *)"]);

  expect(run).toMatchObject({ code: 0, stderr: "" });
  expect(run.lines.at(-1)).toMatchObject({ type: "result", subtype: "success", result: "DONE" });
  const [first, second, ...more] = world.model.requests;
  expect(more).toEqual([]);
  expect(first?.text).not.toContain("from-42");
  expect(second?.text).toContain("from-42");
  expect(first).toMatchObject({ sessionId: run.sessionId, isSubagent: false });
});

test("a script separates the steps of a subagent from those of its parent", async () => {
  const agent = { description: "Look", prompt: "GO-CHILD", subagent_type: "general-purpose" };
  world.model.respondWith(
    scriptTurns({
      "GO-PARENT": [{ tools: [{ name: "Agent", input: agent }] }],
      "GO-CHILD": [{ tools: [bash("echo one")] }, { tools: [bash("echo two")] }, { text: "FOUND" }],
    }),
  );

  const run = await world.run("GO-PARENT", ["--allowedTools", "Agent", "Bash(echo *)"]);

  expect(run.code).toBe(0);
  const children = world.model.requests.filter(({ isSubagent }) => isSubagent);
  expect(children).toHaveLength(3);
  expect(new Set(children.map(({ agentId }) => agentId)).size).toBe(1);
  expect(world.model.requests.at(-1)?.text).toContain("FOUND");
});

test("a scripted API error ends the run without retries", async () => {
  const error = { status: 500, type: "api_error", message: "scripted failure" };
  world.model.respondWith(() => ({ error }));

  const run = await world.run("hello");

  expect(run.code).toBe(1);
  expect(run.stdout).toContain("scripted failure");
  expect(world.model.requests).toHaveLength(1);
});

test("a session in a terminal asks for permission, runs the tool and answers", async () => {
  world.model.respondWith(
    scriptTurns({ "GO-MKDIR": [{ tools: [bash("mkdir made")] }, { text: "I made it." }] }),
  );
  const terminal = await world.interactive();

  await terminal.submit("Please GO-MKDIR");
  await terminal.waitForScreen("Do you want to proceed?");
  await terminal.answer("Do you want to proceed?", "Enter");
  await terminal.waitForScreen("I made it.");

  expect(existsSync(`${world.project}/made`)).toBe(true);
});

test("/clear changes the session id and starts an empty conversation", async () => {
  const terminal = await world.interactive();
  await terminal.submit("first prompt");
  await terminal.waitForScreen("● DONE");

  await terminal.submit("/clear");
  await waitFor(async () => !(await terminal.screen()).includes("● DONE"));
  await terminal.submit("second prompt");
  const second = await world.model.waitForRequest(({ text }) => text.includes("second prompt"));

  expect(second.text).not.toContain("first prompt");
  expect(second.sessionId).not.toBe(world.model.requests[0]?.sessionId);
});

test("/compact is answered without the script", async () => {
  const terminal = await world.interactive();
  await terminal.submit("first prompt");
  await terminal.waitForScreen("● DONE");

  await terminal.submit("/compact");
  await terminal.waitForScreen("Compacted");

  expect(world.model.requests).toHaveLength(1);
  expect(world.model.auxiliaryRequests).toHaveLength(1);
});

test("closing ends a session in the middle of a turn and leaves no process", async () => {
  const own = await openOwnWorld();
  own.model.respondWith(scriptTurns({ "GO-FOLLOW": [{ tools: [bash("tail -f README.md")] }] }));
  const terminal = await own.interactive(["--allowedTools", "Bash(tail *)"]);
  await terminal.submit("GO-FOLLOW");
  const findTool = async () =>
    (await descendantsOf(terminal.pid())).find(({ command }) => command === "tail -f README.md");
  const tool = await waitFor(findTool, { describe: "the tool to run" });

  await own.close();

  expect(await processesMentioning(own.home)).toEqual([]);
  expect(await isRunning(tool.pid)).toBe(false);
});

test("closing names, and then ends, a process that outlives its session", async () => {
  const own = await openOwnWorld();
  own.model.respondWith(
    scriptTurns({ "GO-LEAK": [{ tools: [bash("setsid sleep 300 >/dev/null 2>&1 & echo left")] }] }),
  );
  await own.run("GO-LEAK", ["--allowedTools", "Bash"]);

  await expect(own.close()).rejects.toThrow(/Still running after close[^]*sleep 300/);

  expect(await processesMentioning(own.home)).toEqual([]);
});
