import { expect, test } from "vitest";
import { openTurnAssembler } from "../../domain/transcript/assemble-turns.ts";
import { transcripts } from "./transcripts.ts";

let second = 10;
const line = (type: string, payload: object): string =>
  JSON.stringify({ timestamp: `2026-02-01T10:00:${second++}.000Z`, type, payload });
const event = (type: string, fields: object = {}): string => line("event_msg", { type, ...fields });
const prompt = (message: string): string => event("user_message", { message, images: [] });
const say = (message: string): string => event("agent_message", { message });
const item = (type: string, fields: object): string => line("response_item", { type, ...fields });
let calls = 0;
/** A call and its result. */
function call(name: string, args: object, output: unknown, more: object = {}): string[] {
  const call_id = `call_${++calls}`;
  return [
    item("function_call", { name, arguments: JSON.stringify(args), call_id, ...more }),
    item("function_call_output", { call_id, output }),
  ];
}
const patch = "*** Begin Patch\n*** Add File: src/pool.ts\n+export const size = 4;\n*** End Patch";

function readTurns(lines: readonly string[]) {
  const assembler = openTurnAssembler();
  const wanted = lines.filter((each) => transcripts.mayHaveEntries(each.slice(0, transcripts.headLength)));
  const entries = wanted.flatMap((each) => transcripts.readLine(each));
  const turns = [...entries.flatMap((entry) => assembler.push(entry)), ...assembler.flush()];
  return turns.map(({ prompt, final, outcome, steps }) => ({
    prompt,
    final,
    outcome,
    steps: steps.map((step) =>
      step.kind === "tool" ? [step.tool, step.target, step.output, step.failed] : [step.kind],
    ),
  }));
}

test("turns of versions that name neither the turn nor its end", () => {
  const json = (output: string, exit_code: number) => JSON.stringify({ output, metadata: { exit_code } });
  const lines = [
    line("session_meta", { id: "s", cwd: "/shop", cli_version: "0.44.0" }),
    item("message", { role: "user", content: [{ type: "input_text", text: "<environment_context>" }] }),
    item("message", { role: "user", content: [{ type: "input_text", text: "Look." }] }),
    prompt("Look."),
    say("I will look."),
    item("message", { role: "assistant", content: [{ type: "output_text", text: "I will look." }] }),
    ...call("shell", { command: ["bash", "-lc", "npm test"] }, json("1 failed\n", 1)),
    ...call("shell", { command: ["bash", "-lc", `apply_patch <<'E'\n${patch}\nE`] }, json("Success.\n", 0)),
    ...call("rookery__agents_list", {}, '[{"text":"nobody","type":"text"}]'),
    event("token_count"),
    say("It has 4 connections."),
    prompt("And now?"),
    say("Nothing."),
  ];
  expect(readTurns(lines)).toEqual([
    {
      prompt: "Look.",
      final: "It has 4 connections.",
      outcome: "completed",
      steps: [
        ["say"],
        ["Bash", "npm test", "1 failed\n", true],
        ["apply_patch", "src/pool.ts", "Success.\n", false],
        ["mcp__rookery__agents_list", "", '[{"text":"nobody","type":"text"}]', false],
      ],
    },
    { prompt: "And now?", final: "Nothing.", outcome: "completed", steps: [] },
  ]);
});

test("turns of later versions, with the exit code above the output", () => {
  const ran = (code: number, output: string): string =>
    `Command: /bin/bash -lc 'npm test'\nChunk ID: 738fee\nWall time: 0.0 seconds\nProcess exited with code ${code}\nOutput:\n${output}`;
  const patched = "Wall time: 0.0 seconds\nOutput:\nExit code: 0\nWall time: 0 seconds\nOutput:\nSuccess.\n";
  const custom = { name: "apply_patch", input: patch, call_id: "custom_1" };
  const lines = [
    event("task_started", { turn_id: "t" }),
    prompt("Look."),
    ...call("exec_command", { cmd: "npm test" }, ran(3, "1 failed\n")),
    ...call("exec_command", { cmd: `apply_patch <<'E'\n${patch}\nE` }, patched),
    event("patch_apply_end", { success: true }),
    ...call("agents_list", {}, [{ type: "input_text", text: "nobody" }], { namespace: "mcp__rookery" }),
    ...call("shell_command", { command: "ls" }, "Exit code: 0\nWall time: 0 seconds\nOutput:\na.ts\n"),
    item("custom_tool_call", custom),
    item("custom_tool_call_output", { call_id: "custom_1", output: "Exit code: 1\nOutput:\nno such file" }),
    event("turn_aborted", { reason: "interrupted" }),
    prompt("Rookery: 1 new message from shop-jay. It follows."),
    say("Read."),
    event("task_complete", { turn_id: "u" }),
  ];
  expect(readTurns(lines)).toEqual([
    {
      prompt: "Look.",
      final: "",
      outcome: "interrupted",
      steps: [
        ["Bash", "npm test", "1 failed\n", true],
        ["apply_patch", "src/pool.ts", "Success.\n", false],
        ["mcp__rookery__agents_list", "", "nobody", false],
        ["Bash", "ls", "a.ts\n", false],
        ["apply_patch", "src/pool.ts", "no such file", true],
      ],
    },
    {
      prompt: "Rookery: 1 new message from shop-jay. It follows.",
      final: "Read.",
      outcome: "completed",
      steps: [],
    },
  ]);
});

test("a line with `ordinal` is in a session whose calls are items, so its calls are not read twice", () => {
  const lines = [...call("exec_command", { cmd: "ls" }, "a.ts"), prompt("Look.")].map((each) =>
    each.replace('"type"', '"ordinal":3,"type"'),
  );
  expect(lines.map((each) => transcripts.mayHaveEntries(each))).toEqual([false, false, false]);
  expect(lines.flatMap((each) => transcripts.readLine(each))).toEqual([]);
});

test("values of another type throw no error", () => {
  const lines = [
    ...call("exec_command", { cmd: 7 }, { odd: true }),
    item("function_call", { name: null, arguments: "{", call_id: 7 }),
    item("local_shell_call", { action: "ls" }),
    item("custom_tool_call", {}),
    event("user_message", { message: [] }),
    ...call("shell", {}, "Wall time: 1\nOutput:\n".repeat(1_000)),
  ];
  expect(() => lines.flatMap((each) => transcripts.readLine(each))).not.toThrow();
});
