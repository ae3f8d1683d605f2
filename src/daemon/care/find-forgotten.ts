import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { openTurnAssembler } from "../../domain/transcript/assemble-turns.ts";
import type { TranscriptTurn } from "../../domain/transcript/turn-draft.ts";
import { hostOfTranscript } from "../../hosts/detect-host.ts";
import { defaultHost, hasTranscripts, hostFor } from "../../hosts/hosts.ts";
import type { HostName } from "../../hosts/marks.ts";
import { type ForgetTarget, selectForgotten } from "../../store/select-forgotten.ts";
import type { Database } from "../../sqlite/sqlite.ts";
import { listNames, readKnownTranscripts, readTitles, readTurnSource } from "../../store/forgotten-names.ts";
import { nameOf } from "../../store/tombstones.ts";
import type { Selection } from "../../store/selection.ts";
import { maxTranscriptBytes, readTranscript } from "../transcripts/read-transcript.ts";
import { findInFile } from "./scan-files.ts";

/** The rows to delete, and the names under which they must not come back. */
export interface ForgottenRows {
  selection: Selection;
  names: string[];
  /** Some of the notes, to show to the person. */
  titles: string[];
}

const maxTitles = 10;
/** Imported files may have any name; all are in this format. */
const importedFormat = defaultHost.name;

/** Runs in a worker, because it may read the entire database. */
export async function findForgotten(db: Database, target: ForgetTarget): Promise<ForgottenRows> {
  const selection = selectForgotten(db, target);
  const titles = readTitles(db, [...selection.observations].slice(0, maxTitles));
  const inTranscripts = target.by === "span" ? [] : await findTranscriptNames(db, target, selection);
  const names = [...listNames(db, selection, target.by === "span"), ...inTranscripts];
  return { selection, names, titles };
}

/**
 * The names that transcripts give to these turns, and to any other turn that contains the words, including turns that
 * were never stored or were stored truncated.
 */
async function findTranscriptNames(
  db: Database,
  target: ForgetTarget,
  selection: Selection,
): Promise<string[]> {
  const prompts = new Set<string>();
  const paths = new Set<string>();
  for (const id of selection.turns) {
    const turn = readTurnSource(db, id);
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
  const check = (turn: TranscriptTurn): void => {
    const isSelected = turn.promptId !== null && prompts.has(turn.promptId);
    if (!isSelected && !pattern?.test(JSON.stringify(turn))) return;
    names.push(nameOf.key(turn.key));
    if (turn.promptId !== null) names.push(nameOf.prompt(turn.sessionId, turn.promptId));
  };
  for (const path of paths) {
    const host = hostOfTranscript(path) ?? importedFormat;
    if (hasTranscripts(host)) await readEachTurn(path, host, check);
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

/** The known transcripts, and the other files in their folders. */
function listTranscripts(db: Database): string[] {
  const known = readKnownTranscripts(db);
  const beside = [...new Set(known.map((path) => dirname(path)))].flatMap((folder) => {
    try {
      return readdirSync(folder)
        .filter((file) => file.endsWith(".jsonl"))
        .map((file) => join(folder, file));
    } catch {
      return []; // The host has deleted the folder, so nothing can come back from it.
    }
  });
  return [...new Set([...known, ...beside])];
}
