import type { Query } from "../domain/memory/query.ts";
import { type MemoryKind, scopeToken } from "./memory-index.ts";
import type { Value } from "../sqlite/sqlite.ts";

export interface SearchFilter {
  projectIds?: readonly string[];
  kinds?: readonly MemoryKind[];
  types?: readonly string[];
  sessionId?: string;
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
