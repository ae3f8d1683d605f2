import { readDoubt } from "../../domain/memory/retell.ts";
import {
  type Distilled,
  type LooseFindings,
  noLooseFindings,
  type TurnSummary,
} from "../../domain/memory/turn-record.ts";
import type { Note } from "../../store/notes.ts";
import type { Store } from "../../store/open-store.ts";
import type { ProjectRow } from "../../store/projects.ts";
import type { Bus } from "../runtime/bus.ts";
import type { Summary } from "../../store/summaries.ts";
import { makeFileNames } from "./file-names.ts";
import { indexPrompt, isOwnCommand } from "./prompt-indexer.ts";
import { announceNotes, keepNote, type NoteOrigin } from "./keep-note.ts";
import { keepSummary } from "./keep-summary.ts";
import { placeLooseFindings } from "./loose-findings.ts";
import { withdrawRemoved, withdrawStatements } from "./withdraw.ts";

/** The notes made from a turn, and where it happened. */
export interface TurnFindings {
  turnId: string;
  sessionId: string;
  cwd: string | null;
  at: number;
  /** Undefined for a machine's prompt. */
  prompt: { eventId: string; text: string } | undefined;
  promptNumber: number | null;
  notes: readonly Distilled[];
  /** Code names that the turn removed; see `distilTurn`. */
  removed?: readonly string[];
  /** Findings without a note; see `distilTurn`. */
  loose?: LooseFindings;
  summary: TurnSummary | undefined;
}

export interface KeptTurn {
  notes: Note[];
  summary: Summary | undefined;
}

/** Stores the notes and the summary of a turn, in the caller's transaction. */
export function keepTurn(store: Store, project: ProjectRow, findings: TurnFindings): KeptTurn {
  if (isOwnCommand(findings.prompt?.text ?? "")) return { notes: [], summary: undefined };
  const { sessionId, turnId, promptNumber, at, cwd, prompt, summary } = findings;
  const place: NoteOrigin & { sessionId: string; turnId: string } = {
    projectId: project.id,
    files: makeFileNames(project.path, cwd),
    sessionId,
    turnId,
    promptNumber,
    at,
  };
  const doubt = prompt === undefined ? "none" : readDoubt(prompt.text);
  const notes = findings.notes
    .map((note) => keepNote(store, { note, place, doubt }))
    .flatMap(({ note, isNew }) => (isNew ? [note] : []));
  // A prompt that a hook reported is indexed already, but without its answer.
  const answer = store.turns.answerOf(turnId);
  if (prompt?.text && (answer || !store.index.has("prompt", prompt.eventId))) {
    // The turn's text includes prompts sent while it ran, which are indexed as rows of their own.
    const stored = store.turns.findHumanPrompt(prompt.eventId);
    const { text, at: promptAt } = stored ?? { text: prompt.text, at };
    indexPrompt(store, prompt.eventId, text, { ...place, at: promptAt }, answer);
  }
  const turn = {
    sessionId,
    turnId,
    at,
    prompt: prompt?.text ?? "",
    final: answer ?? "",
    notes: findings.notes,
    removed: findings.removed ?? [],
  };
  withdrawRemoved(store, turn, notes[0]);
  withdrawStatements(store, turn, notes[0]);
  const together = placeLooseFindings(store, place, findings.loose ?? noLooseFindings);
  if (together) notes.push(together);
  return { notes, summary: summary && keepSummary(store, summary, place) };
}

/** Call it after the commit. */
export function announceKept(bus: Bus, sessionId: string, { notes, summary }: KeptTurn): void {
  announceNotes(bus, notes);
  if (summary) bus.publish({ type: "summary.stored", id: summary.id, sessionId });
}
