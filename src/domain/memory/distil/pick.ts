import { isStopWord, listWords } from "../words.ts";
import { canLead } from "./can-lead.ts";
import { rule, statedCause } from "./cues.ts";
import type { Scored } from "./scorer.ts";

export interface PickLimits {
  /** Minimum probability that a statement's note is found useful, for the statement to become a note. */
  keep: number;
  /** The same for a second note from the agent's words in a turn, which must be a separate finding. */
  keepSecond: number;
  /** The same for the user's own words, most of which apply to their turn only. */
  keepUser: number;
  /** Minimum probability that a statement is wanted, for it to support a note of its message. */
  support: number;
  /** Maximum number of notes per turn from the agent's words, and from the user's. */
  notes: number;
  userNotes: number;
}

export const pickLimits: PickLimits = {
  keep: 0.65,
  keepSecond: 0.76,
  keepUser: 0.7,
  support: 0.08,
  notes: 2,
  userNotes: 1,
};

/**
 * A note to be made: its main statement, the nearby statements that support it, and others of the turn worth keeping.
 */
export interface Pick {
  main: Scored;
  support: Scored[];
  further: Scored[];
}

/** Maximum distance between two statements of a message that are about the same thing, in statements. */
const near = 3;
const maxFurther = 8;

/** Chooses the statements of a turn that become notes, best first. */
export function pickStatements(scored: readonly Scored[], limits: PickLimits = pickLimits): Pick[] {
  const picks: Pick[] = [];
  const count = (isOfUser: boolean): number =>
    picks.filter(({ main }) => isUsers(main) === isOfUser && main.role !== "answer").length;
  const isProposal = asksForConsent(scored);
  const leads = scored
    .filter((one) => canLead(one) && !(isProposal && isPlan(one)))
    .map((one) => ({ one, rank: one.useful * (0.2 + one.clear) }))
    .toSorted((a, b) => b.rank - a.rank);
  for (const { one } of leads) {
    const isOfUser = isUsers(one);
    const before = count(isOfUser);
    // Each answer in a dialog is a separate decision.
    if (one.role !== "answer" && before >= (isOfUser ? limits.userNotes : limits.notes)) continue;
    if (one.useful < barOf(one, before, limits)) continue;
    if (picks.some(({ main }) => isOneThing(main, one))) continue;
    picks.push({ main: one, support: [], further: [] });
  }
  dropWork(picks);
  const agents = picks.filter(({ main }) => !isUsers(main));
  for (const one of scored) {
    if (one.worth < limits.support || one.place === "heading" || picks.some(({ main }) => main === one))
      continue;
    const [nearest] = picks
      .filter(({ main }) => isBeside(main, one))
      .toSorted((a, b) => Math.abs(a.main.index - one.index) - Math.abs(b.main.index - one.index));
    if (nearest) nearest.support.push(one);
    else if (isFurther(one)) agents[0]?.further.push(one);
  }
  for (const pick of picks) {
    pick.support.sort((a, b) => a.index - b.index);
    pick.further = pick.further.toSorted((a, b) => b.worth - a.worth).slice(0, maxFurther);
  }
  return picks;
}

/**
 * Finished work becomes a separate note only if the turn has no other finding; otherwise it is a fact of the other
 * note.
 */
function dropWork(picks: Pick[]): void {
  const isWork = ({ main }: Pick): boolean =>
    !isUsers(main) && (main.kind === "feature" || main.kind === "change");
  if (!picks.some((pick) => !isUsers(pick.main) && !isWork(pick))) return;
  for (const pick of picks.filter(isWork)) picks.splice(picks.indexOf(pick), 1);
}

/** Interim messages may have been corrected by the conclusion. */
function isFurther(one: Scored): boolean {
  if (isUsers(one) || one.kind === "open" || /[:：?？]$/.test(one.text)) return false;
  return one.role === "final" || !one.hasConclusion || one.worth >= 0.18;
}

/** Whether the last message ends with a question. Its designs are then proposals, which the next turn may reject. */
function asksForConsent(scored: readonly Scored[]): boolean {
  return scored
    .filter(({ role }) => role === "final")
    .slice(-2)
    .some(({ text }) => /[?？]["')\]]?$/.test(text));
}

function isPlan({ role, kind }: Scored): boolean {
  return (
    (role === "final" || role === "say") && (kind === "decision" || kind === "feature" || kind === "change")
  );
}

/** Whether a message is short enough to be kept in full, as one note. */
export function isShortMessage({ role, messageLength }: Scored): boolean {
  return messageLength <= (role === "user" ? 500 : role === "final" ? 1_400 : 0);
}

/** Whether two statements belong in one note: they are about the same thing, or their message is kept in full. */
function isOneThing(a: Scored, b: Scored): boolean {
  if (a.role === b.role && isShortMessage(a) && isShortMessage(b)) return true;
  if (tellsTheSame(a, b)) return true;
  return isBeside(a, b) && countCommon(namesOf(a.text), namesOf(b.text)) > 0;
}

/** Interim messages are mostly thinking aloud: if the turn has a conclusion, their threshold is higher by this much. */
const sayMargin = 0.12;

/**
 * The minimum probability that a note is useful. Explicit rules, answers and causes stated in a short message need no
 * score.
 */
function barOf(one: Scored, before: number, limits: PickLimits): number {
  const { role, text } = one;
  if (role === "answer") return 0;
  if (role === "user" || role === "denied") {
    const isExplicit = one.messageLength <= maxSpoken && rule.test(text);
    return isExplicit ? 0 : role === "denied" ? 1 : limits.keepUser;
  }
  if (role === "final" && before === 0 && statedCause.test(text) && one.messageLength < shortFinal) return 0;
  const bar = before === 0 ? limits.keep : limits.keepSecond;
  return role === "say" && one.hasConclusion ? bar + sayMargin : bar;
}

/** Longer prompts are mostly pasted. */
const maxSpoken = 800;
const shortFinal = 600;

function isUsers({ role }: Scored): boolean {
  return role === "user" || role === "answer" || role === "denied";
}

function isBeside(a: Scored, b: Scored): boolean {
  return a.role === b.role && a.step === b.step && Math.abs(a.index - b.index) <= near;
}

/** Whether two texts say the same: they share 60 % of the shorter one's content words, or 30 % and two code names. */
export function tellsTheSame(a: { text: string }, b: { text: string }): boolean {
  const [left, right] = [weighty(a.text), weighty(b.text)];
  const [shorter, longer] = left.size <= right.size ? [left, right] : [right, left];
  if (shorter.size === 0) return false;
  const common = countCommon(shorter, longer) / shorter.size;
  return common >= 0.6 || (common >= 0.3 && countCommon(namesOf(a.text), namesOf(b.text)) >= 2);
}

function countCommon(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let count = 0;
  for (const item of a) if (b.has(item)) count += 1;
  return count;
}

function weighty(text: string): Set<string> {
  const words = listWords(text).filter((word) => word.length > 2 && !isStopWord(word));
  return new Set(words.map((word) => word.slice(0, 7)));
}

function namesOf(text: string): Set<string> {
  return new Set(text.match(/`[^`]{2,60}`|\b(?:[a-z]+[A-Z]\w+|[A-Z][a-z]+[A-Z]\w*|\w+_\w+)\b/g) ?? []);
}
