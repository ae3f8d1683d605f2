import type { Distilled, TurnSummary } from "../../domain/memory/turn-record.ts";
import type { Observation } from "../../store/observations.ts";
import type { Store } from "../../store/open-store.ts";
import type { ProjectRow } from "../../store/projects.ts";
import type { Bus } from "../bus.ts";
import type { Summary } from "../../store/summaries.ts";
import { makeFileNames } from "./file-names.ts";
import { indexPrompt, keepObservation, keepSummary, type Place } from "./keep.ts";

/** What was made of a turn, and where it happened. */
export interface TurnFindings {
  turnId: string;
  sessionId: string;
  cwd: string | null;
  at: number;
  /** Undefined for a machine's words. */
  prompt: { eventId: string; text: string } | undefined;
  promptNumber: number | null;
  observations: readonly Distilled[];
  summary: TurnSummary | undefined;
  /** Who put the summary together. */
  by?: "distil" | "model";
}

export interface KeptTurn {
  observations: Observation[];
  summary: Summary | undefined;
}

/** Our own slash commands: their turns repeat what memory holds already, and would be found instead of it. */
const isOwnCommand = /^\s*\/rookery:/;

/** Writes what is worth keeping of a turn, in the caller's transaction. */
export function keepTurn(store: Store, project: ProjectRow, findings: TurnFindings): KeptTurn {
  if (isOwnCommand.test(findings.prompt?.text ?? "")) return { observations: [], summary: undefined };
  const { sessionId, turnId, promptNumber, at, cwd, prompt, summary } = findings;
  const place: Place & { sessionId: string } = {
    projectId: project.id,
    files: makeFileNames(project.path, cwd),
    sessionId,
    turnId,
    promptNumber,
    at,
  };
  const observations = findings.observations.flatMap((note) => keepObservation(store, note, place) ?? []);
  if (prompt?.text) indexPrompt(store, prompt.eventId, prompt.text, place);
  return { observations, summary: summary && keepSummary(store, summary, place, findings.by) };
}

/** Once it is committed. */
export function announceKept(bus: Bus, sessionId: string, { observations, summary }: KeptTurn): void {
  for (const { id, title, type } of observations)
    bus.publish({ type: "observation.stored", id, sessionId, title, kind: type });
  if (summary) bus.publish({ type: "summary.stored", id: summary.id, sessionId });
}
