import type { Query } from "../domain/memory/query.ts";
import { listTurnsOnce } from "../domain/memory/one-per-turn.ts";
import { type Candidate, choosePromising, isRelevant, rank, type Ranking } from "../domain/memory/rank.ts";
import { compareSpelling } from "../domain/memory/spelling.ts";
import { makeThesaurus, type Synonyms, type Thesaurus } from "../domain/memory/thesaurus.ts";
import { type MatchTerm, type MatchText, matchWords } from "../domain/memory/word-match.ts";
import { cosine, type Vector } from "../domain/memory/vector/vector.ts";
import { dropStopWords } from "../domain/memory/stop-words.ts";
import { estimateTokens } from "../domain/memory/tokens.ts";
import { embedText } from "./embed-rows.ts";
import type { Embedder } from "./embedder.ts";
import { type HitExplanation, makeExplainer } from "./explain-hit.ts";
import type { MemoryKind } from "./memory-index.ts";
import { makeConditions, matchUnfinished, quote, type SearchFilter } from "./memory-match.ts";
import { type RowText, readText, searchedText } from "./memory-text.ts";
import { openDatabase } from "../sqlite/sqlite.ts";
import { openStemmer, openWordCounts, type Stemmer } from "./index-words.ts";
import { openEmbeddingSearch } from "./embedding-search.ts";
import { openVectorScan } from "./vector-scan.ts";
import type { VectorModel } from "./vector-table.ts";
import { isNarrow, maxRanked, searchWords } from "./word-search.ts";

interface Hit extends Candidate, Ranking {
  kind: MemoryKind;
  ref: string;
  projectId: string;
  /** The turn it came from, if any. */
  turnId?: string | undefined;
  /** No row contains the requested phrase: this is only a near match. */
  isInexact?: boolean;
}

type Unranked = Omit<Hit, keyof Ranking>;

/** A hit with its text and the reasons it matched. */
export interface Found extends Hit, HitExplanation {
  title: string;
  type: string | null;
  /** Estimated size of its full text. */
  tokens: number;
  /** Ids of other hits that say the same, according to the vectors of the endpoint's model. */
  twinOf: string[];
}

/**
 * The read side of search, on its own connection. `wanted`: the query's vector from the endpoint's model, if there is
 * one.
 */
export interface MemorySearch {
  search(query: Query, filter: SearchFilter, limit: number, wanted?: Vector): Hit[];
  /** Like `search`, with text and explanation. */
  find(query: Query, filter: SearchFilter, limit: number, wanted?: Vector): Found[];
  /** Loads some of the vectors added since the last call. False when none are left. */
  refresh(): boolean;
  close(): void;
}

/** Number of rows whose full vectors are compared, chosen by their signs. */
const maxNear = { ordinary: 100, hurried: 40 };
/** Rows compared letter by letter, at some hundredths of a millisecond each; lower-ranked rows hardly ever reach the top. */
const maxSpelled = { ordinary: 120, hurried: 60 };
/** Number of rows without a vector that are embedded during the search: those with the best word scores. */
const maxWaiting = 20;
/** A turn has several rows; each turn is listed once. */
const rowsPerTurn = 5;
/** Vectors loaded per call: a few milliseconds. */
const maxRefreshed = 250;

const turnOf = `CASE r.kind WHEN 'observation' THEN (SELECT turn_id FROM observations WHERE id = r.ref)
  WHEN 'summary' THEN (SELECT turn_id FROM summaries WHERE id = r.ref)
  WHEN 'prompt' THEN (SELECT turn_id FROM prompts WHERE event_id = r.ref) END`;

