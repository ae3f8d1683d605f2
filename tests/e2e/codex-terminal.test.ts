import { afterAll, beforeAll, expect, test } from "vitest";
import { type CodexWorld, openCodexWorld } from "../support/codex.ts";
import { openQuestion, postAnswer } from "../support/person-elsewhere.ts";
import { openRookery, type Rookery } from "../support/rookery.ts";
import type { Terminal } from "../support/terminal.ts";
import { useOutside } from "../support/use-outside.ts";

const person = useOutside();
let rookery: Rookery;
let world: CodexWorld;
beforeAll(async () => {
  world = await openCodexWorld();
  const { PATH = "", HOME = "" } = world.env;
  rookery = openRookery({ PATH, HOME, ROOKERY_ASK_ALWAYS: "true" });
  world.env.ROOKERY_HOME = rookery.home.root;
  await rookery.start();
  expect(await rookery.cli("install", "--host", "codex")).toMatchObject({ code: 0 });
}, 60_000);
afterAll(async () => {
  await rookery.close();
  await world.close();
});

test("a permission in the terminal is answered from elsewhere while you are away, and a message wakes the session", async () => {
  const escalated = (cmd: string) => ({
    tools: [
      {
        name: "exec_command",
        input: { cmd, sandbox_permissions: "require_escalated", justification: "try" },
      },
    ],
  });
  world.model.respondWith(async ({ body, text, results }) => {
    // Codex also asks for a title of the prompt, beside its turn and without tools.
    if (!body.tools?.length) return { text: "ok" };
    const step = results.length;
    if (text.includes("GO-AWAY") && step === 0) {
      const { status } = await person.call(rookery, "POST", "/api/presence", { state: "away" });
      expect(status).toBe(200);
      return escalated("echo was-allowed");
    }
    return { text: text.includes("The door is open.") ? "WOKEN" : "DONE" };
  });
  const terminal: Terminal = await world.interactive();
  try {
    await terminal.submit("GO-AWAY please");
    const question = await openQuestion(rookery);
    expect(question).toMatchObject({ kind: "permission", subject: { text: "echo was-allowed" } });
    expect((await postAnswer(person, rookery, question.id, { allow: "once" })).status).toBe(200);
    await terminal.waitForScreen("DONE");
    expect(world.model.requests.findLast(({ results }) => results.length > 0)?.results.at(-1)).toContain(
      "was-allowed",
    );

    const [{ name }] = rookery.query(
      "SELECT a.name FROM agents a JOIN sessions s ON s.agent_id = a.id WHERE s.status = 'active'",
    );
    const sent = await person.call(rookery, "POST", "/api/deliveries", {
      to: name,
      body: "The door is open.",
    });
    expect(sent.status).toBe(201);
    await terminal.waitForScreen("WOKEN");
    expect(rookery.query("SELECT machine FROM prompts WHERE text LIKE 'Rookery: %'")).toEqual([
      { machine: 1 },
    ]);
  } finally {
    await terminal.close();
  }
});
