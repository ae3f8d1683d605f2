import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import type { FoldersReport } from "../../src/protocol/care.ts";
import { waitFor } from "../support/processes.ts";
import { type Ran, type Rookery, plugin, runProcess } from "../support/rookery.ts";
import { writeSession, waitUntilDistilled } from "../support/written-session.ts";
import { useRookeriesWithoutRooms } from "../support/use-rookery.ts";

const rookeries = useRookeriesWithoutRooms();
let rookery: Rookery;
let project: string;

/** User-written files and their folders; all of it must be restored unchanged. */
const theirs: Record<string, string> = {
  "CLAUDE.md": "# Root, never touched\n",
  "src/CLAUDE.md": "# Mine\n\nUse tabs.\n",
  "src/deep/er/CLAUDE.md": "no line end at the end",
  "win/CLAUDE.md": "# Windows\r\nUse CRLF.\r\n",
  "mixed/CLAUDE.md": "a\r\nb\nc\r",
  "empty/CLAUDE.md": "",
  "odd name/ü 東京 🦜/CLAUDE.md": "\uFEFF# Ünïcode\n",
  "new\nline/CLAUDE.md": "in a folder with a line end in its name\n",
  "latin/CLAUDE.md": "\u0000latin",
  "prose/CLAUDE.md": "We say `<rookery-context>` here.\n",
  "damaged/CLAUDE.md": "<rookery-context>\nleft over\n",
  "locked/CLAUDE.md": "read-only\n",
  "linked/target.md": "behind a link\n",
  "twin/CLAUDE.md": "two names\n",
};
const folders = [
  ...Object.keys(theirs).map((file) => dirname(file)),
  ...["plain", "plain/nested", "-dash", "a'quote\"s"],
].filter((folder, index, all) => folder !== "." && all.indexOf(folder) === index);

const git = (...args: string[]): string =>
  execFileSync("git", ["-C", project, "-c", "user.name=T", "-c", "user.email=t@t", ...args], {
    env: rookery.env,
    encoding: "utf8",
  });

beforeEach(async () => {
  rookery = await rookeries.started();
  project = join(rookery.env.HOME ?? "", "orders-api");
  for (const folder of folders) mkdirSync(join(project, folder), { recursive: true });
  for (const [file, text] of Object.entries(theirs)) writeFileSync(join(project, file), text);
  writeFileSync(join(project, "latin/CLAUDE.md"), Buffer.from([0x66, 0xfc, 0x72, 0x0a]));
  for (const folder of folders) writeFileSync(join(project, folder, "code.ts"), "x\n");
  writeFileSync(join(project, "code.ts"), "x\n");
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "first");
  chmodSync(join(project, "locked/CLAUDE.md"), 0o444);
  chmodSync(join(project, "src/CLAUDE.md"), 0o640);
  symlinkSync("target.md", join(project, "linked/CLAUDE.md"));
  linkSync(join(project, "twin/CLAUDE.md"), join(project, "twin/other.md"));
  mkdirSync(join(project, "untracked"));
  writeFileSync(join(project, "untracked/code.ts"), "x\n");
});

/** Everything under a folder except git's own files: bytes, permissions, links. */
function snapshot(root: string): Record<string, string> {
  const entries = readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => !name.startsWith(".git"))
    .toSorted();
  return Object.fromEntries(
    entries.map((name) => {
      const path = join(root, name);
      const about = lstatSync(path);
      if (about.isSymbolicLink()) return [name, `link ${readlinkSync(path)}`];
      if (about.isDirectory()) return [name, "folder"];
      return [name, `${about.mode.toString(8)} ${readFileSync(path).toString("latin1")}`];
    }),
  );
}
const inFolder = (cwd: string, ...args: string[]): Promise<Ran> =>
  runProcess(
    "sh",
    ["-c", 'cd "$1" && shift && exec "$@"', "sh", cwd, join(plugin, "bin", "rookery"), ...args],
    "",
    rookery.env,
  );