/** Without an embedder, search uses words only. `endpoint`: the model with the better vectors, if one is set up. */
export function openMemorySearch(path: string, embedder?: Embedder, endpoint?: VectorModel): MemorySearch {
  const db = openDatabase(path, { readOnly: true });
  const stemmer = openStemmer();
  const synonymsOf = openThesaurus(stemmer);
  const counts = openWordCounts(db);
  const scan = embedder && openVectorScan(db, embedder.model, embedder.dimensions);
  const embeddings = endpoint && openEmbeddingSearch(db, endpoint);

  /** Adds rows with a similar meaning to those that match the words. Phrases and exclusions apply to words only. */
  function searchMeaning(
    query: Query,
    filter: SearchFilter,
    byWords: Map<number, number>,
    better: Vector | undefined,
  ): Map<number, number> {
    const isAboutWords = query.phrases.length + query.excluded.length > 0;
    const isFiltered = isNarrow(filter) || filter.types !== undefined;
    const depth = isFiltered ? maxRanked.filtered : maxNear[paceOf(query)];
    const byTable = searchTable(query, filter, byWords, isAboutWords ? 0 : depth);
    if (!embeddings || !better) return byTable;
    const known = [...byWords.keys(), ...byTable.keys()];
    // A row with both kinds of vectors is scored by the better one, even if that lowers its score.
    return new Map([...byTable, ...embeddings.compare(better, filter, known, isAboutWords ? 0 : depth)]);
  }

  function searchTable(
    query: Query,
    filter: SearchFilter,
    byWords: Map<number, number>,
    depth: number,
  ): Map<number, number> {
    const wanted = embedder?.embed(query.text);
    if (!scan || !wanted) return new Map();
    scan.refresh(maxRefreshed);
    const near = depth === 0 ? [] : scan.nearest(wanted, filter, depth);
    const vectors = scan.read([...new Set([...byWords.keys(), ...near])]);
    const waiting = [...byWords.keys()].filter((row) => !vectors.has(row)).slice(0, maxWaiting);
    const all = [...vectors, ...embedNow(waiting)];
    return new Map(all.map(([row, vector]) => [row, cosine(wanted, vector)]));
  }

  /** Rare words weigh more. */
  function weightOf(word: string): number {
    return Math.log(1 + counts.total() / (1 + counts.rowsWith(word)));
  }

  /** Rows stored a moment ago have no vector yet and must not rank below all that have one. */
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

  function listTerms({ words, phrases }: Query): MatchTerm[] {
    const asked = [...new Set([...words, ...phrases.flat()])];
    return stemmer.stem(asked).map((stem, n) => ({
      stem,
      synonyms: synonymsOf(stem),
      weight: weightOf(asked[n] as string),
    }));
  }

  function readTexts(query: Query, candidates: readonly Unranked[]): void {
    const texts = candidates.map((one) => {
      const read = readText(db, one);
      one.isBrief = isBrief(one.kind, read);
      return read;
    });
    const matches = matchWords(listTerms(query), texts.map(splitText), stemmer.stem);
    const spelled = texts.map((read) => `${read.title} ${searchedText(read)}`);
    compareSpelling(query.text, spelled).forEach((spellingScore, n) => {
      const one = candidates[n];
      if (one) Object.assign(one, { spellingScore, match: matches[n] });
    });
  }

  /** The result of a query without words: the newest rows that pass the filters. */
  function listNewest(filter: SearchFilter, limit: number): Hit[] {
    const { sql, values } = makeConditions(filter);
    const count = limit * rowsPerTurn;
    const rows = db.all<Omit<Hit, keyof Ranking | "wordScore" | "spellingScore" | "cosine">>(
      `SELECT r.rowid AS row, r.kind, r.ref, r.project_id AS projectId, r.session_id AS sessionId, r.created_at AS createdAt,
         ${turnOf} AS turnId FROM memory_rows r WHERE true ${sql} ORDER BY r.created_at DESC, r.rowid DESC LIMIT ?`,
      ...values,
      count,
    );
    const hits = rows.map((one, place) => ({
      ...one,
      turnId: one.turnId || undefined,
      wordScore: 0,
      spellingScore: undefined,
      cosine: undefined,
      borrowed: 0,
      score: 1 - place / count,
    }));
    return listTurnsOnce(hits).slice(0, limit);
  }

  function search(query: Query, filter: SearchFilter, limit: number, wanted?: Vector): Hit[] {
    if (isWithoutWords(query)) return isNarrow(filter) ? listNewest(filter, limit) : [];
    const matchWord = (word: string): string => {
      if (word === query.unfinished) return matchUnfinished(word, stemmer);
      const beginning = query.forms?.[word];
      return beginning === undefined ? quote(word) : `(${quote(word)} OR ${quote(beginning)} *)`;
    };
    const byWords = searchWords(db, counts, query, filter, limit, matchWord);
    const byMeaning = searchMeaning(query, filter, byWords, wanted);
    const { sql, values } = makeConditions(filter);
    // CROSS JOIN: go from the few hits to their rows, never from all rows of a project to the hits.
    const rows = db.all<Omit<Hit, keyof Ranking | "wordScore" | "spellingScore" | "cosine">>(
      `SELECT r.rowid AS row, r.kind, r.ref, r.project_id AS projectId, r.session_id AS sessionId, r.created_at AS createdAt,
         ${turnOf} AS turnId FROM json_each(?) found CROSS JOIN memory_rows r ON r.rowid = found.value ${sql}`,
      JSON.stringify([...new Set([...byWords.keys(), ...byMeaning.keys()])]),
      ...values,
    );
    if (rows.length === 0 && query.phrases.length > 0)
      return search(withoutPhrases(query), filter, limit, wanted).map(markInexact);
    const candidates = rows
      .map(
        (one): Unranked => ({
          ...one,
          turnId: one.turnId || undefined,
          wordScore: byWords.get(one.row) ?? 0,
          spellingScore: undefined,
          cosine: byMeaning.get(one.row),
        }),
      )
      .filter(isRelevant);
    const total = counts.total();
    readTexts(query, choosePromising(candidates, total, maxSpelled[paceOf(query)]));
    return listTurnsOnce(
      rank(candidates, total, query.isHurried).map((hit) => ({ ...hit, turnId: hit.turnId })),
    ).slice(0, limit);
  }

  return {
    search,
    find(query, filter, limit, wanted) {
      const explain = makeExplainer(query, counts, stemmer);
      const hits = search(query, filter, limit, wanted);
      const twins = embeddings?.findTwins(hits);
      return hits.map((hit) => {
        const text: RowText = readText(db, hit);
        const twinOf = twins?.get(hit.row) ?? [];
        const { title, body, type } = text;
        const tokens = estimateTokens(`${title}\n${body}`);
        // A short prompt is its own title; of a long one, the matching part is shown.
        const shown = title || (body.length <= maxPromptTitle ? body : "");
        return { ...hit, title: shown, type, tokens, ...explain(text), twinOf };
      });
    },
    refresh() {
      synonymsOf("");
      const isTableBehind = scan?.refresh(maxRefreshed) ?? false;
      const isEndpointBehind = embeddings?.refresh(maxRefreshed) ?? false;
      return isTableBehind || isEndpointBehind;
    },
    close() {
      db.close();
      stemmer.close();
    },
  };
}

