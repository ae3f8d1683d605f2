// `npm run bench:recall`: was the session given what its next turn needed? An offline replay with the
// real search, texts and thresholds, for two kinds of need:
// next turn    the labelled sessions, split: things that a later turn mentions again, with other sessions in between;
// weeks later  the questions of a person who returns.
// `named`: its row was in the index, or the note was given. `said`: the words that every correct note of it contains were
// there. `in full`: it was given at the prompt or at a file. `used`: share of the index rows that were needed.
// Formats and budgets are compared on the tuning halves; `--held` reports the others.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type ContextNote,
  type ContextShape,
  contextShape,
  makeContext,
} from "../../src/domain/memory/context.ts";
import { parsePrompt } from "../../src/domain/memory/query.ts";
import { choosePromptRecall, formatFileRecall, formatPromptRecall } from "../../src/domain/memory/recall.ts";
import { estimateTokens } from "../../src/domain/memory/tokens.ts";
import { openMemoryIndex } from "../../src/store/memory-index.ts";
import { type Found, type MemorySearch, openMemorySearch } from "../../src/store/memory-search.ts";
import { migrate } from "../../src/sqlite/migrate.ts";
import { loadStoreMigrations } from "../../src/store/store-migrations.ts";
import { openDatabase } from "../../src/sqlite/sqlite.ts";
import { countTokens } from "./count-tokens.ts";
import { type Need, type NeedSet, type Note, readLater, readNext } from "./needs.ts";
import { formatSection } from "./report.ts";
import { contains } from "./sessions.ts";

const half = process.argv.includes("--held") ? "held" : "tune";
const folder = mkdtempSync(join(tmpdir(), "rk-replay-"));
const iso = (ms: number): string => new Date(ms).toISOString();
const clock = { date: (ms: number) => iso(ms).slice(0, 10), time: (ms: number) => iso(ms).slice(11, 16) };
const mostRows = 50;
const mostNotes = 400;

interface Policy {
  name: string;
  budget: number;
  /** Whether a prompt may bring in full a note that the index only named. */
  repeats: boolean;
  shape: ContextShape;
}

const base = { budget: 1_000, repeats: true, shape: contextShape };
const anyScore = { rules: 0, decisions: 0, knowledge: 0, work: 0 };
const policies: Policy[] = [
  { ...base, name: "no index", budget: 0 },
  { ...base, name: "in force" },
  { ...base, name: "what it named is not said in full", repeats: false },
  { ...base, name: "without the diary", shape: { ...contextShape, diary: 0 } },
  { ...base, name: "six diary rows", shape: { ...contextShape, diary: 6 } },
  { ...base, name: "rows of any score", shape: { ...contextShape, minScore: anyScore } },
  { ...base, name: "500 tokens", budget: 500 },
  { ...base, name: "2,000 tokens", budget: 2_000 },
];

interface Told {
  ids: Set<string>;
  wholeIds: Set<string>;
  texts: string[];
  indexRows: string[];
}