async function run(cwd: string, ...args: string[]): Promise<FoldersReport> {
  const ran = await inFolder(cwd, "folders", ...args, "--json");
  expect(ran.code, ran.stdout + ran.stderr).toBe(0);
  return JSON.parse(ran.stdout);
}
/** A note about files, as made in a session in that folder. */
async function note(cwd: string, id: string, files: string[], text: string): Promise<void> {
  await rookery.hook("SessionStart", { session_id: id, cwd, source: "startup" });
  const body = { project: cwd, session: id, text, files, createdAt: Date.parse("2026-03-04T12:00:00Z") };
  expect((await rookery.call("POST", "/api/notes", body)).status).toBe(201);
}
const everyFile = (): string[] => [
  "code.ts",
  "untracked/code.ts",
  ...folders.map((folder) => `${folder}/code.ts`),
];

it("leaves every byte of the user's text unchanged: on, sync, clean", async () => {
  await note(project, "s-1", everyFile(), "The retry budget is shared by all of these");
  const before = snapshot(project);
  const planned = await run(project, "on", "--dry-run");
  expect(snapshot(project)).toEqual(before);

  const { changes, isOn } = await run(project, "on");
  expect(isOn).toBe(true);
  expect(changes).toEqual(planned.changes);
  const did = Object.fromEntries(
    changes.map(({ file, did, reason }) => [dirname(file).slice(project.length + 1), reason ?? did]),
  );
  const listed = (await rookery.call("GET", "/api/folders")).json.projects;
  expect(listed[0].files).toContain(join(project, "src/CLAUDE.md"));
  expect(did).toMatchObject({
    src: "updated",
    "src/deep/er": "updated",
    win: "updated",
    mixed: "updated",
    empty: "updated",
    "odd name/ü 東京 🦜": "updated",
    "new\nline": "updated",
    latin: "updated",
    prose: "updated",
    plain: "created",
    "plain/nested": "created",
    "-dash": "created",
    "a'quote\"s": "created",
    locked: "read-only",
    linked: "the file is a link",
    twin: "the file has several names",
    damaged: expect.stringContaining("damaged"),
  });
  for (const folder of ["", "untracked"]) expect(did[folder]).toBeUndefined();
  expect(did["src/deep"]).toBeUndefined();
  const section = readFileSync(join(project, "plain/CLAUDE.md"), "utf8");
  expect(section).toContain("- 2026-03-04 discovery, code.ts: The retry budget is shared");
  expect(lstatSync(join(project, "plain/CLAUDE.md")).mode & 0o777).toBe(0o644);
  expect(readFileSync(join(project, "CLAUDE.md"), "utf8")).toBe(theirs["CLAUDE.md"]);
  for (const [file, text] of Object.entries(theirs))
    if (file.endsWith("CLAUDE.md") && file !== "latin/CLAUDE.md")
      expect(readFileSync(join(project, file), "utf8").startsWith(text), file).toBe(true);

  expect((await run(project, "sync")).changes.filter((change) => change.did !== "left alone")).toEqual([]);
  await note(project, "s-1", ["src/code.ts"], "Another thing about the code");
  const earlier = lstatSync(join(project, "src/CLAUDE.md")).ino;
  await run(join(project, "src"), "sync");
  expect(readFileSync(join(project, "src/CLAUDE.md"), "utf8")).toContain("Another thing");
  // Another file took its place, so that no reader sees half of it.
  expect(lstatSync(join(project, "src/CLAUDE.md")).ino).not.toBe(earlier);
  const clean = { action: "clean", folder: project };
  expect((await rookery.call("POST", "/api/folders", clean)).json.isOn).toBe(false);
  expect(snapshot(project)).toEqual(before);
  expect(rookery.query("SELECT count(*) AS n FROM folder_files")).toEqual([{ n: 0 }]);
});

