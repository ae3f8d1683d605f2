import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { spawnDaemon } from "../support/daemon-process.ts";
import { type StagedSession, useMailStage } from "../support/mail-stage.ts";
import type { Rookery } from "../support/rookery.ts";
import { useRookeries } from "../support/use-rookery.ts";

const rookeries = useRookeries(afterAll);
let rookery: Rookery;
const stage = useMailStage(() => rookery);
let first: StagedSession;
let second: StagedSession;

async function edit(session: StagedSession, file: string, before: string, after: string): Promise<void> {
  const tool_input = { file_path: join(session.cwd, file), old_string: before, new_string: after };
  await session.say("PostToolUse", { prompt_id: `p-${session.id}`, tool_name: "Edit", tool_input });
}

beforeAll(async () => {
  rookery = rookeries.open({});
  await spawnDaemon(rookery);
  [first, second] = [await stage.open("aviary"), await stage.open("aviary")];
  for (const session of [first, second])
    await session.say("UserPromptSubmit", { prompt_id: `p-${session.id}`, prompt: `Asked by ${session.id}` });
  await edit(first, "pool.ts", "", "const size = openPool(3);\nconst name = readName();");
  await edit(second, "pool.ts", "const size = openPool(3);", "const size = openPool(5);");
  const token = `const token = "ghp_${"a1B2".repeat(9)}";`;
  const lines = [
    "const size = openPool(5);",
    "const name = readName();",
    "",
    "const older = findOlder();",
    token,
  ];
  writeFileSync(join(first.cwd, "pool.ts"), `${lines.join("\n")}\n`);
});

const blame = (file: string) =>
  rookery.call("GET", `/api/blame/file?project=aviary&file=${encodeURIComponent(file)}`);

test("every line has the newest edit that added it, and its prompt", async () => {
  const { json } = await blame("pool.ts");
  const told = json.lines.map(({ origin }: any) => (origin === null ? null : json.origins[origin].prompt));
  expect(told).toEqual([`Asked by ${second.id}`, `Asked by ${first.id}`, null, null, null]);
  expect(json.origins[json.lines[0].origin]).toMatchObject({
    session: second.id,
    match: "added",
    isGuess: false,
  });
  expect(json.file).toBe("pool.ts");
});

test("a secret in the file is not shown", async () => {
  const { text } = await blame("pool.ts");
  expect(text).not.toContain("ghp_");
  expect(text).toContain("[secret:");
});

test("the files that sessions edited are listed, last edit first", async () => {
  await edit(first, "old.ts", "", "gone");
  const { json } = await rookery.call("GET", "/api/blame/files?project=aviary");
  expect(
    json.files.map(({ path, edits, sessions }: any) => [
      path.slice(path.lastIndexOf("/") + 1),
      edits,
      sessions,
    ]),
  ).toEqual([
    ["old.ts", 1, 1],
    ["pool.ts", 2, 2],
  ]);
});

test("no other file can be read: not edited, outside, through a link, missing, or no text", async () => {
  const outside = join(dirname(first.cwd), "outside.txt");
  writeFileSync(outside, "private");
  writeFileSync(join(first.cwd, "unedited.ts"), "private");
  symlinkSync(outside, join(first.cwd, "link.ts"));
  mkdirSync(join(first.cwd, "folder.ts"));
  writeFileSync(join(first.cwd, "image.ts"), "a\0b");
  for (const file of ["link.ts", "folder.ts", "image.ts"]) await edit(first, file, "", "private");
  for (const [file, code] of [
    ["unedited.ts", "origin_not_found"],
    [outside, "origin_not_found"],
    ["../outside.txt", "origin_not_found"],
    ["/etc/passwd", "origin_not_found"],
    ["link.ts", "origin_not_found"],
    ["old.ts", "file_not_found"],
    ["folder.ts", "file_not_found"],
    ["image.ts", "file_not_found"],
  ] as const) {
    const { status, json, text } = await blame(file);
    expect([file, status, json.code]).toEqual([file, 404, code]);
    expect(text).not.toContain("private");
  }
});
