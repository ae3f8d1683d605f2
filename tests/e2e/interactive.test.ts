import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isLong } from "../support/long.ts";
import { scriptTurns } from "../support/model-server.ts";
import { descendantsOf, waitFor } from "../support/processes.ts";
import type { Terminal } from "../support/terminal.ts";
import { useOutside } from "../support/use-outside.ts";
import { bash, openWorld, type World } from "../support/world.ts";

const manual = ["--permission-mode", "manual", "--allowedTools", "Bash(echo *)"];

const outside = useOutside();
let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const sessions = () =>
  world.rookery.query<{ id: string; source: string; status: string; reason: string | null; agent: string }>(
    `SELECT s.id, s.source, s.status, s.end_reason AS reason, a.name AS agent FROM sessions s
     JOIN agents a ON a.id = s.agent_id ORDER BY s.started_at`,
  );

async function send(text: string, to = "project-rook"): Promise<string> {
  return (await outside.call(world.rookery, "POST", "/api/deliveries", { to, body: text })).json.id;
}

const delivery = async (id: string) => (await world.rookery.call("GET", `/api/deliveries/${id}`)).json;

/** The monitor is armed a moment after the prompt appears. */
const monitorArmed = () =>
  waitFor(async () => (await world.rookery.call("GET", "/api/status")).json.monitors === 1);

async function say(terminal: Terminal, prompt: string, answer: string): Promise<void> {
  await terminal.submit(prompt);
  await terminal.waitForScreen(answer);
}

