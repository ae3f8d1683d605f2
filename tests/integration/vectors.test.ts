import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseQuery } from "../../src/domain/memory/query.ts";
import { embedRows } from "../../src/store/embed-rows.ts";
import { type Embedder, openEmbedder } from "../../src/store/embedder.ts";
import { openMemorySearch } from "../../src/store/memory-search.ts";
import { migrate } from "../../src/sqlite/migrate.ts";
import { loadStoreMigrations } from "../../src/store/store-migrations.ts";
import { openStore, type Store } from "../../src/store/open-store.ts";
import { openDatabase } from "../../src/sqlite/sqlite.ts";
import { waitFor } from "../support/processes.ts";
import { useRookeriesWithoutRooms } from "../support/use-rookery.ts";

const words = openEmbedder();
const notes = [
  [
    "logout",
    "Users were signed out at random",
    "The session cookie expired after five minutes, so people lost their login.",
  ],
  ["slow", "Sluggish dashboard", "The page took ages to appear because every widget queried the database."],
  ["colour", "Brand colours", "The designer wants a warmer blue in the header."],
  ["mail", "Newsletter", "Bounced addresses are removed from the list each night."],
] as const;

describe("search by meaning", () => {
  let folder: string;
  let path: string;
  let store: Store;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "rk-vectors-"));
    path = join(folder, "rookery.db");
    store = openStore(path, () => 1);
    for (const [ref, title, body] of notes) put(ref, title, body);
  });
  afterEach(() => {
    store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function put(ref: string, title: string, body: string, kind: "message" | "question" = "message"): void {
    const place = { projectId: "p", sessionId: null, type: null, createdAt: 1, files: [] };
    store.db.transaction(() => store.index.put({ kind, ref, title, body, ...place }));
  }

  function embedAll(embedder: Embedder): number {
    let rows = 0;
    for (let batch = embedRows(store.db, embedder, 3); batch; batch = embedRows(store.db, embedder, 3)) {
      const made = batch;
      store.db.transaction(() => store.vectors.put(made));
      rows += made.vectors.length;
    }
    return rows;
  }

  function find(query: string, embedder?: Embedder, filter = {}): string[] {
    const search = openMemorySearch(path, embedder);
    try {
      while (search.refresh());
      return search.find(parseQuery(query), filter, 5).map(({ ref }) => ref);
    } finally {
      search.close();
    }
  }

  it.each([
    ["why do accounts get kicked from their authentication", "logout"],
    ["email campaign recipients deleted", "mail"],
  ])("finds %j, which shares no word with it", (question, ref) => {
    embedAll(words);
    expect(find(question)).not.toContain(ref);
    expect(find(question, words)[0]).toBe(ref);
  });

  it("separates texts with the same words by their letters, with and without vectors", () => {
    put("other", "Cache", "The cache of the concierge was reloaded on Friday.");
    put("meant", "Cache", "The cache of configurations was reloaded on Friday.");
    put("third", "Cache", "The cache of conferences was reloaded on Friday.");
    expect(find("reload cache config")[0]).toBe("meant");
    embedAll(words);
    expect(find("reload cache config", words)[0]).toBe("meant");
  });

  it("finds nothing if nothing is similar", () => {
    embedAll(words);
    expect(find("zebra migration in Tanzania", words)).toEqual([]);
  });

  it("respects filters, exclusions and phrases", () => {
    embedAll(words);
    const question = "email campaign recipients deleted";
    expect(find(question, words, { projectIds: ["another"] })).toEqual([]);
    expect(find(question, words, { kinds: ["question"] })).toEqual([]);
    expect(find(question, words, { from: 2 })).toEqual([]);
    expect(find("page -database", words)).toEqual([]);
    expect(find('"session cookie"', words)).toEqual(["logout"]);
  });

  it("includes rows added after it was opened", () => {
    const search = openMemorySearch(path, words);
    embedAll(words);
    put("late", "Invoices", "Customers are billed at the end of each month by credit card.", "question");
    embedAll(words);
    const [first] = search.find(parseQuery("paying subscription fees"), {}, 5);
    expect(first).toMatchObject({
      ref: "late",
      kind: "question",
      snippet: expect.stringContaining("billed"),
    });
    search.close();
  });

  it("does not rank rows without a vector behind those with one", () => {
    put("old", "From now on never use module3x399", "");
    embedAll(words);
    put("new", "From now on never use module7x399", "");
    expect(find("module7x399", words)).toEqual(["new", "old"]);
  });

  it("embeds every row for a new model, and compares no vectors of different models", () => {
    expect(embedAll(words)).toBe(notes.length);
    expect(embedAll(words)).toBe(0);
    const other: Embedder = { model: "other-64", dimensions: 64, embed: () => new Int8Array(64).fill(1) };
    expect(store.vectors.isBehind(words.model)).toBe(false);
    expect(store.vectors.isBehind(other.model)).toBe(true);
    expect(find("email campaign recipients deleted", other)).toEqual([]);
    expect(embedAll(other)).toBe(notes.length);
    const kept = store.db.all<{ name: string; dimensions: number; bytes: number }>(
      `SELECT m.name, m.dimensions, length(v.vector) AS bytes FROM memory_vectors v JOIN vector_models m ON m.id = v.model`,
    );
    expect(kept).toEqual(notes.map(() => ({ name: "other-64", dimensions: 64, bytes: 64 })));
    expect(find("anything at all", other).length).toBe(notes.length);
  });

  it("deletes the vector with the row, and never reuses its number", () => {
    embedAll(words);
    const rows = (): number[] =>
      store.db.all<{ row: number }>("SELECT row FROM memory_vectors").map(({ row }) => row);
    const before = rows();
    store.db.transaction(() => store.index.remove("message", "mail"));
    expect(rows()).toEqual(before.slice(0, -1));
    expect(store.db.get("SELECT 1 FROM memory_texts WHERE body LIKE 'Bounced%'")).toBeUndefined();
    put("mail", "Newsletter", "Sent on Mondays.");
    embedAll(words);
    expect(rows()).toEqual([...before.slice(0, -1), Math.max(...before) + 1]);
  });

  it("does not write a vector for a row that was forgotten meanwhile", () => {
    const batch = embedRows(store.db, words, 10);
    store.db.transaction(() => store.index.remove("message", "mail"));
    store.db.transaction(() => batch && store.vectors.put(batch));
    expect(store.db.get("SELECT count(*) AS n FROM memory_vectors")).toEqual({ n: notes.length - 1 });
  });
});

