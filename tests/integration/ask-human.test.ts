import { setTimeout } from "node:timers/promises";
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ElicitRequestSchema, type ElicitResult } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  launcher,
  openQuestion,
  openQuestions,
  postAnswer,
  waitForOutcome,
} from "../support/person-elsewhere.ts";
import { isLong } from "../support/long.ts";
import { waitFor } from "../support/processes.ts";
import { makePayload, type Rookery } from "../support/rookery.ts";
import { useOutside } from "../support/use-outside.ts";
import { useRookeriesWithoutRooms } from "../support/use-rookery.ts";

const person = useOutside();
const shared = useRookeriesWithoutRooms(afterAll);
const rookeries = useRookeriesWithoutRooms();
let rookery: Rookery;
beforeAll(async () => {
  rookery = await shared.started({ ROOKERY_ASK_ALWAYS: "true" });
});

const clients: Client[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

/** The test is the host: this process is the parent of the MCP server. */
beforeEach(() => tell("SessionStart", { source: "startup" }));
const tell = (event: string, fields: Record<string, unknown> = {}, of = rookery) =>
  of.hook(event, makePayload(event, fields));
const isHere = () => tell("UserPromptSubmit", { prompt: "hello" });

type Form = (message: string, signal: AbortSignal) => Promise<ElicitResult>;

async function connect(form?: Form, of = rookery): Promise<Client> {
  const client = new Client(
    { name: "test", version: "1" },
    { capabilities: form ? { elicitation: {} } : {} },
  );
  if (form)
    client.setRequestHandler(ElicitRequestSchema, ({ params }, { signal }) => form(params.message, signal));
  clients.push(client);
  const [command = "", ...args] = launcher;
  await client.connect(
    new StdioClientTransport({ command, args: [...args, "mcp"], env: of.env, stderr: "ignore" }),
  );
  return client;
}

const ask = async (
  client: Client,
  more: Record<string, unknown> = {},
  signal?: AbortSignal,
): Promise<string> => {
  const args = { question: "Which DB?", options: ["Postgres", "SQLite"], ...more };
  const result: any = await client.callTool(
    { name: "ask_human", arguments: args },
    undefined,
    signal ? { signal } : {},
  );
  return result.content[0].text;
};

const answer = (id: string, said: object, of = rookery) => postAnswer(person, of, id, said);
const inbox = async () => {
  const { agent } = (await rookery.call("GET", "/api/sessions/s-1")).json;
  return (await rookery.call("GET", `/api/deliveries?agent=${agent}`)).json.deliveries;
};
const never = (signal: AbortSignal) =>
  new Promise<ElicitResult>((_, reject) =>
    signal.addEventListener("abort", () => reject(new Error("withdrawn"))),
  );

describe("ask_human", () => {
  it("away: is sent at once, and the answer returns with its author; it is remembered, and not sent twice", async () => {
    const client = await connect();
    const asking = ask(client, {
      question: "Which database for the audit log?",
      context: "The log grows fast.",
    });
    const question = await openQuestion(rookery);
    expect(question).toMatchObject({
      kind: "choice",
      context: "The log grows fast.",
      prompts: [
        { text: "Which database for the audit log?", options: [{ label: "Postgres" }, { label: "SQLite" }] },
      ],
      session: "s-1",
    });
    await answer(question.id, { answers: [["SQLite"]], by: "Ada" });
    expect(await asking).toBe("Answered by Ada (the viewer): SQLite");
    const notes = rookery.query("SELECT type, title FROM observations WHERE provenance = 'answer'");
    expect(notes).toEqual([{ type: "decision", title: "Which database for the audit log? → SQLite" }]);
    expect(
      rookery.query("SELECT 1 FROM questions WHERE id = ? AND handed_at IS NOT NULL", question.id),
    ).toHaveLength(1);
    expect(await inbox()).toEqual([]);
  });

  it("here: the host's dialog answers first, and the question records it", async () => {
    await isHere();
    const client = await connect(async () => ({ action: "accept", content: { choice: "Postgres" } }));
    expect(await ask(client)).toBe("Answered in the terminal: Postgres");
  });

  it("here: another place answers first, and the dialog is withdrawn", async () => {
    await isHere();
    const seen: AbortSignal[] = [];
    const client = await connect((_, signal) => {
      seen.push(signal);
      return never(signal);
    });
    const asking = ask(client);
    await waitFor(() => seen.length === 1, { describe: "the dialog" });
    const question = await openQuestion(rookery);
    await answer(question.id, { answers: [["something else"]] });
    expect(await asking).toBe("Answered in the viewer: something else");
    await waitFor(() => seen[0]?.aborted, { describe: "the dialog to be withdrawn" });
  });

  it.each([
    [
      "own words over the choice",
      false,
      { choice: "Postgres", answer: "DuckDB" },
      "Answered in the terminal: DuckDB",
    ],
    ["several", true, { choice: ["Postgres", "SQLite"] }, "Answered in the terminal: Postgres, SQLite"],
    ["nothing filled in", false, {}, "Declined in the terminal."],
  ])("here: %s", async (_, multi, content, text) => {
    await isHere();
    const client = await connect(async () => ({ action: "accept", content }));
    expect(await ask(client, { multi })).toBe(text);
  });

  it("here: the dialog is dismissed", async () => {
    await isHere();
    const client = await connect(async () => {
      await setTimeout(700); // A person reads it.
      return { action: "cancel" };
    });
    expect(await ask(client)).toBe("Declined in the terminal.");
  });

  it("here: a host that dismisses the dialog at once has not asked the person", async () => {
    await isHere();
    const client = await connect(async () => ({ action: "decline" }));
    const asking = ask(client);
    const question = await openQuestion(rookery);
    expect((await answer(question.id, { answers: [["SQLite"]] })).status).toBe(200);
    expect(await asking).toBe("Answered in the viewer: SQLite");
  });

  it("does not wait: the answer arrives in the inbox, also after /clear", async () => {
    const client = await connect();
    const text = await ask(client, { wait: false });
    const question = await openQuestion(rookery);
    expect(text).toContain(question.id);
    await tell("SessionEnd", { reason: "clear" });
    await tell("SessionStart", { session_id: "s-2", source: "clear" });
    await answer(question.id, { answers: [["SQLite"]], by: "Ada" });
    const { stdout } = await tell("UserPromptSubmit", {
      session_id: "s-2",
      prompt: "go on",
      prompt_id: "p-9",
    });
    expect(stdout).toContain("Which DB?");
    expect(stdout).toContain("Answered by Ada (the viewer): SQLite");
    expect(stdout).toContain('kind=\\"answer\\" from=\\"Ada\\" via=\\"viewer\\"');
    expect(stdout).toContain("your user's own answer");
    expect(stdout).not.toMatch(/colleague|not consent/);
  });

  it.runIf(isLong)("delivers the answer to the inbox if its MCP server has exited", async () => {
    const before = (await inbox()).length;
    const client = await connect();
    const asking = ask(client).catch(() => "broken off");
    const question = await openQuestion(rookery);
    await client.close();
    expect(await asking).toBe("broken off");
    await answer(question.id, { answers: [["SQLite"]] });
    await waitFor(async () => (await inbox()).length === before + 1, { describe: "the answer in the inbox" });
  });

  it("interrupted with Esc is declined", async () => {
    const client = await connect();
    const esc = new AbortController();
    const asking = ask(client, {}, esc.signal).catch(() => "broken off");
    const question = await openQuestion(rookery);
    esc.abort();
    expect(await asking).toBe("broken off");
    await waitForOutcome(rookery, question.id, { state: "declined" });
  });

  it("reports that it was not answered", async () => {
    const short = await rookeries.started({ ROOKERY_ASK_ALWAYS: "true", ROOKERY_ASK_WAIT_SECONDS: "1" });
    await tell("SessionStart", {}, short);
    expect(await ask(await connect(undefined, short))).toBe("No answer in time.");
  });

  it("waiting while the daemon is killed: reports that the question stays open", async () => {
    const mortal = await rookeries.started({ ROOKERY_ASK_ALWAYS: "true" });
    await tell("SessionStart", {}, mortal);
    const asking = ask(await connect(undefined, mortal));
    const question = await openQuestion(mortal);
    await mortal.kill9();
    expect(await asking).toContain(`question ${question.id} stays open`);
    await openQuestion(mortal); // The MCP process has restarted the daemon.
  });

  it.runIf(isLong)(
    "survives a daemon restart: the question is still open, and the answer arrives in the inbox",
    async () => {
      const mortal = await rookeries.started({ ROOKERY_ASK_ALWAYS: "true" });
      await tell("SessionStart", {}, mortal);
      const client = await connect(undefined, mortal);
      await ask(client, { wait: false });
      await mortal.kill9();
      await mortal.start();
      const question = await openQuestion(mortal);
      await answer(question.id, { answers: [["SQLite"]] }, mortal);
      await waitFor(() => mortal.query("SELECT 1 FROM deliveries WHERE kind = 'answer'").length === 1);
    },
  );

  it("notify_human reports that no channel will show the news", async () => {
    const client = await connect();
    const result: any = await client.callTool({
      name: "notify_human",
      arguments: { message: "All is done" },
    });
    expect(result.content[0].text).toBe("Not sent: no channel is set up. Tell the user in your message.");
  });
});

describe("the command line", () => {
  const run = (...args: string[]) => person.run([...launcher, ...args], rookery.env);

  it("asks, lists, shows and answers", async () => {
    const asking = rookery.cli("ask", "Deploy?", "--option", "yes", "--option", "not today", "--wait");
    const question = await openQuestion(rookery);
    const id = question.id.slice(-8);
    expect((await rookery.cli("questions")).stdout).toMatch(
      new RegExp(`^${id} .*someone at the terminal .*Deploy\\?`, "m"),
    );
    expect((await rookery.cli("questions", id)).stdout).toContain("2. not today");
    expect(await run("answer", id, "--allow")).toMatchObject({ code: 2 });
    expect(await run("answer", id)).toMatchObject({ code: 2 });
    expect(await run("answer", id, "9")).toMatchObject({
      ...{
        code: 2,
        stderr: expect.stringContaining("There is no option 9: answer with a number from 1 to 2"),
      },
    });
    expect(await run("answer", id, "2")).toMatchObject({
      code: 0,
      stdout: "Answered on the command line: not today\n",
    });
    expect(await run("answer", id, "1")).toMatchObject({ code: 5 });
    expect(await asking).toMatchObject({ code: 0, stdout: "not today\n" });
    expect((await rookery.cli("questions")).stdout).toBe("No open questions.\n");
    expect((await rookery.cli("questions", "--all")).stdout).toContain("not today");
    expect(await rookery.cli("notify", "hello")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("Not sent: no channel is set up."),
    });
  });

  it("refuses an answer from a process that an agent started", async () => {
    const asked = await rookery.cli("ask", "May I?", "--json");
    const { id } = JSON.parse(asked.stdout);
    rookery.env.CLAUDECODE = "1";
    const refused = await rookery.cli("answer", id, "yes");
    delete rookery.env.CLAUDECODE;
    expect(refused).toMatchObject({ code: 3, stdout: "" });
    await openQuestions(rookery, 1);
    const forged = await answer(id, { answers: [["yes"]], place: "terminal" });
    expect(forged).toMatchObject({ status: 403, json: { code: "may_not_decide" } });
    await run("answer", id, "no");
  });
});

