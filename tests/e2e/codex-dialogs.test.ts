import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CodexWorld, openCodexWorld } from "../support/codex.ts";
import { openQuestion, postAnswer, waitForOutcome } from "../support/person-elsewhere.ts";
import { openRookery, type Rookery } from "../support/rookery.ts";
import type { ApiRequest } from "../support/scripted-api.ts";
import { listOurLines, type Terminal } from "../support/terminal.ts";
import { useOutside } from "../support/use-outside.ts";

const person = useOutside();
let rookery: Rookery;
let world: CodexWorld;
let terminal: Terminal;
/** One session for all, in Codex's background process. */
beforeAll(async () => {
  world = await openCodexWorld();
  const { PATH = "", HOME = "" } = world.env;
  rookery = openRookery({ PATH, HOME });
  world.env.ROOKERY_HOME = rookery.home.root;
  const config = join(world.home, ".codex", "config.toml");
  const policy = 'approval_policy = "on-request"\nsandbox_mode = "read-only"\n';
  const features = "[features]\ndefault_mode_request_user_input = true\n";
  writeFileSync(config, `${policy}${readFileSync(config, "utf8")}${features}`);
  await rookery.start();
  expect(await rookery.cli("install", "--host", "codex")).toMatchObject({ code: 0 });
  terminal = await world.sharing();
}, 120_000);
afterAll(async () => {
  await terminal.close();
  await world.endShared();
  await rookery.close();
  await world.close();
}, 60_000);

const escalated = (cmd: string) => ({
  tools: [
    {
      name: "exec_command",
      input: { cmd, sandbox_permissions: "require_escalated", justification: "to try it" },
    },
  ],
});
const patch = (file: string) =>
  `apply_patch <<'E'\n*** Begin Patch\n*** Add File: ${file}\n+export const size = 4;\n*** End Patch\nE`;
const choice = {
  tools: [
    {
      name: "request_user_input",
      input: {
        questions: [
          {
            id: "db",
            header: "DB",
            question: "Which database?",
            options: [
              { label: "Postgres", description: "a server" },
              { label: "SQLite", description: "a file" },
            ],
          },
        ],
      },
    },
  ],
};

/** One step, then the end of the turn, for the prompt with the marker. */
async function begin(marker: string, step: object): Promise<void> {
  const earlier = lastRequest()?.results.length ?? 0;
  world.model.respondWith((request) =>
    isTurn(request) && request.text.includes(marker) && request.results.length === earlier
      ? step
      : { text: `DONE-${marker}` },
  );
  await terminal.submit(`${marker} please`);
}
/** Codex also asks for a title of the prompt, beside its turn and without tools. */
const isTurn = ({ body }: ApiRequest): boolean => body.tools?.length > 0;
const lastRequest = () => world.model.requests.findLast(isTurn);
const lastResult = () => lastRequest()?.results.at(-1);
const elsewhere = { state: "answered", verdict: "confirmed" } as object;

test("a permission is answered from elsewhere while its dialog is open, and the dialog closes", async () => {
  await begin("GO-ONE", escalated("echo allowed-elsewhere"));
  const question = await openQuestion(rookery);
  expect(question).toMatchObject({
    kind: "permission",
    subject: { text: "echo allowed-elsewhere" },
    context: "to try it",
  });
  await terminal.waitForScreen("Would you like to run");
  expect((await postAnswer(person, rookery, question.id, { allow: "once" })).status).toBe(200);
  const screen = await terminal.waitForScreen("DONE-GO-ONE");
  expect(screen).not.toContain("Would you like to run");
  expect(listOurLines(screen)).toEqual([]);
  expect(lastResult()).toContain("allowed-elsewhere");
  await waitForOutcome(rookery, question.id, elsewhere);
});

test("a denial from elsewhere closes the dialog, its reason reaches the model, and the command does not run", async () => {
  const file = join(world.root, "denied");
  await begin("GO-TWO", escalated(`touch ${file}`));
  const question = await openQuestion(rookery);
  expect((await postAnswer(person, rookery, question.id, { deny: "not now" })).status).toBe(200);
  await terminal.waitForScreen("DONE-GO-TWO");
  expect(lastRequest()?.text).toContain("The user does not allow this: not now");
  expect(rookery.query("SELECT machine FROM prompts WHERE text LIKE '%: not now'")).toEqual([{ machine: 1 }]);
  expect(existsSync(file)).toBe(false);
  await waitForOutcome(rookery, question.id, elsewhere);
});

test("a permission that is answered in the terminal closes everywhere else, before its command has ended", async () => {
  const file = join(world.root, "go-on");
  await begin("GO-THREE", escalated(`while [ ! -e ${file} ]; do sleep 0.1; done`));
  const { id } = await openQuestion(rookery);
  await terminal.waitForScreen("Would you like to run");
  await terminal.answer("Would you like to run", "Enter");
  const closed = await waitForOutcome(rookery, id, { state: "answered" });
  expect(closed).toMatchObject({ answer: { allow: "once" }, answerer: { place: "terminal" } });
  writeFileSync(file, "");
  await terminal.waitForScreen("DONE-GO-THREE");
});

test("a change of files is answered from elsewhere, and shown with its text", async () => {
  const file = join(world.project, "pool.ts");
  await begin("GO-FOUR", { tools: [{ name: "exec_command", input: { cmd: patch("pool.ts") } }] });
  const question = await openQuestion(rookery);
  expect(question.subject?.text).toContain("+export const size = 4;");
  expect((await postAnswer(person, rookery, question.id, { allow: "once" })).status).toBe(200);
  await terminal.waitForScreen("DONE-GO-FOUR");
  expect(readFileSync(file, "utf8")).toBe("export const size = 4;\n");
});

test("a question is answered from elsewhere, also after the daemon was killed, and one in the terminal", async () => {
  await begin("GO-FIVE", choice);
  const first = await openQuestion(rookery);
  expect(first).toMatchObject({ kind: "choice", prompts: [{ text: "Which database?" }] });
  await rookery.kill9();
  await rookery.start();
  expect((await postAnswer(person, rookery, first.id, { answers: [["SQLite"]] })).status).toBe(200);
  await terminal.waitForScreen("DONE-GO-FIVE");
  expect(lastResult()).toContain("SQLite");
  await waitForOutcome(rookery, first.id, elsewhere);

  await begin("GO-SIX", choice);
  const second = await openQuestion(rookery);
  await terminal.waitForScreen("Which database?");
  await terminal.press("Enter");
  await terminal.waitForScreen("DONE-GO-SIX");
  const closed = await waitForOutcome(rookery, second.id, { state: "answered" });
  expect(closed).toMatchObject({ answer: { answers: [["Postgres"]] }, answerer: { place: "terminal" } });
});

test("Esc in the terminal declines the question everywhere, and the turn counts as interrupted", async () => {
  await begin("GO-SEVEN", escalated("echo never"));
  const { id } = await openQuestion(rookery);
  await terminal.waitForScreen("Would you like to run");
  await terminal.answer("Would you like to run", "Escape");
  await waitForOutcome(rookery, id, { state: "declined" });
  const last = () => rookery.query("SELECT outcome FROM turns ORDER BY started_at DESC LIMIT 1");
  expect(last()).toEqual([{ outcome: "interrupted" }]);
});
