import { expect, test } from "vitest";
import { detectHost, hasOneSessionPerProcess } from "./detect-host.ts";

const id = "c1e6e31b-459f-40c6-b05f-3c92bcc9b2e3";
const at = (transcript_path: string, more: object = {}) => ({ session_id: id, transcript_path, ...more });

test.each([
  ["claude-code", at(`/home/ada/.claude/projects/-p/${id}.jsonl`)],
  ["claude-code", at(`C:\\Users\\ada\\.claude\\projects\\p\\${id}.jsonl`)],
  ["claude-code", at(`/work/config/projects/-p/${id}.jsonl`)],
  ["claude-code", { session_id: id, prompt_id: "p" }],
  ["codex", at(`/home/ada/.codex/sessions/2026/11/15/rollout-2026-11-15T21-33-12-${id}.jsonl`)],
  ["codex", at(`/work/cx/sessions/2026/11/15/rollout-2026-11-15T21-33-12-${id}.jsonl`)],
  ["codex", { session_id: id, turn_id: "t" }],
  ["copilot", at(`/home/ada/.copilot/session-state/${id}/events.jsonl`, { timestamp: "2026" })],
  ["gemini", at("/home/ada/.gemini/tmp/proj/chats/session-2026-11-15T21-46-4e80b0a0.jsonl")],
  ["qwen", at(`/home/ada/.qwen/projects/-p/chats/${id}.jsonl`, { prompt_id: "p" })],
  ["droid", at(`/home/ada/.factory/sessions/-p/${id}.jsonl`)],
  [undefined, { session_id: id }],
  [undefined, { session_id: id, timestamp: "2026-11-15T21:55:43.502Z" }],
  [undefined, { session_id: id, turn_id: "t", prompt_id: "p" }],
  [undefined, at("/somewhere/else.jsonl")],
])("%s sends %j", (host, payload) => {
  expect(detectHost(payload)).toBe(host);
});

test("a process of Codex, OpenCode or Cline may hold many sessions", () => {
  expect((["codex", "opencode", "cline"] as const).map(hasOneSessionPerProcess)).toEqual([
    false,
    false,
    false,
  ]);
  expect((["claude-code", "qwen", "copilot"] as const).map(hasOneSessionPerProcess)).toEqual([
    true,
    true,
    true,
  ]);
});
