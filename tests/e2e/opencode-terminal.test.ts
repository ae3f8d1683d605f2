import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findAgent, openCodexPeer } from "../support/codex-peer.ts";
import { openOpenCodeWorld, type OpenCodeWorld } from "../support/opencode.ts";
import { openQuestion, postAnswer, waitForOutcome } from "../support/person-elsewhere.ts";
import { openRookery, type Rookery } from "../support/rookery.ts";
import { listOurLines, type Terminal } from "../support/terminal.ts";
import { useOutside } from "../support/use-outside.ts";

const person = useOutside();
let rookery: Rookery;
let world: OpenCodeWorld;
let terminal: Terminal;
/** One session for all: OpenCode takes long to start. */
beforeAll(async () => {
  world = await openOpenCodeWorld({ bash: "ask" });
  const { PATH = "", HOME = "" } = world.env;
  rookery = openRookery({ PATH, HOME });
  world.env.ROOKERY_HOME = rookery.home.root;
  await rookery.start();
  expect(await rookery.cli("install", "--host", "opencode")).toMatchObject({ code: 0 });
  terminal = await world.interactive();
}, 120_000);
afterAll(async () => {
  await terminal.close();
  await rookery.close();
  await world.close();
});

const shell = (command: string) => ({ tools: [{ name: "bash", input: { command, description: "try" } }] });
const questions = [
  {
    question: "Which database?",
    header: "DB",
    options: [
      { label: "Postgres", description: "a server" },
      { label: "SQLite", description: "a file" },
    ],
  },
];
const choice = { tools: [{ name: "question", input: { questions } }] };

/** One step, then the end of the turn, for the newest prompt with the marker. */
function playOnce(marker: string, step: object): void {
  world.model.respondWith(({ body }) => {
    if (!Array.isArray(body.tools) || body.tools.length === 0) return { text: "ok" };
    const prompt = body.messages.findLastIndex(
      (message: { role: string; content: unknown }) =>
        message.role === "user" && JSON.stringify(message.content).includes(marker),
    );
    const isAsked = body.messages.slice(prompt).some(({ role }: { role: string }) => role === "tool");
    return isAsked ? { text: `DONE-${marker}` } : step;
  });
}
const lastResult = () => world.model.requests.findLast(({ results }) => results.length > 0)?.results.at(-1);

test("a permission is answered from elsewhere while its dialog is open, and the dialog closes", async () => {
  playOnce("GO-ONE", shell("echo allowed-elsewhere"));
  await terminal.submit("GO-ONE");
  await terminal.waitForScreen("Permission required");
  const question = await openQuestion(rookery);
  expect(question).toMatchObject({ kind: "permission", subject: { text: "echo allowed-elsewhere" } });
  expect((await postAnswer(person, rookery, question.id, { allow: "once" })).status).toBe(200);
  const screen = await terminal.waitForScreen("DONE-GO-ONE");
  expect(screen).not.toContain("Permission required");
  expect(listOurLines(screen)).toEqual([]);
  expect(lastResult()).toContain("allowed-elsewhere");
  await waitForOutcome(rookery, question.id, { state: "answered", verdict: "confirmed" } as object);
}, 120_000);

test("a denial from elsewhere reaches the model with its reason, also after the daemon was killed", async () => {
  playOnce("GO-DENY", shell("echo denied > denied.txt"));
  await terminal.submit("GO-DENY");
  await terminal.waitForScreen("Permission required");
  const { id } = await openQuestion(rookery);
  await rookery.kill9();
  await rookery.start();
  expect((await postAnswer(person, rookery, id, { deny: "not on Fridays" })).status).toBe(200);
  await terminal.waitForScreen("DONE-GO-DENY");
  expect(lastResult()).toContain("not on Fridays");
  expect(existsSync(join(world.project, "denied.txt"))).toBe(false);
}, 120_000);

test("a permission that is answered in the terminal closes everywhere else, before its command has ended", async () => {
  const file = join(world.project, "go-on");
  playOnce("GO-TWO", shell(`while [ ! -e ${file} ]; do sleep 0.1; done; echo allowed-here`));
  await terminal.submit("GO-TWO");
  await terminal.waitForScreen("Permission required");
  const { id } = await openQuestion(rookery);
  await terminal.answer("Permission required", "Enter");
  const closed = await waitForOutcome(rookery, id, { state: "answered" });
  expect(closed).toMatchObject({ answer: { allow: "once" }, answerer: { place: "terminal" } });
  writeFileSync(file, "");
  await terminal.waitForScreen("DONE-GO-TWO");
}, 120_000);

test("a question is answered from elsewhere, and one in the terminal", async () => {
  playOnce("GO-THREE", choice);
  await terminal.submit("GO-THREE");
  const first = await openQuestion(rookery);
  expect(first).toMatchObject({ kind: "choice", prompts: [{ text: "Which database?" }] });
  expect((await postAnswer(person, rookery, first.id, { answers: [["SQLite"]] })).status).toBe(200);
  await terminal.waitForScreen("DONE-GO-THREE");
  expect(lastResult()).toContain("SQLite");

  playOnce("GO-FOUR", choice);
  await terminal.submit("GO-FOUR");
  const second = await openQuestion(rookery);
  await terminal.waitForScreen(/Postgres/);
  await terminal.press("Enter");
  await terminal.waitForScreen("DONE-GO-FOUR");
  const closed = await waitForOutcome(rookery, second.id, { state: "answered" });
  expect(closed).toMatchObject({ answer: { answers: [["Postgres"]] }, answerer: { place: "terminal" } });
}, 120_000);

test("a message from an agent of another host wakes the idle session and reaches the model", async () => {
  world.model.respondWith(({ text }) => ({ text: text.includes("The door is open.") ? "WOKEN" : "ok" }));
  const peer = await openCodexPeer(rookery, world.project);
  try {
    await peer.send(findAgent(rookery, "opencode"), "The door is open.");
    const screen = await terminal.waitForScreen("WOKEN");
    expect(screen).not.toContain("Rookery: 1 new message");
  } finally {
    await peer.close();
  }
  expect(rookery.query("SELECT machine FROM prompts WHERE text LIKE 'Rookery: %'")).toEqual([{ machine: 1 }]);
}, 120_000);
