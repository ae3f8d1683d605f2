import { expect, test } from "vitest";
import { claudeCode } from "../../hosts/claude-code/claude-code.ts";
import { makeExclusion } from "./exclude.ts";
import { prepareEvent } from "./prepare-event.ts";

const key = ["AKIA", "Z3MK7QX5WJ2PLT4V"].join("");
const exclusion = makeExclusion([".env", "secrets/**"]);
const prepare = (text: string) =>
  prepareEvent(new TextEncoder().encode(text), "PostToolUse", claudeCode, { fieldLimit: 64_000, exclusion });
const deep = (levels: number, inner: string): string =>
  `${'{"a":'.repeat(levels)}${inner}${"}".repeat(levels)}`;

test.each([
  ["as a value", `{"session_id":"s","tool_input":{"x":"${key}"}}`],
  ["as a key", `{"session_id":"s","tool_input":{"${key}":1}}`],
  ["twice under one name, of which a parser keeps the last", `{"session_id":"s","x":"${key}","x":"fine"}`],
  ["under a name that an object cannot hold", `{"session_id":"s","__proto__":{"x":"${key}"}}`],
  ["deeper than anybody looks", `{"session_id":"s","tool_input":${deep(300, `"${key}"`)}}`],
  ["in the prompt", `{"session_id":"s","prompt":"use ${key} please"}`],
  ["in the answer", `{"session_id":"s","last_assistant_message":"it is ${key}"}`],
])("a secret %s is not stored", (_where, text) => {
  expect(JSON.stringify(prepare(text))).not.toContain(key);
});

test("our own injected blocks and private spans are not stored", () => {
  const text = 'before <rookery-memory project="p">OLD NOTE</rookery-memory> <private>HUSH</private> after';
  const stored = JSON.stringify(prepare(JSON.stringify({ session_id: "s", prompt: text })));
  expect(stored).not.toMatch(/OLD NOTE|HUSH/);
  expect(stored).toContain("after");
});

test("ids that link rows are left unchanged", () => {
  const ids = {
    session_id: "30496c1f-33f3-4d4f-a4ae-a80ee267d244",
    tool_use_id: "toolu_cfec1a9943f39ecfb6235166",
    prompt_id: "88bd8815-8e04-4540-b37e-f712dae9b639",
  };
  expect(prepare(JSON.stringify(ids))).toMatchObject({
    sessionId: ids.session_id,
    toolUseId: ids.tool_use_id,
    promptId: ids.prompt_id,
  });
});

test.each([
  ["", "invalid_json"],
  ["{", "invalid_json"],
  ["[]", "invalid_payload"],
  ["{}", "invalid_payload"],
  ['{"session_id":""}', "invalid_payload"],
  ['{"session_id":"s","cwd":7}', "invalid_payload"],
  ['{"session_id":null}', "invalid_payload"],
  ["null", "invalid_payload"],
])("%j is refused as %s", (text, code) => {
  expect(() => prepare(text)).toThrowError(expect.objectContaining({ code }));
});

test("null fields are dropped", () => {
  const prepared = prepare(
    JSON.stringify({
      session_id: "s",
      transcript_path: null,
      cwd: null,
      model: null,
      permission_mode: null,
      last_assistant_message: null,
      prompt: null,
      tool_use_id: null,
      agent_id: null,
      source: null,
      tool_input: { kept: null },
    }),
  );
  expect(prepared).toMatchObject({
    sessionId: "s",
    transcriptPath: undefined,
    lastAssistantMessage: undefined,
  });
  expect(JSON.parse(prepared.payload)).toEqual({ session_id: "s", tool_input: { kept: null } });
});