describe("an older index", () => {
  it("keeps its rows, their numbers and their files", () => {
    const folder = mkdtempSync(join(tmpdir(), "rk-vectors-"));
    const db = openDatabase(join(folder, "old.db"));
    try {
      const all = loadStoreMigrations();
      migrate(
        db,
        all.filter(({ version }) => version < 4),
      );
      db.script(`INSERT INTO memory_rows (rowid, kind, ref, project_id, created_at) VALUES (3, 'observation', 'a', 'p', 1), (7, 'prompt', 'b', 'p', 2);
        INSERT INTO memory_files (path, row) VALUES ('src/a.ts', 3), ('src/b.ts', 7)`);
      migrate(db, all);
      expect(db.all("SELECT rowid, ref FROM memory_rows")).toEqual([
        { rowid: 3, ref: "a" },
        { rowid: 7, ref: "b" },
      ]);
      db.run("DELETE FROM memory_rows WHERE rowid = 7");
      expect(db.all("SELECT path, row FROM memory_files")).toEqual([{ path: "src/a.ts", row: 3 }]);
      db.run("INSERT INTO memory_rows (kind, ref, project_id, created_at) VALUES ('question', 'c', 'p', 3)");
      expect(db.get("SELECT rowid FROM memory_rows WHERE ref = 'c'")).toEqual({ rowid: 8 });
    } finally {
      db.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe("the daemon", () => {
  const rookeries = useRookeriesWithoutRooms();

  it("embeds stored text in the background, shows it in `why`, and repeats it when the model changes", async () => {
    const rookery = await rookeries.started();
    const text = "Users were signed out at random because the session cookie expired after five minutes.";
    const saved = await rookery.call("POST", "/api/notes", { project: "/nowhere/shop", text });
    const look = async () => {
      const query = encodeURIComponent("people get logged off unexpectedly");
      return (await rookery.call("GET", `/api/search?q=${query}`)).json.results[0];
    };
    await waitFor(async () => (await look()) !== undefined, { describe: "the paraphrase to be found" });
    expect(await look()).toMatchObject({ id: saved.json.id, why: expect.stringMatching(/similar text/) });

    await rookery.cli("stop");
    const db = openDatabase(rookery.home.database);
    db.script("UPDATE vector_models SET name = 'of-old'; UPDATE memory_vectors SET vector = zeroblob(256)");
    db.close();
    await rookery.start();
    await waitFor(async () => (await look()) !== undefined, { describe: "the row to be embedded again" });
    await rookery.call("DELETE", `/api/notes/${saved.json.id}`);
    expect(await look()).toBeUndefined();
    const after = openDatabase(rookery.home.database, { readOnly: true });
    expect(after.get("SELECT count(*) AS n FROM memory_vectors")).toEqual({ n: 0 });
    after.close();
  });
});
