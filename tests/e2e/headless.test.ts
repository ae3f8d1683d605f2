import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isLong } from "../support/long.ts";
import { scriptTurns } from "../support/model-server.ts";
import { waitFor } from "../support/processes.ts";
import { useOutside } from "../support/use-outside.ts";
import { bash, openWorld, type World } from "../support/world.ts";

const allow = ["--allowedTools", "Bash(echo *)", "Bash(false)", "Agent"];
const agentsOf = (world: World, sessionId: string | undefined) =>
  new Set(world.events(sessionId ?? "").map(({ agent }) => agent));

const outside = useOutside();
let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

describe("a headless session of the real claude", () => {
  it("has every event stored once, with its session, agent and turn, and leaves no process", async () => {
    world.model.respondWith(
      scriptTurns({
        "GO-WORK": [{ tools: [bash("echo one")] }, { tools: [bash("false")] }, { text: "All done." }],
      }),
    );
    const run = await world.run("GO-WORK please", allow);
    expect(run).toMatchObject({ code: 0, stderr: "" });
    const stored = world.events(run.sessionId ?? "");
    expect(stored.map(({ event }) => event)).toEqual([
      "session.started",
      "prompt",
      "tool.before",
      "tool.after",
      "tool.before",
      "tool.failed",
      "turn.ended",
      "session.ended",
    ]);
    expect(new Set(stored.map(({ id }) => id)).size).toBe(stored.length);
    expect(agentsOf(world, run.sessionId)).toEqual(new Set(["project-rook"]));
    const inTurn = stored.filter(({ event }) => !event.startsWith("session."));
    expect(new Set(inTurn.map(({ turnId }) => turnId)).size).toBe(1);
    expect(stored.at(-2)?.payload.last_assistant_message).toBe("All done.");
    expect(stored[3]?.payload).toMatchObject({
      tool_name: "Bash",
      tool_input: { command: "echo one" },
      tool_response: { stdout: "one" },
    });
    expect(world.rookery.query("SELECT status, end_reason FROM sessions")).toEqual([
      { status: "ended", end_reason: "other" },
    ]);
    expect(world.rookery.query("SELECT number, origin_kind, outcome FROM turns")).toEqual([
      { number: 1, origin_kind: "human", outcome: "completed" },
    ]);
    await world.waitUntilOnlyDaemon();
  });

  it.runIf(isLong)(
    "has a subagent's events stored under the same session, marked as the subagent's",
    async () => {
      const errand = { description: "Look", prompt: "GO-CHILD", subagent_type: "general-purpose" };
      world.model.respondWith(
        scriptTurns({
          "GO-PARENT": [{ tools: [{ name: "Agent", input: errand }] }],
          "GO-CHILD": [{ tools: [bash("echo from the child")] }, { text: "FOUND" }],
        }),
      );
      const run = await world.run("GO-PARENT", allow);
      const stored = world.events(run.sessionId ?? "");
      const child = stored.filter(({ subagentId }) => subagentId !== null).map(({ event }) => event);
      expect(child).toEqual(
        expect.arrayContaining(["subagent.started", "tool.before", "tool.after", "subagent.ended"]),
      );
      expect(stored.filter(({ event }) => event === "turn.ended").length).toBeGreaterThan(0);
      expect(new Set(stored.map(({ id }) => id)).size).toBe(stored.length);
    },
  );

  it.runIf(isLong)("has a failed turn stored as failed", async () => {
    world.model.respondWith(() => ({
      error: { status: 400, type: "invalid_request_error", message: "scripted" },
    }));
    const run = await world.run("break");
    expect(world.events(run.sessionId ?? "").map(({ event }) => event)).toContain("turn.failed");
    expect(world.rookery.query("SELECT outcome FROM turns")).toEqual([{ outcome: "failed" }]);
  });

  it.runIf(isLong)(
    "keeps its agent when it is resumed, and a later session takes the free seat",
    async () => {
      const first = await world.run("hello");
      const second = await world.run("hello again", ["--resume", first.sessionId ?? ""]);
      const third = await world.run("someone else");
      expect(second.sessionId).toBe(first.sessionId);
      expect(third.sessionId).not.toBe(first.sessionId);
      expect(agentsOf(world, first.sessionId)).toEqual(new Set(["project-rook"]));
      expect(agentsOf(world, third.sessionId)).toEqual(new Set(["project-rook"]));
      const starts = world.events(first.sessionId ?? "").filter(({ event }) => event === "session.started");
      expect(starts.map(({ payload }) => payload.source)).toEqual(["startup", "resume"]);
    },
  );

  it("gets a delivery after its next tool call, once, confirmed by its transcript", async () => {
    await world.run("hello"); // so that the agent exists
    let id = "";
    world.model.respondWith(async (request) => {
      const rounds = request.body.messages.filter((message: any) => message.role === "assistant").length;
      if (rounds === 0) return { tools: [bash("echo one")] };
      if (rounds === 1 && !id) {
        const body = { to: "project-rook", body: "It is merged: PLANTED." };
        id = (await outside.call(world.rookery, "POST", "/api/deliveries", body)).json.id;
      }
      return rounds < 3 ? { tools: [bash(`echo ${rounds}`)] } : { text: "Understood." };
    });
    const before = world.model.requests.length;
    const run = await world.run("work", allow);
    const requests = world.model.requests.slice(before);
    expect(requests.map(({ text }) => text.includes("PLANTED"))).toEqual([false, false, true, true]);
    const fences = requests.map(({ text }) => text.split(`rookery-delivery id=\\"${id}`).length - 1);
    expect(fences).toEqual([0, 0, 1, 1]);
    const delivery = await waitFor(async () => {
      const { stdout } = await world.rookery.cli("inbox", "--json", "--id", id);
      return JSON.parse(stdout).state === "confirmed" && JSON.parse(stdout);
    });
    expect(delivery).toMatchObject({ attempts: 1, point: "tool.after", session: run.sessionId });
    await world.run("once more", allow);
    expect(world.model.requests.at(-1)?.text.includes("PLANTED")).toBe(false);
  });

  it("finds its session and agent in the environment of its Bash tool", async () => {
    const command = "printenv CLAUDE_SESSION_ID ROOKERY_AGENT";
    world.model.respondWith(scriptTurns({ "GO-ENV": [{ tools: [bash(command)] }] }));
    const run = await world.run("GO-ENV", ["--allowedTools", "Bash(printenv *)"]);
    const seen = world.model.requests.at(-1)?.text.includes(`${run.sessionId}\\nproject-rook`);
    expect(seen).toBe(true);
  });
});

