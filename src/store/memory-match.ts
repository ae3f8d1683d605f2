import type { Query } from "../domain/memory/query.ts";
import { type MemoryKind, scopeToken } from "./memory-index.ts";
import type { Stemmer } from "./index-words.ts";
import type { Value } from "../sqlite/sqlite.ts";

export interface SearchFilter {
  projectIds?: readonly string[];
  kinds?: readonly MemoryKind[];
  types?: readonly string[];
  sessionId?: string;
  host?: string;
  file?: string;
  /** Direct children only. */
  folder?: string;
  from?: number;
  to?: number;
}

/** Builds the MATCH expression. Undefined if there is nothing to search for. */
export function makeMatch(
  query: Query,
  groups: readonly (readonly string[])[],
  scopes: readonly string[][],
  matchWord: (word: string) => string,
): string | undefined {
  const phrases = query.phrases.map(quotePhrase);
  // A phrase is required; other words only affect the ranking, so they are placed where the phrase alone satisfies the
  // match.
  const together = groups.map((words) => `(${words.map(matchWord).join(" AND ")})`);
  const anyOf = [...(together.length > 0 ? phrases : []), ...together].join(" OR ");
  const positive = [...phrases, ...(anyOf ? [`(${anyOf})`] : [])].map(
    (part) => `{title body pieces} : ${part}`,
  );
  if (positive.length === 0) return undefined;
  const scoped = scopes.map((tokens) => `scope : (${tokens.join(" OR ")})`);
  const all = [...scoped, ...positive].map((part) => `(${part})`).join(" AND ");
  return query.excluded
    .filter((excluded) => excluded.length > 0)
    .reduce((match, excluded) => `(${match}) NOT ({title body pieces} : ${quotePhrase(excluded)})`, all);
}

/** One list of alternatives for each filter that the index supports. */
export function scopesOf(filter: SearchFilter): string[][] {
  const tokens = (what: "project" | "kind" | "type", values: readonly string[] = []): string[] =>
    values.map((value) => scopeToken(what, value));
  const all = [
    tokens("project", filter.projectIds),
    tokens("kind", filter.kinds),
    tokens("type", filter.types),
  ];
  return all.filter((alternatives) => alternatives.length > 0);
}

/** The filters as conditions on `memory_rows r`. */
export function makeConditions(filter: SearchFilter): { sql: string; values: Value[] } {
  const parts: string[] = [];
  const values: Value[] = [];
  const add = (sql: string, ...bound: Value[]): void => {
    parts.push(`AND ${sql}`);
    values.push(...bound);
  };
  const oneOf = (column: string, allowed: readonly string[] = []): void => {
    if (allowed.length > 0) add(`${column} IN (${allowed.map(() => "?").join(", ")})`, ...allowed);
  };
  oneOf("r.project_id", filter.projectIds);
  oneOf("r.kind", filter.kinds);
  oneOf("r.type", filter.types);
  if (filter.sessionId) add("r.session_id = ?", filter.sessionId);
  if (filter.host) add("r.session_id IN (SELECT id FROM sessions WHERE host = ?)", filter.host);
  if (filter.from !== undefined) add("r.created_at >= ?", filter.from);
  if (filter.to !== undefined) add("r.created_at <= ?", filter.to);
  if (filter.file)
    add(
      "EXISTS (SELECT 1 FROM memory_files f WHERE f.row = r.rowid AND (f.path = ? OR f.path LIKE ? ESCAPE '\\'))",
      filter.file,
      `%/${escapeLike(filter.file)}`,
    );
  if (filter.folder) {
    const folder = filter.folder.replace(/\/+$/, "");
    const like = `${escapeLike(folder)}/%`;
    add(
      "EXISTS (SELECT 1 FROM memory_files f WHERE f.row = r.rowid AND f.path LIKE ? ESCAPE '\\' AND f.path NOT LIKE ? ESCAPE '\\')",
      like,
      `${like}/%`,
    );
  }
  return { sql: parts.join(" "), values };
}

export function quote(word: string): string {
  return `"${word.replaceAll('"', "")}"`;
}

function quotePhrase(words: readonly string[]): string {
  return `"${words.join(" ").replaceAll('"', "")}"`;
}

function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&");
}

/** Possible endings of words whose stem is shorter than the typed part. */
const endings = (
  "s es e ed er ers ing ings ion ions ation ations ational ization ate ates ated ating ative ator ize izes ized izing ive ively " +
  "iveness ment ments ement ness able ably ability ible ibly ibility ance ence ancy ency al ally ality ous ously ity ities ful " +
  "fully less ism ist ly y ies ied"
).split(" ");

const minStem = 3;

/**
 * Builds the match for a word that is still being typed: words with this prefix and, because the index only contains
 * stems, the stems of its possible completions. No stem starts with "migrati", but "migration" has the stem "migrat".
 */
export function matchUnfinished(word: string, stemmer: Stemmer): string {
  const whole = endings.flatMap((ending) =>
    Array.from(ending, (_, at) => at)
      .filter((at) => word.endsWith(ending.slice(0, at)))
      .map((at) => word + ending.slice(at)),
  );
  const stems = stemmer
    .stem(whole)
    .filter((stem) => stem.length >= minStem && stem.length < word.length && word.startsWith(stem));
  return `(${[`${quote(word)} *`, ...[...new Set(stems)].map(quote)].join(" OR ")})`;
}
