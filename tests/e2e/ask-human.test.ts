import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ModelStep, scriptTurns } from "../support/model-server.ts";
import { inTheViewer, openQuestion, waitForOutcome } from "../support/person-elsewhere.ts";
import { waitFor } from "../support/processes.ts";
import { useOutside } from "../support/use-outside.ts";
import { openWorld, type World } from "../support/world.ts";

const viewer = inTheViewer(useOutside());
let world: World;
beforeEach(async () => {
  world = await openWorld({ env: { ROOKERY_ASK_ALWAYS: "true" } });
});
afterEach(() => world.close());

const nextRequest = (text: string) => world.model.waitForRequest((request) => request.text.includes(text));

describe("ask_human of a session", () => {
  const tool = "mcp__plugin_rookery_rookery__ask_human";
  const askHuman: ModelStep = {
    tools: [{ name: tool, input: { question: "Postgres or SQLite?", options: ["Postgres", "SQLite"] } }],
  };

  it("here: a form in the terminal, which closes when another place answers first", async () => {
    world.model.respondWith(scriptTurns({ "GO-ASK": [askHuman] }));
    const terminal = await world.interactive(["--allowedTools", tool]);
    await terminal.submit("GO-ASK");
    const question = await openQuestion(world.rookery);
    await terminal.waitForScreen("Postgres or SQLite?");
    await terminal.waitForScreen("Or in your own words");
    await viewer.answer(world.rookery, question, { answers: [["SQLite"]] });
    await nextRequest("Answered in the viewer: SQLite");
    const screen = await terminal.waitForScreen("DONE");
    expect(screen).not.toContain("Or in your own words");
  });

  it("here: answered in the form", async () => {
    world.model.respondWith(scriptTurns({ "GO-ASK": [askHuman] }));
    const terminal = await world.interactive(["--allowedTools", tool]);
    await terminal.submit("GO-ASK");
    const question = await openQuestion(world.rookery);
    await terminal.waitForScreen("Or in your own words");
    await terminal.answer("Choose: ▸ not set", "Right");
    await terminal.answer("❯ ◯ Postgres", "Space");
    await terminal.answer("❯ ✔ Choose", "Down");
    await terminal.answer("❯   Or in your own words", "Down");
    await terminal.answer("❯ Accept", "Enter");
    await nextRequest("Answered in the terminal: Postgres");
    await waitForOutcome(world.rookery, question.id, { state: "answered" });
  });

  it("here: Esc in the form", async () => {
    world.model.respondWith(scriptTurns({ "GO-ASK": [askHuman] }));
    const terminal = await world.interactive(["--allowedTools", tool]);
    await terminal.submit("GO-ASK");
    const question = await openQuestion(world.rookery);
    await terminal.waitForScreen("Or in your own words");
    // A form that is dismissed at once counts as not shown.
    await waitFor(() => Date.now() - question.createdAt > 2_000);
    await terminal.answer("Or in your own words", "Escape");
    await waitForOutcome(world.rookery, question.id, { state: "declined" });
  });

  it("without waiting: the answer wakes the idle session", async () => {
    const input = { question: "Postgres or SQLite?", wait: false };
    world.model.respondWith(scriptTurns({ "GO-ASK": [{ tools: [{ name: tool, input }] }] }));
    const terminal = await world.interactive(["--allowedTools", tool]);
    await terminal.submit("GO-ASK");
    await terminal.waitForScreen("DONE");
    const question = await openQuestion(world.rookery);
    await waitFor(async () => (await world.rookery.call("GET", "/api/status")).json.monitors === 1);
    await viewer.answer(world.rookery, question, { answers: [["SQLite, always"]] });
    const woken = await world.model.waitForRequest(({ text }) => text.includes("SQLite, always"));
    expect(woken.text).toContain('kind=\\"answer\\"');
  });
});