describe("an unavailable daemon", () => {
  const turn = scriptTurns({ "GO-WORK": [{ tools: [bash("echo one")] }, { text: "Fine." }] });
  const complete = ["session.started", "prompt", "tool.before", "tool.after", "turn.ended", "session.ended"];
  /** No daemon can be started, as after a broken update. */
  const noStart = { ROOKERY_NODE: "/nowhere/node" };

  it("does not disturb a session, and everything is stored afterwards", async () => {
    await world.close();
    world = await openWorld({ env: noStart });
    world.model.respondWith(turn);
    const run = await world.run("GO-WORK", allow);
    expect(run).toMatchObject({ code: 0, stderr: "" });
    expect(run.lines.at(-1)).toMatchObject({ result: "Fine." });
    await world.rookery.start();
    await waitFor(() => world.events(run.sessionId ?? "").length === complete.length);
    expect(world.events(run.sessionId ?? "").map(({ event }) => event)).toEqual(complete);
    expect(world.rookery.query("SELECT outcome FROM turns")).toEqual([{ outcome: "completed" }]);
  });

  it.runIf(isLong)(
    "does not disturb a session if it hangs (SIGSTOP), and everything is stored afterwards",
    async () => {
      await world.rookery.start();
      const pid = world.rookery.pid();
      process.kill(pid, "SIGSTOP");
      world.model.respondWith(turn);
      const run = await world.run("GO-WORK", allow);
      process.kill(pid, "SIGCONT");
      expect(run).toMatchObject({ code: 0, stderr: "" });
      await waitFor(() => world.events(run.sessionId ?? "").length === complete.length);
      expect(
        world
          .events(run.sessionId ?? "")
          .map(({ event }) => event)
          .toSorted(),
      ).toEqual(complete.toSorted());
      expect(world.rookery.query("SELECT outcome FROM turns")).toEqual([{ outcome: "completed" }]);
    },
  );

  it("is restarted when it is killed -9 during a session, and nothing is lost", async () => {
    world.model.respondWith(async (request) => {
      const rounds = request.body.messages.filter((message: any) => message.role === "assistant").length;
      if (rounds === 2) await world.rookery.kill9();
      return rounds < 6 ? { tools: [bash(`echo ${rounds}`)] } : { text: "Fine." };
    });
    const run = await world.run("work", allow);
    expect(run).toMatchObject({ code: 0, stderr: "" });
    await world.rookery.start();
    await waitFor(() => world.events(run.sessionId ?? "").length === 2 + 12 + 2);
    const ids = world.events(run.sessionId ?? "").map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
