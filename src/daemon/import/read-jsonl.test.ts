import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type JsonlPage, readJsonl } from "./read-jsonl.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rk-jsonl-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const note = (id: string, facts: string[]): string =>
  JSON.stringify({
    kind: "observation",
    id,
    project_id: "p",
    session_id: null,
    turn_id: null,
    prompt_number: null,
    type: "decision",
    title: "t",
    narrative: "n",
    facts,
    concepts: [],
    files_read: [],
    worktree: null,
    files_modified: [],
    source_events: [],
    tokens: 1,
    provenance: "distil",
    hash: id,
    origin: "o",
    created_at: 1,
    updated_at: 1,
    superseded_by: null,
    superseded_at: null,
    superseded_because: null,
  });

function readAll(lines: string[]): { ids: string[]; damaged: number } {
  const path = join(folder, "x.jsonl");
  writeFileSync(path, lines.map((line) => `${line}\n`).join(""));
  const ids: string[] = [];
  let damaged = 0;
  let page: JsonlPage | undefined;
  do {
    page = readJsonl({ path, fromByte: page?.nextByte ?? 0 });
    ids.push(...page.rows.map((row) => ("id" in row ? row.id : "")));
    damaged += page.damaged;
  } while (!page.isLast);
  return { ids, damaged };
}

test("a note of many megabytes is skipped and counted", () => {
  const huge = note(
    "huge",
    Array.from({ length: 10 }, () => "x".repeat(400_000)),
  );
  expect(readAll([note("a", ["f"]), huge, note("b", [])])).toEqual({ ids: ["a", "b"], damaged: 1 });
});

test("a line that is too long to read is skipped and counted", () => {
  const line = "x".repeat(70 * 1024 * 1024);
  expect(readAll([note("a", []), line, note("b", [])])).toEqual({ ids: ["a", "b"], damaged: 1 });
  expect(readAll([note("a", []), line])).toEqual({ ids: ["a"], damaged: 1 });
});
