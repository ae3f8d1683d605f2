import { expect, test } from "vitest";
import { claudeCode } from "../../hosts/claude-code/claude-code.ts";
import { makeExclusion } from "./exclude.ts";
import { prepareEvent } from "./prepare-event.ts";

const patterns = [".env", ".env.*", "secrets/**", "/srv/private/**", "*.pem"];
const exclusion = makeExclusion(patterns);
const read = (input: unknown) => claudeCode.tools.readCall("T", input);

test.each([
  [{ file_path: "/work/api/.env" }],
  [{ file_path: "/work/api/.ENV" }],
  [{ file_path: ".env.local" }],
  [{ file_path: "C:\\work\\api\\.env" }],
  [{ file_path: "/work/api/secrets/deep/key.json" }],
  [{ notebook_path: "/srv/private/a.ipynb" }],
  [{ path: "/work/secrets/x", pattern: "TOKEN" }],
  [{ command: "cat .env" }],
  [{ command: 'cd api && source "./.env"; env' }],
  [{ command: "printf 'A=1' >>config/.env" }],
  [{ command: "openssl x509 -in=certs/server.pem" }],
])("%j concerns an excluded file", (input) => {
  expect(exclusion.matches(read(input))).toBe(true);
});

test.each([
  [{ file_path: "/work/api/environment.ts" }],
  [{ file_path: "/work/api/.envrc" }],
  [{ file_path: "/work/srv/private/a.ts" }],
  [{ command: "npm run build -- --env production" }],
  [{ command: "" }],
  [{}],
  [undefined],
  ["text"],
  [{ file_path: 7, command: null }],
])("%j does not", (input) => {
  expect(exclusion.matches(read(input))).toBe(false);
});

test("nothing is excluded without patterns", () => {
  expect(makeExclusion([]).matches(read({ file_path: "/work/.env" }))).toBe(false);
});

test.each([
  ["a read", { tool_input: { file_path: "/w/.env" }, tool_response: { file: { content: "WORD" } } }],
  ["a write", { tool_input: { file_path: "/w/.env", content: "WORD" } }],
  [
    "an edit that failed",
    { tool_input: { file_path: "/w/.env", old_string: "WORD" }, error: "no WORD there" },
  ],
  ["a command", { tool_input: { command: "echo WORD > .env" }, tool_response: { stdout: "WORD" } }],
  ["a permission", { tool_input: { command: "cat .env" }, permission_suggestions: [{ rule: "WORD" }] }],
])("of %s in an excluded file, only the ids and the tool name are stored", (_what, fields) => {
  const payload = { session_id: "s", tool_name: "T", tool_use_id: "t1", cwd: "/w", ...fields };
  const raw = new TextEncoder().encode(JSON.stringify(payload));
  const prepared = prepareEvent(raw, "PostToolUse", claudeCode, { fieldLimit: 64_000, exclusion });
  expect(JSON.stringify(prepared)).not.toContain("WORD");
  expect(prepared).toMatchObject({ sessionId: "s", toolName: "T", toolUseId: "t1" });
});
