import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { readClaudeMem } from "./claude-mem-reader.ts";

test("a note of many megabytes is cut to head and tail, in its text and in its lists", () => {
  const folder = mkdtempSync(join(tmpdir(), "rk-claude-mem-"));
  try {
    const path = join(folder, "claude-mem.db");
    const db = new DatabaseSync(path);
    db.exec(`CREATE TABLE observations (id INTEGER PRIMARY KEY, memory_session_id TEXT, project TEXT, type TEXT, title TEXT,
      narrative TEXT, facts TEXT, concepts TEXT, files_read TEXT, created_at_epoch INTEGER)`);
    const long = `HEAD ${"word ".repeat(4_000_000)} TAIL`;
    const facts = JSON.stringify(Array.from({ length: 300 }, (_, n) => `fact ${n} ${"x".repeat(60_000)}`));
    const files = JSON.stringify(Array.from({ length: 10_000 }, (_, n) => `src/file-${n}.ts`));
    db.prepare("INSERT INTO observations VALUES (1, 's', 'api', 'discovery', 'Long', ?, ?, '[]', ?, 1)").run(
      long,
      facts,
      files,
    );
    db.close();
    const [row] = readClaudeMem(path, { table: "observations", afterId: 0 }).rows;
    if (row?.kind !== "observation") throw new Error("no note was read");
    expect(row.narrative).toMatch(/^HEAD [^]* TAIL$/);
    expect(JSON.stringify(row).length).toBeLessThan(250_000);
    expect(row.facts).toHaveLength(1);
    expect(row.filesRead).toHaveLength(200);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("notes of 120 MB are read in a heap of 64 MB", () => {
  const folder = mkdtempSync(join(tmpdir(), "rk-claude-mem-"));
  try {
    const path = join(folder, "claude-mem.db");
    const db = new DatabaseSync(path);
    db.exec(`CREATE TABLE observations (id INTEGER PRIMARY KEY, project, type, title, narrative, created_at_epoch);
      INSERT INTO observations VALUES (1, 'api', 'discovery', 'Huge', 'HEAD ' || hex(zeroblob(60000000)) || ' TAIL', 1);
      INSERT INTO observations VALUES (2, 'api', 'discovery', 'Small', 'The pool holds 20.', 1);`);
    db.close();
    const reader = new URL("claude-mem-reader.ts", import.meta.url).href;
    const code = `import { readClaudeMem } from ${JSON.stringify(reader)};
      const page = readClaudeMem(${JSON.stringify(path)}, { table: "observations", afterId: 0 });
      console.log(JSON.stringify(page.rows.map(({ narrative }) => narrative)));`;
    const options = ["--no-warnings", "--max-old-space-size=64", "--input-type=module", "--eval", code];
    const narratives = JSON.parse(execFileSync(process.execPath, options, { encoding: "utf8" })) as string[];
    expect(narratives).toEqual([expect.stringMatching(/^HEAD [^]* TAIL$/), "The pool holds 20."]);
    expect(narratives[0]?.length).toBeLessThan(17_000);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.each([
  ["fractions", 1.5, 1_700_000_000_000.7, { promptNumber: null, at: 1_700_000_000_000 }],
  ["impossible numbers", 1e300, 1e300, { promptNumber: null, at: 0 }],
  ["texts", "three", "yesterday", { promptNumber: null, at: 0 }],
])("columns with %s are read as whole numbers or left out", (_what, number, time, expected) => {
  const folder = mkdtempSync(join(tmpdir(), "rk-claude-mem-"));
  try {
    const path = join(folder, "claude-mem.db");
    const db = new DatabaseSync(path);
    db.exec(
      "CREATE TABLE observations (id INTEGER PRIMARY KEY, title, narrative, prompt_number, created_at_epoch)",
    );
    db.prepare("INSERT INTO observations VALUES (1, 'Pool', 'Size', ?, ?)").run(number, time);
    db.close();
    expect(readClaudeMem(path, { table: "observations", afterId: 0 }).rows).toMatchObject([expected]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
