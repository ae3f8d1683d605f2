import { afterAll, beforeAll, expect, test } from "vitest";
import { type CodexWorld, openCodexWorld } from "../support/codex.ts";
import { joinProject } from "../support/host-world.ts";
import { openOpenCodeWorld, type OpenCodeWorld } from "../support/opencode.ts";
import { openQuestion, waitForOutcome } from "../support/person-elsewhere.ts";
import { openPersonOnSlack, type PersonOnSlack } from "../support/person-on-slack.ts";
import { waitFor } from "../support/processes.ts";
import { useOutside } from "../support/use-outside.ts";
import { openWorld, type World } from "../support/world.ts";
import { waitUntilDistilled } from "../support/written-session.ts";

const person = useOutside();
let slack: PersonOnSlack;
let claude: World;
let codex: CodexWorld;
let opencode: OpenCodeWorld;
beforeAll(async () => {
  slack = await openPersonOnSlack();
  claude = await openWorld({ env: slack.env });
  await claude.rookery.start();
  await slack.pair(claude.rookery, person);
  codex = await openCodexWorld();
  opencode = await openOpenCodeWorld();
  await joinProject(codex, claude.project, claude.rookery.home.root, "codex");
  await joinProject(opencode, claude.project, claude.rookery.home.root, "opencode");
}, 120_000);
afterAll(async () => {
  await opencode.close();
  await codex.close();
  await claude.close();
  await slack.close();
});

const decision =
  "We decided to use SQLite in WAL mode for the job queue, because Redis would be one more server.";

test("Codex says it, Claude Code knows it, OpenCode asks, and the person answers in Slack", async () => {
  const { rookery } = claude;
  codex.model.play([{ text: decision }]);
  expect(await codex.prompt("Which database does the job queue use? Decide.")).toMatchObject({ code: 0 });
  await waitUntilDistilled(rookery);

  claude.model.respondWith(() => ({ text: "DONE" }));
  expect((await claude.run("Add a table for the job queue.")).code).toBe(0);
  expect(claude.model.requests[0]?.text).toContain("SQLite in WAL mode for the job queue");

  const questions = [
    {
      question: "Keep finished jobs?",
      header: "Jobs",
      options: [
        { label: "A week", description: "7 days" },
        { label: "For ever", description: "all of them" },
      ],
    },
  ];
  opencode.model.play([{ tools: [{ name: "question", input: { questions } }] }]);
  const terminal = await opencode.interactive();
  try {
    await terminal.submit("Clean up the job queue.");
    await waitFor(() => opencode.model.requests.some(({ body }) => body.tools?.length > 0), {
      timeoutMs: 150_000,
      describe: "the first request of OpenCode, which takes long to start",
    });
    const question = await openQuestion(rookery);
    expect(question).toMatchObject({ kind: "choice", prompts: [{ text: "Keep finished jobs?" }] });
    await slack.answer(rookery, question, { answers: [["A week"]] });
    await waitFor(() => opencode.model.requests.some(({ results }) => results.at(-1)?.includes("A week")), {
      describe: "the answer in a request of OpenCode",
    });
    await slack.shows(rookery, question.id, "A week");
    await waitForOutcome(rookery, question.id, { state: "answered" });
  } finally {
    await terminal.close();
  }
  const sessions = rookery.query("SELECT host, project FROM sessions ORDER BY started_at");
  expect(sessions.map(({ host }) => host)).toEqual(["codex", "claude-code", "opencode"]);
  expect(new Set(sessions.map(({ project }) => project)).size).toBe(1);
}, 400_000);
