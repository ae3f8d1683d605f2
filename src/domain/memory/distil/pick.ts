import { isStopWord, listWords } from "../words.ts";
import type { Scored } from "./scorer.ts";

export interface PickLimits {
  /** A statement this likely to be wanted becomes a note. */
  keep: number;
  /** The user's own words, which are short and often name no subject. */
  keepUser: number;
  /** A statement this likely supports a note beside it. */
  support: number;
  /** Most notes of one turn. */
  notes: number;
}

export const pickLimits: PickLimits = { keep: 0.3, keepUser: 0.3, support: 0.2, notes: 4 };

/** One thing to remember: the statement that names it and the statements that support it, in their order. */
export interface Pick {
  main: Scored;
  support: Scored[];
}

/** How far apart, in statements of one message, two may stand and still tell of one thing. */
const near = 3;

/** Chooses the statements of a turn that become notes; the best first. */
export function pickStatements(scored: readonly Scored[], limits: PickLimits = pickLimits): Pick[] {
  const able = scored.filter((one) => one.kind !== "open" && canLead(one));
  const picks: Pick[] = [];
  for (const one of able.toSorted((a, b) => b.worth - a.worth)) {
    const bar = isUsers(one) ? limits.keepUser : limits.keep;
    if (one.worth < bar || picks.length >= limits.notes) continue;
    const same = picks.find(({ main }) => tellsTheSame(main, one));
    if (same) {
      if (isBeside(same.main, one)) same.support.push(one);
      continue;
    }
    picks.push({ main: one, support: [] });
  }
  for (const one of scored) {
    if (
      one.worth < limits.support ||
      picks.some(({ main, support }) => main === one || support.includes(one))
    )
      continue;
    const [nearest] = picks
      .filter(({ main }) => isBeside(main, one))
      .toSorted((a, b) => Math.abs(a.main.index - one.index) - Math.abs(b.main.index - one.index));
    nearest?.support.push(one);
  }
  for (const { support } of picks) support.sort((a, b) => a.index - b.index);
  return picks;
}

function isUsers({ role }: Scored): boolean {
  return role === "user" || role === "answer" || role === "denied";
}

/** A heading, a question or a lead-in cannot stand for a note. */
function canLead({ place, text, code, role }: Scored): boolean {
  if (place === "heading" || place === "quote") return false;
  if ((role === "denied" || role === "final" || role === "say") && /[?？]["')\]]?$/.test(text)) return false;
  if (/[:：]$/.test(text) && code === "") return false;
  return text.length >= 15;
}

function isBeside(a: Scored, b: Scored): boolean {
  return a.role === b.role && a.step === b.step && Math.abs(a.index - b.index) <= near;
}

/** Shares most of its words of weight with the other: a second telling of one thing. */
export function tellsTheSame(a: Pick_, b: Pick_): boolean {
  const [left, right] = [weighty(a.text), weighty(b.text)];
  const [shorter, longer] = left.size <= right.size ? [left, right] : [right, left];
  if (shorter.size === 0) return false;
  let common = 0;
  for (const word of shorter) if (longer.has(word)) common += 1;
  return common / shorter.size >= 0.6;
}
type Pick_ = { text: string };

function weighty(text: string): Set<string> {
  return new Set(
    listWords(text)
      .filter((word) => word.length > 2 && !isStopWord(word))
      .map((word) => word.slice(0, 7)),
  );
}
