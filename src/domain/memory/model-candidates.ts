import { clip } from "../../shared/text.ts";
import type { Role } from "./distil/candidates.ts";
import { makeNote } from "./distil/distil-turn.ts";
import type { Scored } from "./distil/scorer.ts";
import { estimateTokens } from "./tokens.ts";
import type { Distilled, TurnRecord } from "./turn-record.ts";

/** A statement that a model may choose, and the note that the distiller would make of it. */
export interface ModelCandidate {
  id: number;
  place: CandidatePlace;
  heading: string;
  text: string;
  note: Distilled;
}

export type CandidatePlace = "user" | "agent" | "final" | "answer" | "refusal";

const places: Record<Role, CandidatePlace> = {
  user: "user",
  say: "agent",
  final: "final",
  answer: "answer",
  denied: "refusal",
};

/** Limits of one request: number of statements, and their estimated tokens together. */
const maxCandidates = 20;
const maxTokens = 700;
const maxText = 320;
/** Estimated tokens of a line besides its text. */
const lineTokens = 5;
/** Statements below this hardly ever became a note. */
const minWorth = 0.04;

/** The statements of a turn that a model may choose from, numbered from 1. */
export function chooseCandidates(
  turn: TurnRecord,
  scored: readonly Scored[],
  promptEventId: string,
): ModelCandidate[] {
  return chooseStatements(scored).map((one, n) => ({
    id: n + 1,
    place: places[one.role],
    heading: one.heading,
    text: clip(one.text, maxText),
    note: makeNote(turn, scored, { main: one, support: [], further: [] }, promptEventId),
  }));
}

/** The statements with the highest scores that fit, in the order of the turn. */
export function chooseStatements(scored: readonly Scored[]): Scored[] {
  const chosen = new Set<Scored>();
  let room = maxTokens;
  const byWorth = scored
    .filter((one) => one.worth >= minWorth && one.place !== "heading")
    .toSorted((a, b) => b.worth - a.worth);
  for (const one of byWorth) {
    const cost = estimateTokens(clip(one.text, maxText)) + lineTokens;
    if (cost > room) continue;
    room -= cost;
    chosen.add(one);
    if (chosen.size === maxCandidates) break;
  }
  return scored.filter((one) => chosen.has(one));
}