/** Built when first used, before the first search if possible: it takes some 50 ms. */
function openThesaurus(stemmer: Stemmer): (stem: string) => Synonyms {
  let made: Thesaurus | undefined;
  return (stem) => {
    made ??= makeThesaurus(stemmer.stem);
    return made(stem);
  };
}

const maxPromptTitle = 100;

/** A turn is its prompt and its answer, any other text its title and its body. */
function splitText({ title, body, answer }: RowText): MatchText {
  return answer
    ? { lead: title || body, said: searchedText({ body: title ? body : "", answer }) }
    : { lead: title, said: body };
}

/** A brief prompt with an answer of at least this length is informative. */
const minAnswer = 100;

/** A prompt or request of one or two words, or a summary without results: its prompt says the same and has the answer. */
function isBrief(kind: MemoryKind, { title, body, answer }: RowText): boolean {
  if (kind !== "prompt" && kind !== "summary") return false;
  const isShort = (title || body).trim().split(/\s+/, 3).length < 3;
  return (isShort && (answer?.length ?? 0) < minAnswer) || (kind === "summary" && body.trim() === "");
}

function isWithoutWords({ text, words, phrases, excluded }: Query): boolean {
  return text.trim() === "" && words.length + phrases.length + excluded.length === 0;
}

function paceOf({ isHurried }: Query): "ordinary" | "hurried" {
  return isHurried ? "hurried" : "ordinary";
}

/** No row has the exact phrase: near matches, marked as such, are better than none. */
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
