import { appendFileSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { samplesOf } from "../fixtures/hosts/samples.ts";
import { waitFor } from "../support/processes.ts";
import { openRookery, type Rookery, withoutRooms } from "../support/rookery.ts";
import { openTerminal } from "../support/terminal.ts";
import { placeTranscript, readRecorded, sessionIdOf } from "../support/transcripts.ts";
import { launcher } from "../support/person-elsewhere.ts";
import { useOutside } from "../support/use-outside.ts";

const person = useOutside();
let rookery: Rookery;
let claude: string;
let project: string;

beforeEach(async () => {
  rookery = openRookery(withoutRooms);
  claude = join(rookery.env.HOME ?? "", ".claude");
  project = join(rookery.env.HOME ?? "", "orders-api");
  mkdirSync(project, { recursive: true });
  await rookery.start();
});
afterEach(() => rookery.close());

/** Where these hosts write the transcript of a session. */
const transcriptsOf: Record<string, [folder: string, file: string]> = {
  qwen: [".qwen/projects/-orders/chats", "c1e6e31b-459f-40c6-b05f-3c92bcc9b2e3.jsonl"],
  gemini: [".gemini/tmp/orders/chats", "session-2026-11-15T21-46-c1e6e31b.jsonl"],
};

const longAgo = new Date(Date.now() - 3_600_000);
function place(name: string, mark: string, edit?: (text: string) => string): string {
  const path = placeTranscript(claude, readRecorded(name, { mark, cwd: project, ...(edit ? { edit } : {}) }));
  utimesSync(path, longAgo, longAgo);
  return path;
}
async function importTranscripts(...flags: string[]) {
  const ran = await rookery.cli("import", "transcripts", "--json", ...flags);
  expect(ran.code, ran.stdout + ran.stderr).toBe(0);
  return JSON.parse(ran.stdout);
}
const one = (sql: string): number => rookery.query(`SELECT count(*) AS n FROM ${sql}`)[0].n;
const search = async (query: string) => (await rookery.call("GET", `/api/search?${query}`)).json.results;

/** A generated transcript: turns of a prompt and an answer, a minute apart. */
function write(sessionId: string, turns: [prompt: string, final: string][], cwd = project): string {
  const lines = turns.flatMap(([prompt, final], index) => {
    const timestamp = new Date(Date.parse("2026-11-01T10:00:00Z") + index * 60_000).toISOString();
    const facts = { sessionId, cwd, timestamp, isSidechain: false, promptId: `${sessionId}-p${index}` };
    const content = [{ type: "text", text: final }];
    return [
      { ...facts, type: "user", uuid: `${sessionId}-u${index}`, message: { role: "user", content: prompt } },
      { ...facts, type: "assistant", uuid: `${sessionId}-a${index}`, message: { id: `m${index}`, content } },
    ];
  });
  const path = placeTranscript(claude, lines.map((line) => `${JSON.stringify(line)}\n`).join(""), sessionId);
  utimesSync(path, longAgo, longAgo);
  return path;
}

describe("importing transcripts", () => {
  it("stores sessions, turns, prompts and notes with their own times, searchable at once", async () => {
    const path = place("question", "1", (text) => text.replaceAll(',"gitBranch":"main"', ""));
    place("denied", "2");
    place("tools", "3");
    writeFileSync(
      join(dirname(path), "sessions-index.json"),
      JSON.stringify({
        version: 1,
        entries: [
          null,
          {
            sessionId: sessionIdOf(readFileSync(path, "utf8")),
            summary: "Database talk",
            gitBranch: "feature/database",
          },
        ],
      }),
    );
    const result = await importTranscripts();
    expect(result).toMatchObject({ state: "done", files: 3, filesDone: 3, sessions: 3, damaged: 0 });
    expect(result.bytesDone).toBe(result.bytes);
    // It was asked twice: the later answer counts.
    const [holds, decision] = await search("q=which+database&type=decision");
    expect(holds.title).toContain("Which database? → DuckDB");
    expect(decision).toMatchObject({ title: "Which database? → PostgreSQL", project: "orders-api" });
    expect(decision.supersededBy).toBe(holds.id);
    expect(decision.createdAt).toBeLessThan(Date.now() - 1000);
    const [refusal] = await search("q=never+make+folders&type=preference");
    expect(refusal.title).toContain("Never make folders in the root");
    expect((await search("q=GO-WORK&kind=prompt"))[0].session).toBeTruthy();
    const { sessions } = (await rookery.call("GET", "/api/sessions")).json;
    expect(sessions.map((s: any) => [s.source, s.status, s.project])).toEqual(
      Array.from({ length: 3 }, () => ["import", "ended", "orders-api"]),
    );
    expect(sessions.map((s: any) => [s.title, s.branch])).toContainEqual([
      "Database talk",
      "feature/database",
    ]);
    expect(sessions.map((s: any) => s.branch)).toContain("main");
    expect(one("turns WHERE distilled_at IS NULL OR outcome IS NULL")).toBe(0);
  });

  it("stores nothing twice, even if it is read repeatedly or from another copy", async () => {
    place("resumed", "1");
    place("resumed-2", "1");
    place("branched", "2");
    place("branched-2", "2");
    const first = await importTranscripts();
    const counts = () =>
      ["sessions", "turns", "prompts", "observations", "summaries", "memory_rows"].map((table) => one(table));
    const before = counts();
    expect(first).toMatchObject({ turns: one("turns"), turnsKnown: 3 });
    expect(rookery.query("SELECT text FROM prompts GROUP BY text HAVING count(*) > 1")).toEqual([]);
    expect(await importTranscripts()).toMatchObject({ files: 0, filesKnown: 4, turns: 0 });
    for (const path of [place("resumed", "1"), place("branched-2", "2")])
      utimesSync(path, new Date(), new Date());
    expect(await importTranscripts()).toMatchObject({ files: 2, turns: 0 });
    expect(counts()).toEqual(before);
  });

  it("skips turns that hooks recorded, and imports the others of the same session", async () => {
    write("s-1", [
      ["told by hooks", "Fine."],
      ["from now on always use tabs", "Noted."],
    ]);
    const fields = { session_id: "s-1", cwd: project, prompt_id: "s-1-p0" };
    await rookery.hook("UserPromptSubmit", { ...fields, prompt: "told by hooks" });
    await rookery.hook("Stop", { ...fields, last_assistant_message: "Fine." });
    await rookery.hook("SessionEnd", { ...fields, reason: "other" });
    expect(await importTranscripts()).toMatchObject({ sessions: 0, turns: 1, turnsKnown: 1 });
    expect(rookery.query("SELECT text FROM prompts ORDER BY occurred_at").map(({ text }) => text)).toEqual([
      "from now on always use tabs",
      "told by hooks",
    ]);
    expect((await search("q=always+use+tabs&kind=note")).length).toBe(1);
  });

  it("continues where a file has grown", async () => {
    const turns: [string, string][] = [["from now on always use tabs", "Noted."]];
    const path = write("s-1", turns);
    await importTranscripts();
    write("s-1", [...turns, ["from now on never push to main", "Noted."]]);
    expect(await importTranscripts()).toMatchObject({ files: 1, turns: 1 });
    expect(rookery.query("SELECT byte FROM imported_files")[0].byte).toBeGreaterThan(100);
    appendFileSync(path, '{"type":"user","uuid":"half');
    utimesSync(path, longAgo, longAgo);
    expect(await importTranscripts()).toMatchObject({ files: 1, turns: 0, damaged: 0 });
    expect(one("turns")).toBe(2);
  });

  it("completes after the daemon was killed in the middle, without gaps or duplicates", async () => {
    for (let file = 0; file < 4; file++)
      write(
        `s-${file}`,
        Array.from({ length: 200 }, (_, turn) => [
          `from now on never use module${file}x${turn}`,
          `Noted: module${file}x${turn} is out because of ${"its licence, ".repeat(20)}`,
        ]),
      );
    await rookery.call("POST", "/api/import", { source: "transcripts", path: claude });
    await waitFor(async () => (await rookery.call("GET", "/api/import")).json.turns > 50);
    await rookery.kill9();
    await rookery.start();
    const stored = one("turns");
    expect(stored).toBeGreaterThan(25);
    expect(stored).toBeLessThan(800);
    const result = await importTranscripts();
    expect(result).toMatchObject({ state: "done", turns: 800 - stored });
    expect(one("turns")).toBe(800);
    expect(one("prompts")).toBe(800);
    expect(one("observations")).toBe(one("(SELECT DISTINCT hash FROM observations)"));
    expect((await search("q=module3x199&kind=note"))[0].title).toContain("module3x199");
  });

  it("can be cancelled, and reports it", async () => {
    write(
      "s-1",
      Array.from({ length: 1500 }, (_, turn) => [`from now on never use module${turn}`, "Noted."]),
    );
    await rookery.call("POST", "/api/import", { source: "transcripts", path: claude });
    expect(
      (await rookery.call("POST", "/api/import", { source: "transcripts", path: claude })).json.code,
    ).toBe("import_running");
    await waitFor(async () => (await rookery.call("GET", "/api/import")).json.turns > 20);
    const { json } = await rookery.call("DELETE", "/api/import");
    expect(json).toMatchObject({ state: "cancelled" });
    expect(json.turns).toBeLessThan(1500);
    expect(await importTranscripts()).toMatchObject({ turns: 1500 - json.turns });
  });

  it("draws a progress bar in a terminal, and Ctrl-C cancels the import", async () => {
    write(
      "s-1",
      Array.from({ length: 2_000 }, (_, turn) => [`from now on never use module${turn}`, "Noted."]),
    );
    const terminal = await openTerminal({
      directory: rookery.env.HOME ?? "",
      name: "import",
      command: [join(rookery.plugin, "bin", "rookery"), "import", "transcripts"],
      env: { ...rookery.env, TERM: "xterm" },
      cwd: project,
    });
    try {
      await terminal.waitForScreen(/[█░]{24} \d+ %  0\/1 files .* \d+ turns/);
      await terminal.press("C-c");
      await terminal.waitForScreen("Stopped. Run the same command again to continue");
      expect(await terminal.screen()).not.toContain("░");
    } finally {
      await terminal.close();
    }
    expect((await rookery.call("GET", "/api/import")).json.state).toBe("cancelled");
  });

  it("skips damaged lines and counts them", async () => {
    place("damaged", "1");
    expect(await importTranscripts()).toMatchObject({ state: "done", damaged: 8, turns: 5 });
  });

  it("reads only the requested project and time, and the rest later", async () => {
    write("s-1", [["from now on always use tabs", "Noted."]]);
    const other = join(rookery.env.HOME ?? "", "billing");
    mkdirSync(other);
    write("s-2", [["from now on always use spaces", "Noted."]], other);
    expect(await importTranscripts("--project", "billing")).toMatchObject({
      files: 1,
      filesLeftOut: 1,
      turns: 1,
    });
    expect(await importTranscripts("--since", "2026-11-02")).toMatchObject({ files: 1, turns: 0 });
    expect(await importTranscripts()).toMatchObject({ files: 1, turns: 1 });
    expect((await rookery.cli("import", "transcripts", "--since", "yesteryear")).code).toBe(2);
    expect((await rookery.cli("import", "diaries")).code).toBe(2);
  });

  it("leaves out projects that are off, and sessions in our own home", async () => {
    write("s-1", [["from now on always use tabs", "Noted."]]);
    write("s-2", [["summarise this session", "Done."]], join(rookery.home.root, "work"));
    await rookery.call("POST", "/api/notes", {
      project,
      text: "A note that makes the project known.",
    });
    await person.run([...launcher, "projects", "orders-api", "off"], rookery.env);
    expect(await importTranscripts()).toMatchObject({ files: 0, filesLeftOut: 2, turns: 0 });
    await person.run([...launcher, "projects", "orders-api", "on"], rookery.env);
    expect(await importTranscripts()).toMatchObject({ files: 1, filesLeftOut: 1, turns: 1 });
  });

  it("keeps no secret and no private span in any file of the home", async () => {
    const key = ["AKIA", "Z3MK7QX5WJ2PLT4V"].join("");
    place("tools", "1", (text) =>
      text
        .replaceAll("GO-WORK please", `GO-WORK <private>PLANTEDPRIVATE</private> with ${key}`)
        .replaceAll("Greets politely now.", `Greets politely now with ${key} because it was asked for.`)
        .replaceAll("echo one", `echo ${key}`),
    );
    expect(await importTranscripts()).toMatchObject({ turns: 1 });
    expect(rookery.query("SELECT text FROM prompts")[0].text).toContain("[private]");
    await rookery.stop();
    const files = readdirSync(rookery.home.root, { recursive: true, withFileTypes: true }).filter((file) =>
      file.isFile(),
    );
    const leaks = files.filter((file) => {
      const bytes = readFileSync(join(file.parentPath, file.name));
      return bytes.includes(key) || bytes.includes("PLANTEDPRIVATE");
    });
    expect(files.length).toBeGreaterThan(3);
    expect(leaks.map(({ name }) => name)).toEqual([]);
  });

  it("does not import our own injected text", async () => {
    place("tools", "1", (text) =>
      text.replaceAll("INJECTED at", "<rookery-memory>INJECTEDBYUS</rookery-memory>"),
    );
    await importTranscripts();
    expect(await search("q=INJECTEDBYUS")).toEqual([]);
    expect(one("turns WHERE last_assistant_message LIKE '%INJECTEDBYUS%'")).toBe(0);
  });

  it("postpones a turn that may still continue", async () => {
    const path = place("tools", "1", (text) =>
      text.slice(0, text.indexOf("\n", text.indexOf("tool_use_id"))),
    );
    utimesSync(path, new Date(), new Date());
    expect(await importTranscripts()).toMatchObject({ files: 1, turns: 0 });
    place("tools", "1");
    expect(await importTranscripts()).toMatchObject({ files: 1, turns: 1 });
    expect(rookery.query("SELECT outcome FROM turns")).toEqual([{ outcome: "completed" }]);
  });

  it("reports the plan, transcripts about to be deleted, and the result", async () => {
    const path = write("s-1", [["from now on always use tabs", "Noted."]]);
    const old = new Date(Date.now() - 26 * 86_400_000);
    utimesSync(path, old, old);
    const dry = await rookery.cli("import", "transcripts", "--dry-run");
    expect(dry.stdout).toContain("Would read 1 transcript,");
    expect(dry.stdout).toContain("deletes transcripts after 30 days");
    expect(one("turns")).toBe(0);
    writeFileSync(join(claude, "settings.json"), '{"cleanupPeriodDays": 365}');
    const { stdout } = await rookery.cli("import", "transcripts");
    expect(stdout).toContain("1 session, 1 turn, 1 prompt, 1 note");
    expect(stdout).toMatch(/Learned, for example:\n  preference +.*always use tabs.* \(/i);
    expect(stdout).not.toContain("deletes transcripts");
  });

  it("is offered by `rookery up` until something was imported", async () => {
    write("s-1", [["from now on always use tabs", "Noted."]]);
    const line = /rookery import transcripts +remember your 1 earlier session of Claude Code as well/;
    expect((await rookery.cli("up")).stdout).toMatch(line);
    await importTranscripts();
    expect((await rookery.cli("up")).stdout).not.toContain("rookery import transcripts");
  });

  it("is offered by `rookery up` for each host that Rookery is installed in, until it was done there", async () => {
    const home = rookery.env.HOME ?? "";
    const bin = join(home, "bin");
    mkdirSync(bin);
    for (const host of ["qwen", "gemini"]) {
      writeFileSync(join(bin, host), "#!/bin/sh\n", { mode: 0o755 });
      const [folder = "", file = ""] = transcriptsOf[host] ?? [];
      mkdirSync(join(home, folder), { recursive: true });
      writeFileSync(join(home, folder, file), `${samplesOf(host as "qwen").transcript.lines.join("\n")}\n`);
    }
    rookery.env.PATH = `${bin}:${rookery.env.PATH}`;
    expect(await rookery.cli("install", "--host", "qwen")).toMatchObject({ code: 0 });
    write("s-1", [["from now on always use tabs", "Noted."]]);

    const offers = async () => (await rookery.cli("up")).stdout.match(/import transcripts.*/g);
    const ofQwen = expect.stringMatching(
      /import transcripts \S+\/\.qwen +remember your 1 earlier session of Qwen Code as well/,
    );
    expect(await offers()).toEqual([expect.stringContaining("of Claude Code"), ofQwen]);
    await importTranscripts();
    expect(await offers()).toEqual([ofQwen]);
    await importTranscripts(join(home, ".qwen"));
    expect(await offers()).toBeNull();
  });
});
