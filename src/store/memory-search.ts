import type { Query } from "../domain/memory/query.ts";
import { listTurnsOnce } from "../domain/memory/one-per-turn.ts";
import { type Candidate, choosePromising, isFind, rank, type Ranking } from "../domain/memory/rank.ts";
import { compareSpelling } from "../domain/memory/spelling.ts";
import { cosine, type Vector } from "../domain/memory/vector/vector.ts";
import { dropStopWords } from "../domain/memory/stop-words.ts";
import { embedText } from "./embed-rows.ts";
import type { Embedder } from "./embedder.ts";
import { type Explained, makeExplainer } from "./explain-hit.ts";
import type { MemoryKind } from "./memory-index.ts";
import { makeConditions, quote, type SearchFilter } from "./memory-match.ts";
import { type RowText, readText } from "./memory-text.ts";
import { openDatabase } from "../sqlite/sqlite.ts";
import { openStemmer } from "./stemmer.ts";
import { matchUnfinished } from "./unfinished-word.ts";
import { openVectorScan } from "./vector-scan.ts";
import { openWordCounts } from "./word-counts.ts";
import { isNarrow, most, searchWords } from "./word-search.ts";

export interface Hit extends Candidate, Ranking {
  kind: MemoryKind;
  ref: string;
  projectId: string;
  /** The turn it was made of, if any. */
  turnId?: string | undefined;
  /** A phrase was asked for and nothing has it: this is merely near. */
  isInexact?: boolean;
}

type Unranked = Omit<Hit, keyof Ranking>;

/** A hit with what a reader needs to judge it. */
export interface Found extends Hit, Explained {
  title: string;
  type: string | null;
}

/** The reading side of search, on a connection of its own. */
export interface MemorySearch {
  search(query: Query, filter: SearchFilter, limit: number): Hit[];
  /** The same, read and explained. */
  find(query: Query, filter: SearchFilter, limit: number): Found[];
  /** Takes in some of the vectors that were made since. False when none are left. */
  refresh(): boolean;
  close(): void;
}

/** Rows that are compared by their whole vectors, after their signs. */
const mostNear = { ordinary: 100, hurried: 40 };
/** Rows that are read letter by letter, at some hundredths of a millisecond each; what stands further down hardly ever comes to the top. */
const mostSpelled = { ordinary: 60, hurried: 30 };
/** Rows without a vector that are given one for the search: the best by their words. */
const mostWaiting = 20;
/** So many vectors are taken in at once: a few milliseconds. */
const mostRefreshed = 250;

const turnOf = `CASE r.kind WHEN 'observation' THEN (SELECT turn_id FROM observations WHERE id = r.ref)
  WHEN 'summary' THEN (SELECT turn_id FROM summaries WHERE id = r.ref)
  WHEN 'prompt' THEN (SELECT turn_id FROM prompts WHERE event_id = r.ref) END`;

