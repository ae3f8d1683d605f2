import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { QuestionView } from "../../src/protocol/ask.ts";
import { hasLocalSlack } from "../support/local-slack.ts";
import { isLong, someRows } from "../support/long.ts";
import { type ModelStep, scriptTurns } from "../support/model-server.ts";
import {
  inTheViewer,
  listQuestions,
  onTheCommandLine,
  openQuestion,
  openQuestions,
  postAnswer,
  type Said,
  waitForOutcome,
} from "../support/person-elsewhere.ts";
import { openPersonOnSlack, type PersonOnSlack } from "../support/person-on-slack.ts";
import { descendantsOf, waitFor } from "../support/processes.ts";
import type { Terminal } from "../support/terminal.ts";
import { useOutside } from "../support/use-outside.ts";
import { bash, openWorld, type World } from "../support/world.ts";

const person = useOutside();
let phone: PersonOnSlack | undefined;
/** All tests share one home, one daemon and one phone; each ends the sessions that it opens. */
let world: World;
beforeAll(async () => {
  if (hasLocalSlack) phone = await openPersonOnSlack();
  world = await openWorld({ env: phone?.env ?? { ROOKERY_ASK_ALWAYS: "true" } });
  await world.rookery.start();
  await phone?.pair(world.rookery, person);
});
afterAll(async () => {
  await world.close();
  await phone?.close();
});

const terminals: Terminal[] = [];
async function openSession(args: string[] = []): Promise<Terminal> {
  const terminal = await world.interactive(args);
  terminals.push(terminal);
  return terminal;
}
afterEach(async () => {
  await Promise.all(terminals.splice(0).map((terminal) => terminal.close()));
  await openQuestions(world.rookery, 0);
  world.model.requests.length = 0;
});

const databases = {
  question: "Which DB?",
  header: "DB",
  options: [
    { label: "Postgres", description: "pg" },
    { label: "SQLite", description: "sl" },
  ],
  multiSelect: false,
};
const ask: ModelStep = { tools: [{ name: "AskUserQuestion", input: { questions: [databases] } }] };

const waitingHooks = async (terminal: Terminal) =>
  (await descendantsOf(terminal.pid())).filter(({ command }) => command.includes("PermissionRequest"));

async function hooksAreGone(terminal: Terminal): Promise<void> {
  await waitFor(async () => (await waitingHooks(terminal)).length === 0, {
    describe: "the waiting hook to end",
  });
}

/** The request that the model gets after the tool call. */
const nextRequest = (text: string) => world.model.waitForRequest((request) => request.text.includes(text));

const viewer = inTheViewer(person);
const commandLine = onTheCommandLine(person);
/** The person answers on the phone, if there is one. */
const elsewhere = () => phone ?? viewer;
const answer = (question: QuestionView, said: Said) => elsewhere().answer(world.rookery, question, said);
/** Checks the final text of the card, and that it has no buttons left. */
const cardShows = async (id: string, text: string) => phone?.shows(world.rookery, id, text);

