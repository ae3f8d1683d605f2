import { createHmac } from "node:crypto";
import type { Database } from "../sqlite/sqlite.ts";

/** A time range whose events must not be stored again. */
interface Span {
  /** The project's folder; undefined for every project. */
  project: string | undefined;
  from: number;
  to: number;
}

/** The ids by which callers know a turn. */
interface TurnNames {
  sessionId: string;
  promptId?: string | null | undefined;
  /** The uuid of its prompt's line in the transcript. */
  key?: string | null | undefined;
}

/**
 * Records that something was forgotten, without its content. Names are random ids assigned by the host or by us; they
 * are stored as keyed hashes, so they cannot be guessed from a dictionary.
 */
export interface Tombstones {
  add(names: Iterable<string>, at: number): void;
  addSpan(span: Span, at: number): void;
  has(name: string): boolean;
  hasTurn(turn: TurnNames): boolean;
  covers(project: string, at: number): boolean;
  /**
   * Rejects text that matches a just-forgotten phrase for a while: the session in which the user asked to forget it
   * contains the phrase again. In memory only.
   */
  rejectPhrase(pattern: RegExp, until: number): void;
  matchesForgotten(text: () => string, nowMs: number): boolean;
}

export const nameOf = {
  turn: (id: string): string => `turn:${id}`,
  prompt: (sessionId: string, promptId: string): string => `prompt:${sessionId}:${promptId}`,
  key: (key: string): string => `key:${key}`,
  event: (id: string): string => `event:${id}`,
  document: (id: string): string => `document:${id}`,
  /** By the homeserver's event id. */
  message: (eventId: string): string => `message:${eventId}`,
  title: (sessionId: string): string => `title:${sessionId}`,
  /** A row of another tool's database; it has no Rookery id. */
  foreign: (sessionId: string, kind: string, at: number): string => `foreign:${sessionId}:${kind}:${at}`,
};

export function openTombstones(db: Database, key: string): Tombstones {
  const hashOf = (name: string): string => createHmac("sha256", key).update(name).digest("hex").slice(0, 32);
  // Cached because `has` runs for every event and most homes have no tombstones.
  let isEmpty = db.get("SELECT 1 FROM tombstones") === undefined;
  let spans = readSpans();
  let rejectedPhrases: { pattern: RegExp; until: number }[] = [];

  function readSpans(): { projectHash: string | null; from: number; to: number }[] {
    return db.all(
      'SELECT project_hash AS projectHash, from_at AS "from", to_at AS "to" FROM forgotten_spans',
    );
  }

  const self: Tombstones = {
    add(names, at) {
      isEmpty = false;
      for (const name of names)
        db.run("INSERT OR IGNORE INTO tombstones (hash, forgotten_at) VALUES (?, ?)", hashOf(name), at);
    },
    addSpan({ project, from, to }, at) {
      const projectHash = project === undefined ? null : hashOf(`project:${project}`);
      db.run(
        "INSERT INTO forgotten_spans (project_hash, from_at, to_at, forgotten_at) VALUES (?, ?, ?, ?)",
        projectHash,
        from,
        to,
        at,
      );
      spans = readSpans();
    },
    has: (name) => !isEmpty && db.get("SELECT 1 FROM tombstones WHERE hash = ?", hashOf(name)) !== undefined,
    hasTurn: ({ sessionId, promptId, key: turnKey }) =>
      (typeof promptId === "string" && self.has(nameOf.prompt(sessionId, promptId))) ||
      (typeof turnKey === "string" && self.has(nameOf.key(turnKey))),
    covers(project, at) {
      if (spans.length === 0) return false;
      const hash = hashOf(`project:${project}`);
      return spans.some(
        (span) =>
          span.from <= at && at <= span.to && (span.projectHash === null || span.projectHash === hash),
      );
    },
    rejectPhrase(pattern, until) {
      rejectedPhrases.push({ pattern, until });
    },
    matchesForgotten(text, nowMs) {
      if (rejectedPhrases.length === 0) return false;
      rejectedPhrases = rejectedPhrases.filter(({ until }) => until > nowMs);
      if (rejectedPhrases.length === 0) return false;
      const said = text();
      return rejectedPhrases.some(({ pattern }) => pattern.test(said));
    },
  };
  return self;
}