try {
  const sets = [
    readNext(half, 0),
    readNext(half, 5),
    readNext(half, 15),
    readLater(half, 1),
    readLater(half, 7),
    readLater(half, 14),
  ];
  for (const set of sets) report(set);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function report(set: NeedSet): void {
  const { search, close } = openSearch(set);
  const wanted = set.needs.reduce((sum, need) => sum + need.wanted.length, 0);
  const hasWords = set.needs.some((need) => need.wanted.some(({ about }) => about.length > 0));
  const rows = policies.map((policy) => {
    const told = set.needs.map((need) => ({ need, told: replay(need, policy, search) }));
    const count = (test: (told: Told, want: Need["wanted"][number]) => boolean): number =>
      told.reduce((sum, { need, told }) => sum + need.wanted.filter((want) => test(told, want)).length, 0);
    const share = (n: number): string => `${Math.round((100 * n) / wanted)} %`;
    const average = (measure: (told: Told) => number): number =>
      told.reduce((sum, { told }) => sum + measure(told), 0) / told.length;
    const rowsShown = told.reduce((sum, { told }) => sum + told.indexRows.length, 0);
    const rowsUsed = told.reduce(
      (sum, { need, told }) =>
        sum + told.indexRows.filter((id) => need.wanted.some(({ ids }) => ids.has(id))).length,
      0,
    );
    return [
      policy.name,
      share(count(({ ids }, want) => [...want.ids].some((id) => ids.has(id)))),
      hasWords ? share(count(({ texts }, { about }) => contains(texts.join("\n"), about))) : "–",
      share(count(({ wholeIds }, want) => [...want.ids].some((id) => wholeIds.has(id)))),
      average(({ indexRows }) => indexRows.length),
      rowsShown === 0 ? "–" : `${((100 * rowsUsed) / rowsShown).toFixed(1)} %`,
      average(({ texts }) => texts.reduce((sum, text) => sum + estimateTokens(text), 0)),
      average(({ texts }) => texts.reduce((sum, text) => sum + countTokens(text), 0)),
    ];
  });
  console.log(
    formatSection({
      title: `${set.name} (${half}): ${set.needs.length} turns, ${wanted} things needed`,
      columns: ["", "named", "said", "in full", "rows", "used", "tokens (est.)", "(o200k)"],
      rows,
      bars: [],
    }),
  );
  close();
}

function replay(need: Need, policy: Policy, search: MemorySearch): Told {
  const known = new Map(need.notes.map((note) => [note.id, note]));
  const notes = need.notes.slice(0, mostNotes).map(
    ({ id, type, title, text, files, createdAt, worth }): ContextNote => ({
      id,
      type,
      title,
      narrative: text,
      facts: [],
      files,
      createdAt,
      tokens: estimateTokens(text),
      ...{
        hasEdits: false,
        turnsAfter: 0,
        worktree: null,
        source: worth === undefined ? "composed" : "agent",
        isPinned: false,
        worth: worth ?? null,
        uses: 0,
      },
    }),
  );
  const index = makeContext(
    {
      project: "p",
      notes,
      sessions: need.sessions,
      clock,
      budgetTokens: policy.budget,
      maxCharacters: 9_800,
      maxRows: mostRows,
      maxSessions: 10,
      shortIdOf: (id) => id.slice(-4),
    },
    policy.shape,
  );
  const named = index.rows.filter(({ kind }) => kind === "note").map(({ id }) => id);
  const shown = new Set(policy.repeats ? [] : named);
  const query = parsePrompt(need.prompt);
  const found = query ? search.find(query, {}, 20).filter(({ ref }) => known.has(ref)) : [];
  const recalled = choosePromptRecall(
    found.map((hit) => withBody(hit, known)),
    query?.words ?? [],
    (id) => shown.has(id),
  );
  for (const { ref } of recalled) shown.add(ref);
  const texts = [index.text, ...(recalled.length > 0 ? [formatPromptRecall(recalled)] : [])];
  const whole = recalled.map(({ ref }) => ref);
  for (const file of need.files) {
    const about = need.notes.filter(({ id, files }) => files.includes(file) && !shown.has(id)).slice(0, 3);
    if (about.length === 0) continue;
    for (const { id } of about) shown.add(id);
    whole.push(...about.map(({ id }) => id));
    texts.push(
      formatFileRecall(
        file,
        about.map(({ id, type, title, text }) => ({
          ref: id,
          type,
          title,
          body: text,
          coverage: 1,
          matched: [],
        })),
      ),
    );
  }
  return {
    ids: new Set([...named, ...whole]),
    wholeIds: new Set(whole),
    texts,
    indexRows: named,
  };
}

function withBody(hit: Found, known: Map<string, Note>) {
  return { ...hit, body: known.get(hit.ref)?.text ?? "" };
}

function openSearch({ name, notes }: NeedSet): { search: MemorySearch; close(): void } {
  const path = join(folder, `${name.replace(/\W+/g, "-")}.db`);
  const db = openDatabase(path);
  migrate(db, loadStoreMigrations());
  const index = openMemoryIndex(db);
  db.run("INSERT INTO projects (id, path, name, created_at, origin) VALUES ('p', 'p', 'p', 0, '')");
  db.transaction(() => {
    for (const { id, type, title, text, files, createdAt } of notes) {
      db.run(
        `INSERT INTO observations (id, project_id, type, title, narrative, facts, concepts, files_read, files_modified, source_events,
           tokens, provenance, hash, created_at, updated_at, origin)
         VALUES (?1, 'p', ?2, ?3, ?4, '[]', '[]', '[]', '[]', '[]', 0, 'bench', ?1, ?5, ?5, '')`,
        ...[id, type, title, text, createdAt],
      );
      index.put({
        kind: "observation",
        ref: id,
        projectId: "p",
        sessionId: null,
        type,
        createdAt,
        title,
        body: text,
        files,
      });
    }
  });
  const search = openMemorySearch(path);
  return {
    search,
    close() {
      search.close();
      db.close();
    },
  };
}
