import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { openTurnAssembler } from "../../domain/transcript/assemble-turns.ts";
import type { TranscriptTurn } from "../../domain/transcript/turn-draft.ts";
import { hostOfTranscript } from "../../hosts/detect-host.ts";
import { hasTranscripts, hostFor } from "../../hosts/hosts.ts";
import type { HostName } from "../../hosts/marks.ts";
import { type ForgetTarget, selectForgotten } from "../../store/select-forgotten.ts";
import type { Database } from "../../store/sqlite.ts";
import { nameOf } from "../../store/tombstones.ts";
import type { Selection } from "../../store/selection.ts";
import { maxTranscriptBytes, readTranscript } from "../transcripts/read-transcript.ts";
import { findInFile } from "./scan-files.ts";

/** What is to go, and under which names it must not come back. */
export interface Found {
  selection: Selection;
  names: string[];
  /** Some of the notes, for people. */
  titles: string[];
}

const mostTitles = 10;
/** Imported files may have any name; all are in this format. */
const importedFormat: HostName = "claude-code";

/** Runs in a worker: it may read everything there is. */
export async function findForgotten(db: Database, target: ForgetTarget): Promise<Found> {
  const selection = selectForgotten(db, target);
  const titles = [...selection.observations]
    .slice(0, mostTitles)
    .map((id) => db.get<{ title: string }>("SELECT title FROM observations WHERE id = ?", id)?.title ?? "");
  const told = target.by === "span" ? [] : await findTold(db, target, selection);
  const names = [...listNames(db, selection, target.by === "span"), ...told];
  return { selection, names, titles };
}

function listNames(db: Database, selection: Selection, isSpan: boolean): string[] {
  const names: string[] = [];
  for (const id of selection.turns) {
    names.push(nameOf.turn(id));
    const rows = db.all<{ sessionId: string; promptId: string | null; key: string | null }>(
      `SELECT session_id AS sessionId, prompt_id AS promptId, transcript_key AS key FROM turns WHERE id = ?1 UNION
       SELECT session_id, prompt_id, NULL FROM prompts WHERE session_id = (SELECT session_id FROM turns WHERE id = ?1) AND turn_id = ?1`,
      id,
    );
    for (const { sessionId, promptId, key } of rows) {
      if (promptId !== null) names.push(nameOf.prompt(sessionId, promptId));
      if (key !== null) names.push(nameOf.key(key));
    }
  }
  for (const id of selection.titles) names.push(nameOf.title(id));
  for (const id of selection.mail) {
    const eventId = db.get<{ id: string | null }>("SELECT event_id AS id FROM messages WHERE id = ?", id)?.id;
    names.push(nameOf.document(id));
    if (eventId) names.push(nameOf.message(eventId));
  }
  if (isSpan) return names; // The rest is told by its time.
  for (const id of [...selection.observations, ...selection.summaries, ...selection.prompts])
    names.push(nameOf.document(id));
  for (const id of selection.events) names.push(nameOf.event(id));
  for (const [kind, table] of [
    ["observation", "observations"],
    ["summary", "summaries"],
  ] as const)
    for (const id of selection[table]) {
      const row = db.get<{ sessionId: string | null; at: number }>(
        `SELECT session_id AS sessionId, created_at AS at FROM ${table} WHERE id = ?`,
        id,
      );
      if (row?.sessionId) names.push(nameOf.foreign(row.sessionId, kind, row.at));
    }
  return names;
}

/**
 * The names that transcripts give to these turns, and to any other turn in which the words stand: also those that were
 * never stored, or stored without their middle.
 */
async function findTold(db: Database, target: ForgetTarget, selection: Selection): Promise<string[]> {
  const prompts = new Set<string>();
  const paths = new Set<string>();
  for (const id of selection.turns) {
    const turn = db.get<{ promptId: string | null; path: string | null }>(
      `SELECT t.prompt_id AS promptId, s.transcript_path AS path FROM turns t JOIN sessions s ON s.id = t.session_id WHERE t.id = ?`,
      id,
    );
    if (turn?.promptId) prompts.add(turn.promptId);
    if (turn?.path) paths.add(turn.path);
  }
  const source = target.by === "words" || target.by === "file" ? target.pattern : undefined;
  const isEverywhere = target.by === "words" && target.project === undefined;
  if (isEverywhere && source !== undefined)
    for (const path of listTranscripts(db))
      if ((await findInFile(path, source, { maxBytes: maxTranscriptBytes })).size > 0) paths.add(path);
  const pattern = source === undefined ? undefined : new RegExp(source, "iu");
  const names: string[] = [];
  const look = (turn: TranscriptTurn): void => {
    const isTold = turn.promptId !== null && prompts.has(turn.promptId);
    if (!isTold && !pattern?.test(JSON.stringify(turn))) return;
    names.push(nameOf.key(turn.key));
    if (turn.promptId !== null) names.push(nameOf.prompt(turn.sessionId, turn.promptId));
  };
  for (const path of paths) {
    const host = hostOfTranscript(path) ?? importedFormat;
    if (hasTranscripts(host)) await readEachTurn(path, host, look);
  }
  return names;
}

async function readEachTurn(
  path: string,
  host: HostName,
  take: (turn: TranscriptTurn) => void,
): Promise<void> {
  const assembler = openTurnAssembler();
  await readTranscript(path, {
    format: hostFor(host).transcripts,
    onEntry(entry, byte) {
      for (const turn of assembler.push(entry, byte)) take(turn);
    },
  });
  for (const turn of assembler.flush()) take(turn);
}

/** Those we know, and those beside them. */
function listTranscripts(db: Database): string[] {
  const known = db
    .all<{ path: string }>(
      "SELECT transcript_path AS path FROM sessions WHERE transcript_path IS NOT NULL UNION SELECT path FROM imported_files",
    )
    .map(({ path }) => path);
  const beside = [...new Set(known.map((path) => dirname(path)))].flatMap((folder) => {
    try {
      return readdirSync(folder)
        .filter((file) => file.endsWith(".jsonl"))
        .map((file) => join(folder, file));
    } catch {
      return []; // The host has cleaned up: nothing to come back from.
    }
  });
  return [...new Set([...known, ...beside])];
}