describe("asked in the terminal, answered elsewhere", () => {
  it.each(
    someRows([
      ["on Slack", elsewhere],
      ["in the viewer", () => viewer],
      ["on the command line", () => commandLine],
    ]),
  )("a choice, %s: the dialog closes, the model reads the answer, and it is confirmed", async (_, place) => {
    world.model.respondWith(scriptTurns({ "GO-ASK": [ask] }));
    const terminal = await openSession();
    await terminal.submit("GO-ASK");
    const question = await openQuestion(world.rookery);
    await terminal.waitForScreen("Which DB?");
    expect(await waitingHooks(terminal)).toHaveLength(1);
    await place().answer(world.rookery, question, { answers: [["SQLite"]] });
    await nextRequest('\\"Which DB?\\"=\\"SQLite\\"');
    const screen = await terminal.waitForScreen("DONE");
    expect(screen).not.toMatch(/Enter to select|hook error/i);
    const ended = await waitForOutcome(world.rookery, question.id, { verdict: "confirmed" });
    expect(ended.outcome).toBe(`Answered ${place().who}: SQLite`);
    await cardShows(question.id, `✓ Answered ${place().who}: SQLite`);
    await hooksAreGone(terminal);
  });

  it("several questions, several choices and free text", async () => {
    const extras = { ...databases, question: "Which extras?", header: "Extras", multiSelect: true };
    const input = { questions: [databases, extras] };
    world.model.respondWith(scriptTurns({ "GO-ASK": [{ tools: [{ name: "AskUserQuestion", input }] }] }));
    const terminal = await openSession();
    await terminal.submit("GO-ASK");
    const question = await openQuestion(world.rookery);
    await answer(question, { answers: [["DuckDB, in a file"], ["Postgres", "SQLite"]] });
    const told = await nextRequest('\\"Which DB?\\"=\\"DuckDB, in a file\\"');
    expect(told.text).toContain('\\"Which extras?\\"=\\"Postgres, SQLite\\"');
    await waitForOutcome(world.rookery, question.id, { verdict: "confirmed" });
    await terminal.waitForScreen("DONE");
    await cardShows(question.id, "DuckDB, in a file; Postgres, SQLite");
  });

  it("a permission, once", async () => {
    world.model.respondWith(scriptTurns({ "GO-RUN": [{ tools: [bash("mkdir once")] }] }));
    const terminal = await openSession();
    await terminal.submit("GO-RUN");
    const question = await openQuestion(world.rookery);
    expect(question).toMatchObject({ kind: "permission", sessionRule: "Bash(mkdir once)" });
    await terminal.waitForScreen(/Do you want to proceed/);
    expect(existsSync(join(world.project, "once"))).toBe(false);
    await answer(question, { allow: "once" });
    const screen = await terminal.waitForScreen("DONE");
    expect(screen).not.toMatch(/Do you want to proceed|hook error/i);
    expect(existsSync(join(world.project, "once"))).toBe(true);
    const ended = await waitForOutcome(world.rookery, question.id, { verdict: "confirmed" });
    expect(ended.outcome).toBe(`Allowed once ${elsewhere().who}.`);
    await cardShows(question.id, `✓ Allowed once ${elsewhere().who}.`);
  });

  it.runIf(isLong)(
    "a permission for the session: by the narrow rule, which allows nothing else",
    async () => {
      const file = join(world.project, "notes.txt");
      const write = (content: string) => ({
        tools: [{ name: "Write", input: { file_path: file, content } }],
      });
      world.model.respondWith(
        scriptTurns({
          "GO-DIRS": [
            { tools: [bash("mkdir one")] },
            { tools: [bash("mkdir one")] },
            { tools: [bash("mkdir two")] },
          ],
          "GO-FILE": [write("first"), write("second")],
        }),
      );
      const terminal = await openSession();
      await terminal.submit("GO-DIRS");
      const first = await openQuestion(world.rookery);
      await answer(first, { allow: "session" });
      const ended = await waitForOutcome(world.rookery, first.id, { verdict: "confirmed" });
      expect(ended.outcome).toBe(`Allowed for the session ${elsewhere().who}: Bash(mkdir one)`);
      await cardShows(first.id, `✓ Allowed for the session ${elsewhere().who}: Bash(mkdir one)`);
      const second = await openQuestion(world.rookery);
      // The same command ran again without asking; another one did not.
      expect(second.subject?.text).toBe("mkdir two");
      expect((await listQuestions(world.rookery)).at(-2)?.id).toBe(first.id);
      expect(existsSync(join(world.project, "two"))).toBe(false);
      await answer(second, { deny: "one is enough" });
      await terminal.waitForScreen("DONE");
      await terminal.submit("GO-FILE");
      const third = await openQuestion(world.rookery);
      expect(third).toMatchObject({ sessionRule: `Edit(/${file})`, subject: { text: `${file}\n+first` } });
      await answer(third, { allow: "session" });
      await waitFor(() => existsSync(file) && readFileSync(file, "utf8") === "second");
      expect((await listQuestions(world.rookery)).at(-1)?.id).toBe(third.id);
    },
  );

  it("a permission denied: the model reads the reason, nothing ran, and the reason is remembered", async () => {
    world.model.respondWith(scriptTurns({ "GO-RUN": [{ tools: [bash("mkdir never")] }] }));
    const terminal = await openSession();
    await terminal.submit("GO-RUN");
    const question = await openQuestion(world.rookery);
    const reason = "Never create folders in this repository, use the scratch area instead";
    await answer(question, { deny: reason });
    await nextRequest(reason);
    const screen = await terminal.waitForScreen("DONE");
    expect(screen).not.toMatch(/Do you want to proceed|hook error/i);
    const ended = await waitForOutcome(world.rookery, question.id, { verdict: "confirmed" });
    expect(ended.outcome).toBe(`Denied ${elsewhere().who}: ${reason}`);
    await cardShows(question.id, `✓ Denied ${elsewhere().who}: ${reason}`);
    expect(existsSync(join(world.project, "never"))).toBe(false);
    const isRemembered = () =>
      world.rookery
        .query("SELECT title FROM observations WHERE provenance = 'answer' AND type = 'preference'")
        .some(({ title }) => title.includes("Never create folders"));
    await waitFor(isRemembered, { describe: "the reason in memory" });
  });

  it.runIf(isLong)("a plan approved", async () => {
    const plan = "# Plan\n\n1. Do it";
    world.model.respondWith((request) => {
      // The host names the file of the plan.
      const file = /\/[^\s"\\]*\.claude\/plans\/[^\s"\\]*\.md/.exec(request.text)?.[0];
      const write = { name: "Write", input: { file_path: file, content: plan } };
      const steps = [{ tools: [write] }, { tools: [{ name: "ExitPlanMode", input: {} }] }];
      return scriptTurns({ "GO-PLAN": steps })(request);
    });
    const terminal = await openSession(["--permission-mode", "plan"]);
    await terminal.submit("GO-PLAN");
    const question = await openQuestion(world.rookery);
    expect(question).toMatchObject({ kind: "plan", subject: { format: "markdown", text: plan } });
    await answer(question, { allow: "once" });
    await nextRequest("approved your plan");
    await terminal.waitForScreen("DONE");
    const ended = await waitForOutcome(world.rookery, question.id, { verdict: "confirmed" });
    expect(ended.outcome).toBe(`Approved ${elsewhere().who}.`);
    await cardShows(question.id, `✓ Approved ${elsewhere().who}.`);
  });

  it.runIf(isLong)(
    "while the daemon is killed and restarted: the hook finds it, and the answer counts",
    async () => {
      world.model.respondWith(scriptTurns({ "GO-ASK": [ask] }));
      const terminal = await openSession();
      await terminal.submit("GO-ASK");
      const question = await openQuestion(world.rookery);
      const [hook] = await waitingHooks(terminal);
      await world.rookery.kill9();
      await terminal.waitForScreen("Which DB?");
      await waitFor(
        async () =>
          (await world.rookery.call("GET", "/api/status").catch(() => undefined))?.json.waiting === 1,
        { describe: "the hook to come back" },
      );
      expect(await waitingHooks(terminal)).toEqual([hook]);
      await answer(question, { answers: [["SQLite"]] });
      await nextRequest('\\"Which DB?\\"=\\"SQLite\\"');
      await terminal.waitForScreen("DONE");
      await waitForOutcome(world.rookery, question.id, { verdict: "confirmed" });
      await cardShows(question.id, `✓ Answered ${elsewhere().who}: SQLite`);
      expect((await listQuestions(world.rookery)).at(-1)?.id).toBe(question.id);
    },
  );

  it.runIf(isLong)("two sessions at once: each gets its own answer", async () => {
    world.model.respondWith(scriptTurns({ "GO-ASK": [ask] }));
    const first = await openSession();
    const second = await openSession();
    await first.submit("GO-ASK");
    const [asked] = await openQuestions(world.rookery, 1);
    await second.submit("GO-ASK");
    const other = (await openQuestions(world.rookery, 2)).find(({ id }) => id !== asked?.id);
    if (!asked || !other) throw new Error("two questions");
    expect([asked.agent, other.agent]).toEqual(["project-rook", "project-jay"]);
    await answer(other, { answers: [["SQLite"]] });
    const told = await nextRequest('\\"Which DB?\\"=\\"SQLite\\"');
    expect(told.sessionId).toBe(other.session);
    await first.waitForScreen("Which DB?");
    await answer(asked, { answers: [["Postgres"]] });
    expect((await nextRequest('\\"Which DB?\\"=\\"Postgres\\"')).sessionId).toBe(asked.session);
    await waitForOutcome(world.rookery, asked.id, { verdict: "confirmed" });
    await waitForOutcome(world.rookery, other.id, { verdict: "confirmed" });
    await cardShows(asked.id, "Postgres");
    await cardShows(other.id, "SQLite");
  });
});

