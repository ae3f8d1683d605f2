import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openStore } from "../../store/open-store.ts";
import { findForgotten } from "./find-forgotten.ts";

const folder = mkdtempSync(join(tmpdir(), "rk-forgotten-"));
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  [".claude/projects/-p/s.jsonl", 2],
  [".codex/sessions/2026/11/15/rollout-1-s.jsonl", 0],
])("the turns of %s that contain the words have %i names", async (file, count) => {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  const facts = { sessionId: "s", promptId: "p", cwd: folder, timestamp: "2026-11-15T21:33:12.000Z" };
  const message = { role: "user", content: "the word xylophone" };
  writeFileSync(path, `${JSON.stringify({ ...facts, type: "user", uuid: "u", message })}\n`);
  const store = openStore(":memory:", () => 0);
  store.agents.insert({ id: "a", name: "p-rook", project: "p", projectName: "p", seat: 0, createdAt: 0 });
  store.sessions.insert({
    ...{
      id: "s",
      agentId: "a",
      host: "claude-code",
      project: "p",
      cwd: null,
      transcriptPath: path,
      hostPid: null,
    },
    pidStarted: null,
    source: "startup",
    model: null,
    title: null,
    branch: null,
    status: "active",
    statusAt: 0,
    endReason: null,
    startedAt: 0,
    lastEventAt: 0,
  });
  const { names } = await findForgotten(store.db, { by: "words", pattern: "xylophone" });
  expect(names).toHaveLength(count);
});