it("is not answered with a key that can be computed from the token, nor in the name of another", async () => {
  const asked = { question: "Which DB?", options: ["Postgres", "SQLite"], wait: false };
  const { json } = await rookery.call("POST", "/api/questions", asked);
  const { id } = json.question;
  const token = readFileSync(rookery.home.token, "utf8").trim();
  const computed = createHmac("sha256", token).update(id).digest("hex");
  const give = (key: string) =>
    rookery.call("POST", `/api/questions/${id}/answer`, {
      ...{ answers: [["SQLite"]], place: "terminal", by: "Ada" },
      key,
    });
  expect(await give(computed)).toMatchObject({ status: 403, json: { code: "may_not_decide" } });
  expect(await give(json.key)).toMatchObject({ status: 200, json: { state: "answered" } });
  expect(rookery.query("SELECT answered_by FROM questions WHERE id = ?", id)).toEqual([
    { answered_by: "the user" },
  ]);
});

it("can be answered by its asker after the daemon was killed", async () => {
  const own = await rookeries.started();
  const { json } = await own.call("POST", "/api/questions", { question: "Which DB?", wait: true });
  await own.kill9();
  await own.start();
  const answer = { answers: [["SQLite"]], place: "terminal", key: json.key };
  const path = `/api/questions/${json.question.id}/answer`;
  expect(await own.call("POST", path, answer)).toMatchObject({ status: 200, json: { state: "answered" } });
});
