import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { scriptTurns } from "../support/model-server.ts";
import { waitFor } from "../support/processes.ts";
import { bash, openWorld, type World } from "../support/world.ts";

const allow = ["--allowedTools", "Bash(echo *)", "Bash(false)"];

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

describe("a session of the real claude whose hooks were silent for a while", () => {
  it("is complete after the next turn: missed events come from the transcript, once", async () => {
    world.model.respondWith(
      scriptTurns({
        "GO-FIRST": [{ tools: [bash("echo one")] }, { text: "First done." }],
        "GO-SILENT": [{ tools: [bash("echo two")] }, { tools: [bash("false")] }, { text: "Silent done." }],
        "GO-THIRD": [{ tools: [bash("echo three")] }, { text: "Third done." }],
      }),
    );
    const { sessionId = "" } = await world.run("GO-FIRST", allow);
    const resume = [...allow, "--resume", sessionId];
    world.env["ROOKERY_OFF"] = "1";
    await world.run("GO-SILENT from now on always use tabs", resume);
    delete world.env["ROOKERY_OFF"];
    const byHook = "SELECT count(*) AS n FROM events WHERE via <> 'transcript' AND payload LIKE '%echo two%'";
    expect(world.rookery.query(byHook)).toEqual([{ n: 0 }]);
    await world.run("GO-THIRD", resume);
    const turns = () =>
      world.rookery.query(
        `SELECT p.text, t.outcome, t.last_assistant_message AS final, t.distilled_at AS distilledAt
         FROM turns t JOIN prompts p ON p.turn_id = t.id ORDER BY t.started_at`,
      );
    await waitFor(() => turns().length === 3 && turns().every(({ distilledAt }) => distilledAt !== null));
    expect(turns().map(({ text, outcome, final }) => [text, outcome, final])).toEqual([
      ["GO-FIRST", "completed", "First done."],
      ["GO-SILENT from now on always use tabs", "completed", "Silent done."],
      ["GO-THIRD", "completed", "Third done."],
    ]);
    const uses = world
      .events(sessionId)
      .filter(({ event }) => event === "tool.after" || event === "tool.failed");
    expect(uses.map(({ event, payload }) => [event, payload.tool_input.command])).toEqual([
      ["tool.after", "echo one"],
      ["tool.after", "echo two"],
      ["tool.failed", "false"],
      ["tool.after", "echo three"],
    ]);
    expect(world.rookery.query("SELECT title FROM observations WHERE type = 'preference'")).toHaveLength(1);
  });
});