describe("asked elsewhere, answered in the terminal", () => {
  it("a choice: the question shows the terminal's answer, and the hook is released", async () => {
    world.model.respondWith(scriptTurns({ "GO-ASK": [ask] }));
    const terminal = await openSession();
    await terminal.submit("GO-ASK");
    const question = await openQuestion(world.rookery);
    await terminal.waitForScreen("Which DB?");
    await terminal.answer("Enter to select", "Enter");
    await nextRequest('\\"Which DB?\\"=\\"Postgres\\"');
    const ended = await waitForOutcome(world.rookery, question.id, { state: "answered" });
    expect(ended).toMatchObject({ outcome: "Answered in the terminal: Postgres", verdict: null });
    await cardShows(question.id, "✓ Answered in the terminal: Postgres");
    const late = await postAnswer(person, world.rookery, question.id, { answers: [["SQLite"]] });
    expect(late).toMatchObject({ status: 409, json: { message: "Answered in the terminal: Postgres" } });
    await hooksAreGone(terminal);
  });

  it.runIf(isLong)("a permission", async () => {
    world.model.respondWith(scriptTurns({ "GO-RUN": [{ tools: [bash("mkdir there")] }] }));
    const terminal = await openSession();
    await terminal.submit("GO-RUN");
    const question = await openQuestion(world.rookery);
    await terminal.waitForScreen(/Do you want to proceed/);
    await terminal.answer("Do you want to proceed", "Enter");
    const ended = await waitForOutcome(world.rookery, question.id, { state: "answered" });
    expect(ended.outcome).toBe("Allowed in the terminal.");
    await cardShows(question.id, "✓ Allowed in the terminal.");
    await hooksAreGone(terminal);
  });

  it("Esc", async () => {
    world.model.respondWith(scriptTurns({ "GO-RUN": [{ tools: [bash("mkdir never")] }] }));
    const terminal = await openSession();
    await terminal.submit("GO-RUN");
    const question = await openQuestion(world.rookery);
    await terminal.waitForScreen(/Do you want to proceed/);
    await terminal.answer("Do you want to proceed", "Escape");
    const ended = await waitForOutcome(world.rookery, question.id, { state: "declined" });
    expect(ended.outcome).toBe("Declined in the terminal.");
    await cardShows(question.id, "✗ Declined in the terminal.");
    await hooksAreGone(terminal);
    expect(existsSync(join(world.project, "never"))).toBe(false);
  });

  it.runIf(isLong)("the end of the session", async () => {
    world.model.respondWith(scriptTurns({ "GO-ASK": [ask] }));
    const terminal = await openSession();
    await terminal.submit("GO-ASK");
    const question = await openQuestion(world.rookery);
    await terminal.waitForScreen("Which DB?");
    await terminal.close();
    const ended = await waitForOutcome(world.rookery, question.id, { state: "cancelled" });
    expect(ended.outcome).toMatch(/^No longer asked: the session (ended|is gone)\.$/);
    await cardShows(question.id, `– ${ended.outcome}`);
    await world.waitUntilOnlyDaemon();
  });
});
