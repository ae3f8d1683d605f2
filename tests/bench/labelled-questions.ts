// The questions of tests/labels about real sessions, and a memory with those sessions. Used by `npm run
// bench:session-search` and `scripts/train-rank.ts`.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { importTurn } from "../../src/daemon/import/import-turn.ts";
import { findTranscripts } from "../../src/daemon/transcripts/find-transcripts.ts";
import { openTranscriptReader } from "../../src/daemon/transcripts/transcript-reader.ts";
import { makeExclusion } from "../../src/domain/capture/exclude.ts";
import { parsePrompt, type Query } from "../../src/domain/memory/query.ts";
import type { RecallCandidate } from "../../src/domain/memory/recall.ts";
import { embedRows } from "../../src/store/embed-rows.ts";
import { openEmbedder } from "../../src/store/embedder.ts";
import { type MemorySearch, openMemorySearch } from "../../src/store/memory-search.ts";
import { openStore, type Store } from "../../src/store/open-store.ts";

export interface Question {
  project: string;
  text: string;
  /** The turns that answer it, as `session:number`. */
  turns: string[];
  /** A task for a later session instead of a question: only for recall. */
  isTask?: true;
}

export interface LabelledSessions {
  search: MemorySearch;
  projectIdsOf(root: string): string[];
  /** `session:number` of a turn. */
  labelOf(turnId: string | undefined): string;
  /** Whether it comes from one of these turns, entirely or in part. */
  isFrom(hit: { ref?: string; turnId?: string | undefined }, turns: readonly string[]): boolean;
  /** The search of a prompt, as recall does it; undefined if the prompt is not searched for. */
  searchPrompt(text: string, root: string): { query: Query; found: RecallCandidate[] } | undefined;
  /** Prompts of other people, each with a project that it has nothing to do with. */
  listUnrelated(of: (person: string) => boolean): { text: string; root: string; by: string }[];
  close(): void;
}

export const heldPerson = "cedricteyton";
export const choosingPeople = ["gtrrz-victor", "paul"];
/** Most of these people work on one tool; only these projects are unrelated to those of the others. */
const ownProjects = ["michael", "jan", heldPerson];

export function personOf(path: string): string {
  return path.split("/")[2] ?? "";
}

export function readQuestions(): Question[] {
  return readFileSync(new URL("../labels/questions.jsonl", import.meta.url), "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Question);
}

/** `from`: a Claude Code folder with the sessions that the labels refer to. */
export async function openLabelledSessions(from: string): Promise<LabelledSessions> {
  const folder = mkdtempSync(join(tmpdir(), "rk-session-search-"));
  const path = join(folder, "rookery.db");
  const store = openStore(path, Date.now);
  await importAll(store, from);
  const search = openMemorySearch(path, openEmbedder());
  while (search.refresh());
  const labels = new Map(
    store.db
      .all<{ id: string; label: string }>("SELECT id, session_id || ':' || number AS label FROM turns")
      .map(({ id, label }) => [id, label]),
  );
  const labelOf = (turnId: string | undefined): string => labels.get(turnId ?? "") ?? "";
  const projectIdsOf = (root: string): string[] =>
    store.projects
      .all()
      .filter((row) => row.path === root || row.path.startsWith(`${root}/`))
      .map(({ id }) => id);
  return {
    search,
    projectIdsOf,
    labelOf,
    isFrom: ({ ref, turnId }, turns) =>
      [turnId, ...store.notes.listFurtherTurns(ref ?? "")].some((id) => turns.includes(labelOf(id))),
    searchPrompt(text, root) {
      const query = parsePrompt(text);
      if (!query) return undefined;
      const filter = {
        projectIds: projectIdsOf(root),
        kinds: ["observation", "summary", "prompt"],
      } as const;
      return { query, found: search.find(query, filter, 8).map((hit) => ({ ...hit, body: hit.snippet })) };
    },
    listUnrelated(isOf) {
      const roots = new Map(readQuestions().map(({ project }) => [personOf(project), project]));
      const people = ownProjects.filter(isOf);
      return store.db
        .all<{ text: string; cwd: string | null }>(
          "SELECT p.text, s.cwd FROM prompts p JOIN sessions s ON s.id = p.session_id WHERE p.machine = 0 ORDER BY p.event_id",
        )
        .filter((_, n) => n % 3 === 0)
        .flatMap(({ text, cwd }, n) => {
          const by = personOf(cwd ?? "");
          const others = people.filter((person) => person !== by);
          const root = roots.get(others[n % others.length] ?? "");
          return root ? [{ text, root, by }] : [];
        });
    },
    close() {
      search.close();
      store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function importAll(store: Store, from: string): Promise<void> {
  const files = await findTranscripts(from);
  const places = files.map((file) => ({
    host: "claude-code",
    path: file.path,
    sessionId: "",
    cwd: null,
    fromByte: 0,
  }));
  const reader = openTranscriptReader(places, makeExclusion([]));
  for (let pieces = await reader.next(); pieces.length > 0; pieces = await reader.next())
    store.db.transaction(() => {
      for (const { file, turns, end } of pieces)
        for (const turn of [...turns, ...(end?.lastTurn ? [end.lastTurn] : [])]) {
          const source = files[file];
          if (source) importTurn(store, turn, source, Date.now);
        }
    });
  const embedder = openEmbedder();
  for (let batch = embedRows(store.db, embedder, 500); batch; batch = embedRows(store.db, embedder, 500)) {
    const made = batch;
    store.db.transaction(() => store.vectors.put(made));
  }
}
