import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { plugin, type Ran, type Rookery, runProcess } from "../support/rookery.ts";
import { useRookeriesWithoutRooms } from "../support/use-rookery.ts";
import { waitUntilDistilled } from "../support/written-session.ts";

const rookeries = useRookeriesWithoutRooms();
let rookery: Rookery;
let project: string;

beforeEach(async () => {
  rookery = await rookeries.started();
  project = makeRepository("orders-api");
});

function makeRepository(name: string): string {
  const folder = join(rookery.env.HOME ?? "", name);
  write(join(folder, "a.txt"), "a\n");
  git(folder, "init", "-q");
  git(folder, "add", ".");
  git(folder, "-c", "user.name=T", "-c", "user.email=t@t", "commit", "-qm", `First in ${name}`);
  return folder;
}

function git(folder: string, ...args: string[]): void {
  execFileSync("git", ["-C", folder, ...args], { env: rookery.env });
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

interface ToolUse {
  tool: string;
  input: Record<string, unknown>;
  response?: unknown;
}

/** One turn of one session, through the hook script, and distilled. */
async function turn(
  session: string,
  cwd: string,
  prompt: string,
  uses: ToolUse[],
  final: string,
): Promise<void> {
  const prompt_id = `${session}-1`;
  const hook = (event: string, fields: object) =>
    rookery.hook(event, { session_id: session, cwd, prompt_id, hook_event_name: event, ...fields });
  await hook("SessionStart", { source: "startup" });
  await hook("UserPromptSubmit", { prompt });
  for (const [n, { tool, input, response = "ok" }] of uses.entries())
    await hook("PostToolUse", {
      tool_name: tool,
      tool_use_id: `${session}-${n}`,
      tool_input: input,
      tool_response: response,
    });
  await hook("Stop", { last_assistant_message: final });
  await hook("SessionEnd", { reason: "other" });
  await waitUntilDistilled(rookery);
}

const edit = (file: string, old_string: string, new_string: string): ToolUse => ({
  tool: "Edit",
  input: { file_path: file, old_string, new_string },
});

const poolLine = "export const pool = createPool({ max: 20 });";
const fixPool = (session: string, cwd: string) =>
  turn(
    session,
    cwd,
    "requests time out under load, fix it",
    [edit(join(cwd, "src/pool.ts"), "x", `// shared\n${poolLine}`)],
    "Fixed. The pool was exhausted because every request opened its own client; `pool.ts` now shares one client.",
  );

function blameIn(cwd: string, ...args: string[]): Promise<Ran> {
  const words = ["-c", 'cd "$1" && shift && exec "$@"', "bash", cwd, join(plugin, "bin", "rookery"), "blame"];
  return runProcess("bash", [...words, ...args], "", rookery.env);
}

async function blame(cwd: string, place: string): Promise<any> {
  const { code, stdout, stderr } = await blameIn(cwd, "--json", place);
  expect({ place, code, stderr }).toEqual({ place, code: 0, stderr: "" });
  return JSON.parse(stdout);
}

describe("rookery blame", () => {
  it("shows the prompt, the agent and the reason behind a line, regardless of its indentation", async () => {
    await fixPool("s-1", project);
    write(join(project, "src/pool.ts"), `// shared\n    ${poolLine.replace("{ max", "{  max")}\n`);
    expect(await blame(project, "src/pool.ts:2")).toMatchObject({
      file: "src/pool.ts",
      line: 2,
      match: "added",
      isGuess: false,
      tool: "Edit",
      session: "s-1",
      agent: "orders-api-rook",
      project: "orders-api",
      bySubagent: false,
      prompt: "requests time out under load, fix it",
      notes: [{ text: expect.stringContaining("every request opened its own client") }],
      summary: { completed: expect.stringContaining("shares one client") },
    });
    const { stdout } = await blameIn(join(project, "src"), "pool.ts:2:14");
    expect(stdout).toMatch(/^pool\.ts:2 {2}export const pool/);
    expect(stdout).toMatch(/Edit by orders-api-rook, \d{4}-\d\d-\d\d \d\d:\d\d, session s-1/);
    expect(stdout).toContain("requests time out under load, fix it");
    expect(stdout).toContain("because every request opened its own");
    expect(stdout).not.toContain("Not sure");
  });

  it("names the edit that added the line, not a later one that kept it", async () => {
    const file = join(project, "src/pool.ts");
    await fixPool("s-1", project);
    const wider = `${poolLine}\nexport const spare = 5;`;
    await turn("s-2", project, "add a spare", [edit(file, poolLine, wider)], "Added `spare`.");
    const rewritten = `// shared\n${wider}\nexport const idle = 9;\n`;
    const rewrite = {
      tool: "Write",
      input: { file_path: file, content: rewritten },
      response: { type: "update", originalFile: `// shared\n${wider}\n` },
    };
    await turn("s-3", project, "and an idle time", [rewrite], "Added `idle`.");
    write(file, rewritten);
    const sessions = await Promise.all(
      [2, 3, 4].map(async (line) => (await blame(project, `src/pool.ts:${line}`)).session),
    );
    expect(sessions).toEqual(["s-1", "s-2", "s-3"]);
  });

  it("finds a very long line", async () => {
    const file = join(project, "words.ts");
    const long = `export const words = ["${"日本語 words ".repeat(2_000)}"];`;
    await turn("s-1", project, "a list", [edit(file, "x", long)], "Added it.");
    write(file, `${long}\n`);
    expect(await blame(project, "words.ts:1")).toMatchObject({ session: "s-1", match: "added" });
  });

  it("distinguishes closing braces by the lines around them", async () => {
    const file = join(project, "b.ts");
    await turn("s-1", project, "one", [edit(file, "", "function one() {\n  first();\n}")], "Added one.");
    await turn("s-2", project, "two", [edit(file, "", "function two() {\n  second();\n}")], "Added two.");
    write(file, "function one() {\n  first();\n}\n\nfunction two() {\n  second();\n}\n");
    expect(await blame(project, "b.ts:3")).toMatchObject({ session: "s-1", isGuess: false });
    expect(await blame(project, "b.ts:7")).toMatchObject({ session: "s-2", isGuess: false });
  });

  it("reads MultiEdit, Write and NotebookEdit, and reports edits by a subagent", async () => {
    const [multi, whole, book] = ["m.py", "w.py", "n.ipynb"].map((name) => join(project, name));
    const edits = [
      { old_string: "a", new_string: "first_value = 1" },
      { old_string: "b", new_string: "second_value = 2" },
    ];
    await turn(
      "s-1",
      project,
      "set them up",
      [
        { tool: "MultiEdit", input: { file_path: multi, edits } },
        { tool: "Write", input: { file_path: whole, content: "third_value = 3\n" } },
        { tool: "NotebookEdit", input: { notebook_path: book, new_source: 'print("fourth")\nx = 4' } },
      ],
      "Set up.",
    );
    write(multi as string, "second_value = 2\n");
    write(whole as string, "third_value = 3\n");
    write(book as string, '   "source": [\n    "print(\\"fourth\\")\\n",\n');
    for (const [place, tool] of Object.entries({
      "m.py:1": "MultiEdit",
      "w.py:1": "Write",
      "n.ipynb:2": "NotebookEdit",
    }))
      expect(await blame(project, place)).toMatchObject({ tool, match: "added", bySubagent: false });
    await rookery.hook("PostToolUse", {
      session_id: "s-2",
      cwd: project,
      agent_id: "a-1",
      tool_name: "Write",
      tool_use_id: "u-9",
      ...{
        tool_input: { file_path: whole, content: "third_value = 33\n" },
        tool_response: { type: "update" },
      },
    });
    write(whole as string, "third_value = 33\n");
    expect(await blame(project, "w.py:1")).toMatchObject({ session: "s-2", bySubagent: true, prompt: null });
  });

  it("marks the result as uncertain if the line was written by hand or is older than the recorded edits", async () => {
    const file = join(project, "src/pool.ts");
    await fixPool("s-1", project);
    write(file, `// shared\n${poolLine}\nconst byHand = true;\n`);
    expect(await blame(project, "src/pool.ts:3")).toMatchObject({
      match: "file",
      isGuess: true,
      session: "s-1",
    });
    expect((await blameIn(project, "src/pool.ts:3")).stdout).toContain(
      "Not sure: no recorded edit has this line",
    );
    const old = "export const older = true;";
    await turn("s-2", project, "more", [edit(file, old, `${old}\nexport const more = 1;`)], "Added more.");
    write(file, `${old}\n`);
    expect(await blame(project, "src/pool.ts:1")).toMatchObject({
      match: "kept",
      isGuess: true,
      session: "s-2",
    });
  });

  it("finds a file in every worktree and through a link, and separates files of the same name", async () => {
    await fixPool("s-1", project);
    write(join(project, "src/pool.ts"), `${poolLine}\n`);
    const tree = join(rookery.env.HOME ?? "", "hotfix");
    git(project, "worktree", "add", "-q", tree);
    write(join(tree, "src/pool.ts"), `${poolLine}\n`);
    expect(await blame(tree, "src/pool.ts:1")).toMatchObject({ session: "s-1", match: "added" });
    const link = join(rookery.env.HOME ?? "", "link");
    symlinkSync(project, link);
    expect(await blame(link, "src/pool.ts:1")).toMatchObject({ session: "s-1", match: "added" });

    const namesake = join(project, "packages/web/src/pool.ts");
    await turn("s-2", project, "the web one", [edit(namesake, "x", poolLine)], "Added it.");
    write(namesake, `${poolLine}\n`);
    expect(await blame(project, "src/pool.ts:1")).toMatchObject({ session: "s-1" });
    expect(await blame(project, "packages/web/src/pool.ts:1")).toMatchObject({ session: "s-2" });

    await turn(
      "s-3",
      tree,
      "here too",
      [edit(join(tree, "src/tree.ts"), "", "const inTree = 1;")],
      "Added it.",
    );
    git(project, "worktree", "remove", "--force", tree);
    write(join(project, "src/tree.ts"), "const inTree = 1;\n");
    expect(await blame(project, "src/tree.ts:1")).toMatchObject({ session: "s-3", match: "added" });
  });

  it("reports what is missing: the file, the line, the number, or any record", async () => {
    await fixPool("s-1", project);
    const elsewhere = makeRepository("other");
    const rows = [
      [project, "none.ts:1", 4, "file_not_found"],
      [project, "src:1", 4, "file_not_found"],
      [project, "a.txt:2", 4, "line_not_found"],
      [project, "a.txt:0", 4, "line_not_found"],
      [project, "a.txt", 2, "invalid_argument"],
      [project, "a.txt:1", 4, "origin_not_found"],
      [elsewhere, "a.txt:1", 4, "project_not_found"],
    ] as const;
    mkdirSync(join(project, "src"));
    for (const [cwd, place, exitCode, errorCode] of rows) {
      const { code, stdout } = await blameIn(cwd, "--json", place);
      expect([place, code, JSON.parse(stdout).error.code]).toEqual([place, exitCode, errorCode]);
    }
    expect((await rookery.call("GET", "/api/blame?project=orders-api")).status).toBe(400);
    const query = new URLSearchParams({ project: "orders-api", file: "src/pool.ts", text: poolLine });
    expect((await rookery.call("GET", `/api/blame?${query}`)).json).toMatchObject({ session: "s-1" });
  });
});
