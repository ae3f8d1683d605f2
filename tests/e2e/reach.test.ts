import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isLong } from "../support/long.ts";
import { scriptTurns } from "../support/model-server.ts";
import { openQuestion } from "../support/person-elsewhere.ts";
import { signalProcess, waitFor } from "../support/processes.ts";
import { startPermissionHook } from "../support/waiting-hook.ts";
import { bash, openWorld, type World } from "../support/world.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld({ env: { ROOKERY_ASK_ALWAYS: "true" } });
  await world.rookery.start();
});
afterEach(() => world.close());

const presence = async () => (await world.rookery.call("GET", "/api/presence")).json;

describe("the person of a real session", () => {
  it.runIf(isLong)("is detected by their keys, and sets away and here with a slash command", async () => {
    const terminal = await world.interactive();
    await terminal.type("hm");
    await waitFor(async () => (await presence()).reason.startsWith("last key"), {
      describe: async () => JSON.stringify(await presence()),
    });
    for (let n = 0; n < 2; n++) await terminal.press("BSpace");
    await terminal.submit("/rookery:away");
    await waitFor(async () => !(await presence()).isHere, {
      describe: async () => `${JSON.stringify(await presence())}\n${await terminal.screen()}`,
    });
    expect((await presence()).reason).toMatch(/^set by hand/);
    await terminal.waitForScreen("You are away: set by hand");
    await terminal.submit("/rookery:here");
    await waitFor(async () => (await presence()).isHere);
    await terminal.waitForScreen("You are here: ");
    await terminal.close();
  });
});

describe("an agent of a real session", () => {
  it("cannot pair its own account, nor approve: not by command, API or socket", async () => {
    const home = world.rookery.home.root;
    const asked = { session_id: "s-other", tool_name: "Bash", tool_input: { command: "mkdir x" } };
    const hook = startPermissionHook(world.rookery, asked);
    const question = await openQuestion(world.rookery);
    const answer = `/api/questions/${question.id}/answer`;
    const allow = `-s -X POST -H 'content-type: application/json' -d '{"allow":"once"}'`;
    const port = `$(sed 's/.*"port":\\([0-9]*\\).*/\\1/' ${home}/daemon.json)`;
    const body = `-s -X POST -H 'content-type: application/json' -d '{"channel":"slack"}'`;
    const attacks = [
      "rookery pair slack",
      `curl ${body} -H "authorization: Bearer $(cat ${home}/token)" http://127.0.0.1:${port}/api/pairings`,
      `curl ${body} --unix-socket ${home}/run/rookery.sock http://localhost/api/pairings`,
      `env -u CLAUDECODE setsid -w curl ${body} -H "authorization: Bearer $(cat ${home}/token)" http://127.0.0.1:${port}/api/pairings`,
      `rookery answer ${question.id} --allow`,
      `env -u CLAUDECODE -u CLAUDE_PID rookery answer ${question.id} --allow`,
      `curl ${allow} -H "authorization: Bearer $(cat ${home}/token)" http://127.0.0.1:${port}${answer}`,
      `curl ${allow} --unix-socket ${home}/run/rookery.sock http://localhost${answer}`,
    ];
    world.model.respondWith(
      scriptTurns({
        "GO-PAIR": [...attacks.map((command) => ({ tools: [bash(command)] })), { text: "All done." }],
      }),
    );
    const run = await world.run("GO-PAIR", ["--allowedTools", "Bash"]);
    const outputs = run.lines
      .filter((line) => line.type === "user")
      .map((line) => JSON.stringify(line.message.content));
    expect(outputs).toHaveLength(attacks.length);
    for (const output of outputs)
      expect(output).toMatch(/An agent may not do this for its person|This command was started by an agent/);
    expect((await openQuestion(world.rookery)).id).toBe(question.id);
    signalProcess(hook.pid, "SIGTERM");
    expect((await hook.done).stdout).toBe("");
    expect((await world.rookery.call("GET", "/api/pairings")).json).toEqual({ people: [], pending: [] });
    const { entries } = (await world.rookery.call("GET", "/api/audit")).json;
    // Commands also report their own refusals to the daemon.
    expect(entries).toHaveLength(attacks.length);
    expect(entries.every(({ result }: { result: string }) => result === "refused")).toBe(true);
  });
});