describe("an interactive session of the real claude", () => {
  it("shows once that Rookery is on, and is silent afterwards", async () => {
    const first = await world.interactive(manual);
    expect(await first.waitForScreen("Rookery is on")).toMatch(/http:\/\/127\.0\.0\.1:\d+/);
    await first.close();
    const rule = { project: world.project, type: "decision", text: "The lantern is painted blue." };
    await world.rookery.call("POST", "/api/notes", rule);
    const second = await world.interactive(manual);
    await say(second, "hello", "DONE");
    expect(world.model.requests.at(-1)?.text.includes("lantern is painted")).toBe(true);
    expect(await second.screen()).not.toMatch(/Rookery is on|lantern/);
    expect(await second.screen()).not.toMatch(/hook error|error:|failed/i);
    await second.close();
    await world.waitUntilOnlyDaemon();
  });

  it("runs one daemon, one MCP process and one sleeping shell; only the daemon is left after /exit", async () => {
    await world.rookery.start();
    const terminal = await world.interactive(manual);
    await say(terminal, "hello", "DONE");
    await monitorArmed();
    const ours = (await descendantsOf(terminal.pid())).filter(({ command }) =>
      /rookery|wake\.sh|mcp\.js/.test(command),
    );
    // A shell, although a command line with dist/mcp.js may follow: Claude Code asked nothing that needs the server.
    expect(ours.map(({ command }) => /wake\.sh|greet\.sh/.exec(command)?.[0] ?? command).toSorted()).toEqual([
      "greet.sh",
      "wake.sh",
    ]);
    await terminal.submit("/exit");
    await world.waitUntilOnlyDaemon();
    await expect.poll(sessions).toMatchObject([{ status: "ended", reason: "prompt_input_exit" }]);
  });

  it.runIf(isLong)("leaves nothing behind when claude is killed -9, and its session is closed", async () => {
    const terminal = await world.interactive(manual);
    await say(terminal, "hello", "DONE");
    await monitorArmed();
    await terminal.kill("SIGKILL");
    await world.waitUntilOnlyDaemon();
    await waitFor(() => sessions()[0]?.status === "ended", {
      describe: "the session to be closed",
    });
    expect(sessions()[0]?.reason).toBe("gone");
  });

  it.runIf(isLong)(
    "keeps its agent and its inbox through /clear, and the MCP server uses the new session",
    async () => {
      world.model.respondWith(
        scriptTurns({
          "GO-STATUS": [{ tools: [{ name: "mcp__plugin_rookery_rookery__rookery_status", input: {} }] }],
        }),
      );
      const terminal = await world.interactive([...manual, "mcp__plugin_rookery_rookery__rookery_status"]);
      await say(terminal, "hello", "DONE");
      await terminal.submit("/clear");
      await expect.poll(sessions).toMatchObject([
        { status: "ended", reason: "clear", agent: "project-rook" },
        { source: "clear", status: "active", agent: "project-rook" },
      ]);
      const [, after] = sessions();
      await terminal.submit("GO-STATUS");
      const told = await world.model.waitForRequest(({ text }) => text.includes("You are agent"));
      expect(told.text.includes(`You are agent project-rook, session ${after?.id}`)).toBe(true);
      const id = await send("After the clear: PLANTED");
      await waitFor(async () => (await delivery(id)).state === "confirmed");
      expect((await delivery(id)).session).toBe(after?.id);
    },
  );

  it.runIf(isLong)("stays the same session after /compact, which shows no line of Rookery", async () => {
    const terminal = await world.interactive(manual);
    await say(terminal, "hello", "DONE");
    await terminal.submit("/compact");
    await terminal.waitForScreen(/Compacted/i);
    await waitFor(() => sessions()[0]?.source === "compact");
    expect(sessions()).toHaveLength(1);
    expect(await terminal.screen()).not.toMatch(/hook\.sh|(?:Pre|Post)Compact/);
  });

  it("is woken once when idle, and the request that follows contains the message", async () => {
    const terminal = await world.interactive(manual);
    await say(terminal, "hello", "DONE");
    await monitorArmed();
    const before = world.model.requests.length;
    const id = await send("Please look at the build: PLANTED");
    const request = await world.model.waitForRequest(({ text }) => text.includes("PLANTED"));
    expect(request.index).toBe(before);
    expect(request.text.includes(`rookery-delivery id=\\"${id}`)).toBe(true);
    await waitFor(async () => (await delivery(id)).state === "confirmed");
    expect(await delivery(id)).toMatchObject({ attempts: 1, point: "prompt" });
    const turns = world.rookery.query("SELECT origin_kind AS kind FROM turns ORDER BY number");
    expect(turns).toEqual([{ kind: "human" }, { kind: "machine" }]);
    await monitorArmed(); // and can be woken again
    const again = await send("And this: SECOND");
    await world.model.waitForRequest(({ text }) => text.includes("SECOND"));
    await waitFor(async () => (await delivery(again)).state === "confirmed");
    const fences = world.model.requests.at(-1)?.text.split(`rookery-delivery id=\\"${id}`).length;
    expect(fences).toBe(2); // still in the conversation, not injected again
  });

  it("gets a message in the middle of a turn after its next tool call, without a new turn", async () => {
    let id = "";
    world.model.respondWith(async (request) => {
      const rounds = request.body.messages.filter((message: any) => message.role === "assistant").length;
      if (rounds === 1) id = await send("In the middle: PLANTED");
      return rounds < 4 ? { tools: [bash(`echo step ${rounds}`)] } : { text: "FINISHED" };
    });
    const terminal = await world.interactive(manual);
    await say(terminal, "work", "FINISHED");
    await waitFor(async () => (await delivery(id)).state === "confirmed");
    expect(await delivery(id)).toMatchObject({ attempts: 1, point: "tool.after" });
    await expect
      .poll(() => world.rookery.query("SELECT outcome FROM turns"))
      .toEqual([{ outcome: "completed" }]);
    expect(world.model.requests.map(({ text }) => text.includes("PLANTED"))).toEqual([
      false,
      false,
      true,
      true,
      true,
    ]);
  });

  it.runIf(isLong)(
    "continues when the daemon is killed -9: it restarts on its own, wakes work again, nothing is shown",
    async () => {
      const terminal = await world.interactive(manual);
      await say(terminal, "hello", "DONE");
      await monitorArmed();
      const old = world.rookery.pid();
      await world.rookery.kill9();
      await say(terminal, "and now", "DONE");
      await waitFor(
        async () => (await world.rookery.call("GET", "/health").catch(() => undefined))?.status === 200,
        {
          describe: "the MCP process to start the daemon again",
        },
      );
      expect(world.rookery.pid()).not.toBe(old);
      await monitorArmed();
      await send("Back again: PLANTED");
      await world.model.waitForRequest(({ text }) => text.includes("PLANTED"));
      const [session] = sessions();
      await waitFor(
        () => world.events(session?.id ?? "").filter(({ event }) => event === "turn.ended").length === 3,
      );
      expect(await terminal.screen()).not.toMatch(/hook error|non-blocking|failed/i);
    },
  );

  it.runIf(isLong)("wakes the right one of two sessions in one project", async () => {
    const first = await world.interactive(manual);
    await say(first, "hello", "DONE");
    const second = await world.interactive(manual);
    await say(second, "hello", "DONE");
    await waitFor(async () => (await world.rookery.call("GET", "/api/status")).json.monitors === 2);
    expect(sessions().map(({ agent }) => agent)).toEqual(["project-rook", "project-jay"]);
    await send("For the jay: PLANTED", "project-jay");
    const request = await world.model.waitForRequest(({ text }) => text.includes("PLANTED"));
    expect(request.sessionId).toBe(sessions()[1]?.id);
  });
});
