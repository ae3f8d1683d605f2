import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { openCodexWorld } from "../support/codex.ts";
import { openCopilotWorld } from "../support/copilot.ts";
import { openGeminiWorld } from "../support/gemini.ts";
import { someRows } from "../support/long.ts";
import type { ModelStep } from "../support/model-server.ts";
import { openOpenCodeWorld } from "../support/opencode.ts";
import { launcher, listQuestions, openQuestion } from "../support/person-elsewhere.ts";
import { openQwenWorld } from "../support/qwen.ts";
import type { Rookery } from "../support/rookery.ts";
import { useOutside } from "../support/use-outside.ts";
import { useRookeriesWithoutRooms } from "../support/use-rookery.ts";

/** A host in which Rookery is not installed, so that only its own marks can give it away. */
interface Shell {
  env: Record<string, string>;
  project: string;
  model: { play(steps: ModelStep[]): void; requests: { text: string }[] };
  prompt(text: string): Promise<unknown>;
  close(): Promise<void>;
  /** A call of its shell tool. */
  tool(command: string): { name: string; input: unknown };
}

const shells: [host: string, open: () => Promise<Shell>][] = [
  [
    "Codex",
    async () => ({
      ...(await openCodexWorld()),
      tool: (cmd) => ({ name: "exec_command", input: { cmd, yield_time_ms: 30_000 } }),
    }),
  ],
  ["OpenCode", async () => ({ ...(await openOpenCodeWorld()), tool: describedBash })],
  ["Copilot CLI", async () => ({ ...(await openCopilotWorld()), tool: describedBash })],
  ["Qwen Code", async () => ({ ...(await openQwenWorld()), tool: runShellCommand })],
  ["Gemini CLI", async () => ({ ...(await openGeminiWorld()), tool: runShellCommand })],
];
function describedBash(command: string) {
  return { name: "bash", input: { command, description: "try" } };
}
function runShellCommand(command: string) {
  return { name: "run_shell_command", input: { command, is_background: false } };
}

const person = useOutside();
const { started } = useRookeriesWithoutRooms(afterAll);
let rookery: Rookery;
let question: string;
beforeAll(async () => {
  rookery = await started();
  const asked = { question: "Delete the database?", options: ["Yes", "No"] };
  expect((await rookery.call("POST", "/api/questions", asked)).status).toBe(201);
  question = (await openQuestion(rookery)).id;
});

let shell: Shell | undefined;
afterEach(() => shell?.close());

/** Runs each decision in a terminal of its own, which it needs, and once more without the host's variables. */
function writeScript(folder: string): string {
  const script = join(folder, "decide.sh");
  const acts = ["pair matrix", `answer ${question} Yes`].flatMap((act) => {
    const inTerminal = `script -qec '${launcher.join(" ")} ${act}' /dev/null; echo "exit $?"`;
    const { PATH, HOME, ROOKERY_HOME, ROOKERY_NODE } = rookery.env;
    const bare = `env -i PATH='${PATH}' HOME='${HOME}' ROOKERY_HOME='${ROOKERY_HOME}' ROOKERY_NODE='${ROOKERY_NODE}'`;
    return [inTerminal, `${bare} ${inTerminal}`];
  });
  writeFileSync(script, `${acts.join("\n")}\n`);
  return script;
}

test.each(someRows(shells))(
  "the shell tool of %s can neither pair nor answer",
  async (_, open) => {
    shell = await open();
    shell.env.ROOKERY_HOME = rookery.home.root;
    shell.model.play([{ tools: [shell.tool(`sh ${writeScript(shell.project)}`)] }]);
    await shell.prompt("Try it.");
    const { text = "" } = shell.model.requests.at(-1) ?? {};
    expect(text.match(/exit \d+/g)).toEqual(Array.from({ length: 4 }, () => "exit 3"));
    expect((await listQuestions(rookery)).find(({ id }) => id === question)?.state).toBe("open");
    expect((await rookery.call("GET", "/api/pairings")).json).toMatchObject({ people: [], pending: [] });
  },
  120_000,
);

test("the person can", async () => {
  const ran = await person.run([...launcher, "answer", question, "Yes"], rookery.env);
  expect(ran).toMatchObject({ code: 0 });
});
