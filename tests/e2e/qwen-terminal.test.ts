import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listQuestions, openQuestion, postAnswer, waitForOutcome } from "../support/person-elsewhere.ts";
import { waitFor } from "../support/processes.ts";
import { openQwenWorld, type QwenWorld } from "../support/qwen.ts";
import { openRookery, type Rookery } from "../support/rookery.ts";
import { listOurLines, type Terminal } from "../support/terminal.ts";
import { useOutside } from "../support/use-outside.ts";

const person = useOutside();
let rookery: Rookery;
let world: QwenWorld;
let terminal: Terminal;
/** One session for all. */
beforeAll(async () => {
  world = await openQwenWorld();
  const { PATH = "", HOME = "" } = world.env;
  rookery = openRookery({ PATH, HOME, ROOKERY_ASK_ALWAYS: "true" });
  world.env.ROOKERY_HOME = rookery.home.root;
  await rookery.start();
  expect(await rookery.cli("install", "--host", "qwen")).toMatchObject({ code: 0 });
  terminal = await world.interactive();
}, 120_000);
afterAll(async () => {
  await terminal.close();
  await rookery.close();
  await world.close();
});

const shell = (command: string) => ({
  tools: [{ name: "run_shell_command", input: { command, is_background: false, description: "try" } }],
});
const questions = [
  {
    question: "Which database?",
    header: "DB",
    multiSelect: false,
    options: [
      { label: "Postgres", description: "a server" },
      { label: "SQLite", description: "a file" },
    ],
  },
];
const made = (file: string): boolean => existsSync(join(world.project, file));
const lastResult = () => world.model.requests.findLast(({ results }) => results.length > 0)?.results.at(-1);

/** One step, then the end of the turn, for the prompt with the marker; the person has then just left or come. */
async function begin(marker: string, step: object, state: "away" | "here"): Promise<void> {
  const earlier = world.model.requests.at(-1)?.results.length ?? 0;
  world.model.respondWith(async ({ body, text, results }) => {
    if (!Array.isArray(body.tools) || body.tools.length === 0) return { text: "ok" };
    if (!text.includes(marker) || results.length > earlier) return { text: `DONE-${marker}` };
    expect((await person.call(rookery, "POST", "/api/presence", { state })).status).toBe(200);
    return step;
  });
  await terminal.submit(`${marker} please`);
}

test("a permission is answered from elsewhere while you are away, also after the daemon was killed", async () => {
  await begin("GO-ONE", shell("echo one > one.txt"), "away");
  const question = await openQuestion(rookery);
  expect(question).toMatchObject({ kind: "permission", subject: { text: "echo one > one.txt" } });
  await rookery.kill9();
  await rookery.start();
  expect((await postAnswer(person, rookery, question.id, { allow: "once" })).status).toBe(200);
  expect(listOurLines(await terminal.waitForScreen("DONE-GO-ONE"))).toEqual([]);
  expect(made("one.txt")).toBe(true);
  await waitForOutcome(rookery, question.id, { state: "answered", verdict: "confirmed" } as object);
}, 120_000);

test("a denial from elsewhere reaches the model with its reason, and the command does not run", async () => {
  await begin("GO-TWO", shell("echo two > two.txt"), "away");
  const question = await openQuestion(rookery);
  expect((await postAnswer(person, rookery, question.id, { deny: "not on Fridays" })).status).toBe(200);
  await terminal.waitForScreen("DONE-GO-TWO");
  expect(lastResult()).toContain("not on Fridays");
  expect(made("two.txt")).toBe(false);
}, 120_000);

test("a question stays in the terminal, and its answer is known", async () => {
  const earlier = (await listQuestions(rookery)).length;
  await begin("GO-THREE", { tools: [{ name: "ask_user_question", input: { questions } }] }, "away");
  await terminal.waitForScreen("Which database?");
  expect(await listQuestions(rookery)).toHaveLength(earlier);
  await terminal.answer("↑/↓: Navigate", "Enter");
  await terminal.waitForScreen("DONE-GO-THREE");
  const note = () =>
    rookery.query("SELECT title FROM observations").find(({ title }) => /database.*Postgres/i.test(title));
  await waitFor(() => note() !== undefined, {
    describe: () => `the decision among ${JSON.stringify(rookery.query("SELECT title FROM observations"))}`,
  });
}, 120_000);

test("at the terminal the dialog opens at once and is answered there", async () => {
  const earlier = (await listQuestions(rookery)).length;
  await begin("GO-FOUR", shell("echo four > four.txt"), "here");
  await terminal.waitForScreen("Waiting for user confirmation");
  expect(await listQuestions(rookery)).toHaveLength(earlier);
  await terminal.answer("Waiting for user confirmation", "Enter");
  await terminal.waitForScreen("DONE-GO-FOUR");
  expect(made("four.txt")).toBe(true);
}, 120_000);