it("writes into the right worktree, with its own notes and those of the main checkout", async () => {
  const tree = join(rookery.env.HOME ?? "", "orders-hotfix");
  git("worktree", "add", "-q", tree);
  const nested = join(project, "src");
  const session = writeSession(rookery, "s-tree", tree, [
    {
      prompt: "why does it leak?",
      tool: {
        name: "Edit",
        input: { file_path: join(tree, "plain/code.ts"), old_string: "x", new_string: "y" },
        output: "ok",
      },
      final:
        "Fixed: the worktree handle leaked because close was never called; `plain/code.ts` now closes it.",
    },
  ]);
  await note(nested, "s-main", ["deep/er/code.ts"], "Noted from within the folder src");
  await session.hooks();
  await session.hook("SessionEnd", { reason: "other" });
  await waitUntilDistilled(rookery);
  const [beforeMain, beforeTree] = [snapshot(project), snapshot(tree)];
  await run(project, "on");
  expect(snapshot(tree)).toEqual(beforeTree);
  expect(existsSync(join(project, "plain/CLAUDE.md"))).toBe(false);
  expect(readFileSync(join(project, "src/deep/er/CLAUDE.md"), "utf8")).toContain("Noted from within");
  await run(tree, "sync");
  expect(readFileSync(join(tree, "plain/CLAUDE.md"), "utf8")).toContain("worktree handle leaked");
  expect(readFileSync(join(tree, "src/deep/er/CLAUDE.md"), "utf8")).toContain("Noted from within");
  await run(project, "clean");
  expect(snapshot(project)).toEqual(beforeMain);
  expect(snapshot(tree)).toEqual(beforeTree);
});

it("stays up to date while it is on, drops forgotten notes, and is never remembered", async () => {
  await run(project, "on");
  const file = join(project, "plain/CLAUDE.md");
  await note(project, "s-1", ["plain/code.ts"], "Kookaburra is the name of the queue");
  await waitFor(() => existsSync(file));
  expect(readFileSync(file, "utf8")).toContain("Kookaburra");
  await rookery.hook("PostToolUse", {
    session_id: "s-1",
    cwd: project,
    prompt_id: "p",
    tool_name: "Read",
    tool_use_id: "t1",
    tool_input: { file_path: file },
    tool_response: readFileSync(file, "utf8"),
  });
  expect(rookery.query("SELECT payload FROM events WHERE tool_use_id = 't1'")[0].payload).not.toContain(
    "Kookaburra",
  );
  await rookery.cli("forget", "--query", "Kookaburra", "--yes");
  expect(existsSync(file)).toBe(false);
  await run(project, "off");
  await note(project, "s-1", ["plain/code.ts"], "Said while it is off");
  expect((await run(project, "sync")).changes).toEqual([]);
  expect((await inFolder("/", "folders", "on")).code).toBe(2);
});

it("works without git, with the configured number of notes; a dry run reports the state after it", async () => {
  await rookery.cli("config", "folders.notes", "2");
  await rookery.stop();
  await rookery.start();
  const plain = join(rookery.env.HOME ?? "", "no-git");
  for (const folder of ["src", "node_modules/left-pad", ".cache"]) {
    mkdirSync(join(plain, folder), { recursive: true });
    writeFileSync(join(plain, folder, "code.ts"), "x\n");
  }
  const files = ["src/code.ts", "node_modules/left-pad/code.ts", ".cache/code.ts", "src/gone.ts", "code.ts"];
  for (const text of ["Retries are shared", "Backoff doubles", "Jitter is seeded"])
    await note(plain, "s-plain", files, text);
  const before = snapshot(plain);
  expect(await run(plain, "on", "--dry-run")).toMatchObject({
    isOn: true,
    changes: [{ file: join(plain, "src/CLAUDE.md"), did: "created" }],
  });
  expect((await run(plain, "on")).changes).toHaveLength(1);
  expect(readFileSync(join(plain, "src/CLAUDE.md"), "utf8").match(/^- /gm)).toHaveLength(2);
  expect(await run(plain, "off", "--dry-run")).toMatchObject({ isOn: false, dryRun: true });
  expect(await run(plain, "clean", "--dry-run")).toMatchObject({
    isOn: false,
    changes: [{ did: "deleted" }],
  });
  expect((await inFolder(plain, "folders", "off", "--dry-run")).stdout).toContain("would be off");
  expect(await run(plain, "sync")).toMatchObject({ isOn: true, changes: [] });
  await run(plain, "clean");
  expect(snapshot(plain)).toEqual(before);
});