/** Without an embedder, words alone. */
export function openMemorySearch(path: string, embedder?: Embedder): MemorySearch {
  const db = openDatabase(path, { readOnly: true });
  const stemmer = openStemmer();
  const counts = openWordCounts(db);
  const scan = embedder && openVectorScan(db, embedder.model, embedder.dimensions);

  /** What is near in meaning, beside what has the words. Phrases and exclusions are a matter of words alone. */
  function searchMeaning(
    query: Query,
    filter: SearchFilter,
    byWords: Map<number, number>,
  ): Map<number, number> {
    const wanted = embedder?.embed(query.text);
    if (!scan || !wanted) return new Map();
    scan.refresh(mostRefreshed);
    const isAboutWords = query.phrases.length + query.excluded.length > 0;
    const isFiltered = isNarrow(filter) || filter.types !== undefined;
    const depth = isFiltered ? most.filtered : mostNear[paceOf(query)];
    const near = isAboutWords ? [] : scan.nearest(wanted, filter, depth);
    const vectors = scan.read([...new Set([...byWords.keys(), ...near])]);
    const waiting = [...byWords.keys()].filter((row) => !vectors.has(row)).slice(0, mostWaiting);
    const all = [...vectors, ...embedNow(waiting)];
    return new Map(all.map(([row, vector]) => [row, cosine(wanted, vector)]));
  }

  /** What was stored a moment ago has no vector yet, and must not stand behind all that has one. */
  function embedNow(rows: readonly number[]): [number, Vector][] {
    if (!embedder || rows.length === 0) return [];
    return db
      .all<{ row: number; kind: MemoryKind; ref: string }>(
        "SELECT r.rowid AS row, r.kind, r.ref FROM json_each(?) waiting CROSS JOIN memory_rows r ON r.rowid = waiting.value",
        JSON.stringify(rows),
      )
      .flatMap((one) => {
        const vector = embedText(embedder, readText(db, one));
        return vector ? [[one.row, vector]] : [];
      });
  }

  function readSpelling(query: Query, candidates: readonly Unranked[]): void {
    const texts = candidates.map((one) => {
      const { title, body } = readText(db, one);
      return `${title} ${body}`;
    });
    compareSpelling(query.text, texts).forEach((spelling, n) => {
      const one = candidates[n];
      if (one) one.spelling = spelling;
    });
  }

  function search(query: Query, filter: SearchFilter, limit: number): Hit[] {
    const matchWord = (word: string): string => {
      if (word === query.unfinished) return matchUnfinished(word, stemmer);
      const beginning = query.forms?.[word];
      return beginning === undefined ? quote(word) : `(${quote(word)} OR ${quote(beginning)} *)`;
    };
    const byWords = searchWords(db, counts, query, filter, limit, matchWord);
    const byMeaning = searchMeaning(query, filter, byWords);
    const { sql, values } = makeConditions(filter);
    // CROSS JOIN: from the few that were found to their rows, never from all rows of a project to the few.
    const rows = db.all<Omit<Hit, keyof Ranking | "words" | "spelling" | "meaning">>(
      `SELECT r.rowid AS row, r.kind, r.ref, r.project_id AS projectId, r.session_id AS sessionId, r.created_at AS createdAt,
         ${turnOf} AS turnId FROM json_each(?) found CROSS JOIN memory_rows r ON r.rowid = found.value ${sql}`,
      JSON.stringify([...new Set([...byWords.keys(), ...byMeaning.keys()])]),
      ...values,
    );
    if (rows.length === 0 && query.phrases.length > 0)
      return search(withoutPhrases(query), filter, limit).map(markInexact);
    const candidates = rows
      .map(
        (one): Unranked => ({
          ...one,
          turnId: one.turnId || undefined,
          words: byWords.get(one.row) ?? 0,
          spelling: undefined,
          meaning: byMeaning.get(one.row),
        }),
      )
      .filter(isFind);
    const total = counts.total();
    readSpelling(query, choosePromising(candidates, total, mostSpelled[paceOf(query)]));
    return listTurnsOnce(rank(candidates, total).map((hit) => ({ ...hit, turnId: hit.turnId }))).slice(
      0,
      limit,
    );
  }

  return {
    search,
    find(query, filter, limit) {
      const explain = makeExplainer(query, counts, stemmer);
      return search(query, filter, limit).map((hit) => {
        const text: RowText = readText(db, hit);
        return { ...hit, title: text.title, type: text.type, ...explain(text) };
      });
    },
    refresh: () => scan?.refresh(mostRefreshed) ?? false,
    close() {
      db.close();
      stemmer.close();
    },
  };
}

function paceOf({ isHurried }: Query): "ordinary" | "hurried" {
  return isHurried ? "hurried" : "ordinary";
}

/** Nobody has the exact words: the nearest, said to be that, are better than nothing. */
function withoutPhrases({ words, phrases, ...query }: Query): Query {
  return {
    ...query,
    words: [...new Set([...words, ...dropStopWords(phrases.flat())])],
    phrases: [],
  };
}

function markInexact(hit: Hit): Hit {
  return { ...hit, isInexact: true };
}
