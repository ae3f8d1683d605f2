import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findAgent, openCodexPeer } from "../support/codex-peer.ts";
import { type CopilotWorld, openCopilotWorld } from "../support/copilot.ts";
import { listQuestions, openQuestion, postAnswer, waitForOutcome } from "../support/person-elsewhere.ts";
import { processesMentioning, waitFor } from "../support/processes.ts";
import { openRookery, type Rookery } from "../support/rookery.ts";
import { listOurLines, type Terminal } from "../support/terminal.ts";
import { useOutside } from "../support/use-outside.ts";

const person = useOutside();
let rookery: Rookery;
let world: CopilotWorld;
let terminal: Terminal;
/** One session for all. */
beforeAll(async () => {
  world = await openCopilotWorld();
  const { PATH = "", HOME = "" } = world.env;
  rookery = openRookery({ PATH, HOME });
  world.env.ROOKERY_HOME = rookery.home.root;
  await rookery.start();
  expect(await rookery.cli("install", "--host", "copilot")).toMatchObject({ code: 0 });
  terminal = await world.interactive();
}, 120_000);
afterAll(async () => {
  await terminal.close();
  await rookery.close();
  await world.close();
});

const shell = (command: string) => ({ tools: [{ name: "bash", input: { command, description: "try" } }] });
const database = { type: "string", title: "DB", enum: ["Postgres", "SQLite"] };
const requestedSchema = { type: "object", properties: { db: database }, required: ["db"] };
const choice = {
  tools: [{ name: "ask_user", input: { message: "Which database?", requestedSchema } }],
};
const elsewhere = { state: "answered", verdict: "confirmed" } as object;
const countResults = (): number => world.model.requests.at(-1)?.results.length ?? 0;
const lastResult = () => world.model.requests.findLast(({ results }) => results.length > 0)?.results.at(-1);

/** One step, then the end of the turn, for the prompt with the marker. */
async function begin(marker: string, step: object, earlier = countResults()): Promise<void> {
  world.model.respondWith(({ body, text, results }) => {
    if (!Array.isArray(body.tools) || body.tools.length === 0) return { text: "ok" };
    return text.includes(marker) && results.length === earlier ? step : { text: `DONE-${marker}` };
  });
  await terminal.submit(`${marker} please`);
}

test("a permission is answered from elsewhere while its dialog is open, and the dialog closes", async () => {
  await begin("GO-ONE", shell("echo allowed-elsewhere > made.txt"));
  const question = await openQuestion(rookery);
  expect(question).toMatchObject({
    kind: "permission",
    subject: { text: "echo allowed-elsewhere > made.txt" },
    context: "try",
  });
  await terminal.waitForScreen("Do you want to run this command?");
  expect((await postAnswer(person, rookery, question.id, { allow: "once" })).status).toBe(200);
  const screen = await terminal.waitForScreen("DONE-GO-ONE");
  expect(screen).not.toContain("Do you want to run");
  expect(listOurLines(screen)).toEqual([]);
  expect(existsSync(join(world.project, "made.txt"))).toBe(true);
  await waitForOutcome(rookery, question.id, elsewhere);
}, 120_000);

test("a denial from elsewhere reaches the model with its reason, and the command does not run", async () => {
  await begin("GO-TWO", shell("echo denied > denied.txt"));
  const question = await openQuestion(rookery);
  await terminal.waitForScreen("Do you want to run this command?");
  expect((await postAnswer(person, rookery, question.id, { deny: "not on Fridays" })).status).toBe(200);
  await terminal.waitForScreen("DONE-GO-TWO");
  expect(lastResult()).toContain("not on Fridays");
  expect(existsSync(join(world.project, "denied.txt"))).toBe(false);
}, 120_000);

test("a permission that is answered in the terminal closes everywhere else, before its command has ended", async () => {
  const file = join(world.project, "go-on");
  await begin("GO-THREE", shell(`while [ ! -e go-on ]; do sleep 0.1; done; echo > here.txt`));
  const { id } = await openQuestion(rookery);
  await terminal.waitForScreen("Do you want to run this command?");
  await terminal.answer("Do you want to run this command?", "Enter");
  const closed = await waitForOutcome(rookery, id, { state: "answered" });
  expect(closed).toMatchObject({ answer: { allow: "once" }, answerer: { place: "terminal" } });
  writeFileSync(file, "");
  await terminal.waitForScreen("DONE-GO-THREE");
}, 120_000);

test("a question is answered from elsewhere, also after the daemon was killed, and one in the terminal", async () => {
  await begin("GO-FOUR", choice);
  const first = await openQuestion(rookery);
  expect(first).toMatchObject({ kind: "choice", prompts: [{ text: "Which database?" }] });
  await rookery.kill9();
  await rookery.start();
  expect((await postAnswer(person, rookery, first.id, { answers: [["SQLite"]] })).status).toBe(200);
  await terminal.waitForScreen("DONE-GO-FOUR");
  expect(lastResult()).toContain("SQLite");
  await waitForOutcome(rookery, first.id, elsewhere);

  await begin("GO-FIVE", choice);
  const second = await openQuestion(rookery);
  await terminal.waitForScreen("↑/↓ select");
  await terminal.answer("↑/↓ select", "Enter");
  await terminal.waitForScreen("DONE-GO-FIVE");
  const closed = await waitForOutcome(rookery, second.id, { state: "answered" });
  expect(closed).toMatchObject({ answer: { answers: [["Postgres"]] }, answerer: { place: "terminal" } });
}, 120_000);

test("a message from an agent of another host wakes the idle session and reaches the model", async () => {
  world.model.respondWith(({ text }) => ({ text: text.includes("The door is open.") ? "WOKEN" : "ok" }));
  const peer = await openCodexPeer(rookery, world.project);
  try {
    await peer.send(findAgent(rookery, "copilot"), "The door is open.");
    await terminal.waitForScreen("WOKEN");
  } finally {
    await peer.close();
  }
  expect(rookery.query("SELECT machine FROM prompts WHERE text LIKE 'Rookery: %'")).toEqual([{ machine: 1 }]);
  expect(readdirSync(rookery.home.rejected)).toEqual([]);
  expect(rookery.query("SELECT count(*) AS count FROM sessions WHERE host = 'copilot'")).toEqual([
    { count: 1 },
  ]);
}, 120_000);

test("if you do not let the extension answer, it ends, and the session waits in its terminal only", async () => {
  await terminal.close();
  terminal = await world.interactive("No");
  const extensions = async () =>
    (await processesMentioning(world.root)).filter(({ command }) => command.includes("extension_bootstrap"));
  await waitFor(async () => (await extensions()).length === 0, {
    describe: async () => `the end of the extension, not ${JSON.stringify(await extensions())}`,
  });
  await terminal.waitForScreen(/Manual Approval/);
  await begin("GO-SIX", shell("echo six > six.txt"), 0);
  await terminal.waitForScreen("Do you want to run this command?");
  await waitFor(() => rookery.query("SELECT 1 FROM events WHERE event = 'input.needed'").length > 0);
  expect((await listQuestions(rookery)).every(({ state }) => state !== "open")).toBe(true);
  await terminal.answer("Do you want to run this command?", "Enter");
  await terminal.waitForScreen("DONE-GO-SIX");
}, 120_000);
