import { isStopWord, listWords } from "../words.ts";
import { canLead } from "./can-lead.ts";
import { firm, rule, statedCause, wish } from "./cues.ts";
import type { Scored, StatementKind } from "./scorer.ts";
import { makeTitle } from "./title.ts";

export interface PickLimits {
  /** A statement this likely to be wanted becomes a note. */
  keep: number;
  /** A firm rule in the user's own words, which are short and often name no subject. */
  keepUser: number;
  /** A statement this likely supports a note of its message. */
  support: number;
  /** Max notes of one turn from the agent's words, and from the user's. */
  notes: number;
  userNotes: number;
}

export const pickLimits: PickLimits = {
  keep: 0.3,
  keepUser: 0.25,
  support: 0.12,
  notes: 2,
  userNotes: 2,
};

/** One thing to remember: the statement that names it, those beside it that support it, and others of the turn worth keeping. */
export interface Pick {
  main: Scored;
  support: Scored[];
  further: Scored[];
}

/** Max distance, in statements of one message, between two that are about the same thing. */
const near = 3;
const maxFurther = 6;

/** Chooses the statements of a turn that become notes; the best first. */
export function pickStatements(scored: readonly Scored[], limits: PickLimits = pickLimits): Pick[] {
  const picks: Pick[] = [];
  const count = (isOfUser: boolean): number => picks.filter(({ main }) => isUsers(main) === isOfUser).length;
  const isProposal = asksForConsent(scored);
  const leads = scored
    .filter((one) => canLead(one) && !(isProposal && isPlan(one)))
    .map((one) => ({ one, rank: one.worth * (makeTitle(one).endsWith("…") ? cutPenalty : 1) }))
    .toSorted((a, b) => b.rank - a.rank);
  for (const { one } of leads) {
    const isOfUser = isUsers(one);
    if (one.worth < barOf(one, limits)) continue;
    if (count(isOfUser) >= (isOfUser ? limits.userNotes : limits.notes)) continue;
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

/** Finished work is a note of its own only if the turn taught nothing else; otherwise it is a fact of the other note. */
function dropWork(picks: Pick[]): void {
  const isWork = ({ main }: Pick): boolean =>
    !isUsers(main) && (main.kind === "feature" || main.kind === "change");
  if (!picks.some((pick) => !isUsers(pick.main) && !isWork(pick))) return;
  for (const pick of picks.filter(isWork)) picks.splice(picks.indexOf(pick), 1);
}

/** Words on the way may have been corrected by the conclusion. */
function isFurther(one: Scored): boolean {
  if (isUsers(one) || one.kind === "open" || /[:：?？]$/.test(one.text)) return false;
  return one.role === "final" || !one.hasConclusion || one.worth >= 0.25;
}

/** A title that breaks off makes the second best statement the better note. */
const cutPenalty = 0.75;

/** The last message ends with a question: its designs are proposals, and may be rejected in the next turn. */
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

/** Two statements of one thing make one note. A short prompt is kept whole, so it makes one, too. */
function isOneThing(a: Scored, b: Scored): boolean {
  if (a.role === "user" && b.role === "user" && a.messageLength <= 500) return true;
  if (tellsTheSame(a, b)) return true;
  return isBeside(a, b) && countCommon(namesOf(a.text), namesOf(b.text)) > 0;
}

/** Words on the way are mostly thinking aloud: the conclusion counts where there is one. */
const sayMargin = 0.1;

/**
 * How likely a statement must be wanted. Some need no score: of the labelled sentences of short prompts that begin with "don't"
 * 82 % are wanted, of answers to a question about the work 68 %, of causes in a short final message 78 %. The other bars follow
 * from notes that strict readers judged: causes are nearly always useful, descriptions of finished work rarely.
 */
function barOf(one: Scored, limits: PickLimits): number {
  const { role, text, kind } = one;
  if (role === "answer" || role === "denied") return 0;
  if (role === "user") {
    const isShort = one.messageLength <= maxSpoken;
    if (isShort && rule.test(text)) return 0;
    return limits.keepUser + (isShort && firm.test(text) ? -0.15 : wish.test(text) ? 0.2 : 0.3);
  }
  if (role === "final" && statedCause.test(text) && one.messageLength < shortFinal) return 0;
  const bar = limits.keep + (kindMargins[kind] ?? 0);
  return role === "say" && one.hasConclusion ? bar + sayMargin : bar;
}

/** Added to the bar of a kind that readers found less often useful. */
const kindMargins: Partial<Record<StatementKind, number>> = {
  gotcha: 0.1,
  decision: 0.15,
  feature: 0.12,
  change: 0.15,
};

/** Longer prompts are mostly pasted. */
const maxSpoken = 800;
const shortFinal = 600;

function isUsers({ role }: Scored): boolean {
  return role === "user" || role === "answer" || role === "denied";
}

function isBeside(a: Scored, b: Scored): boolean {
  return a.role === b.role && a.step === b.step && Math.abs(a.index - b.index) <= near;
}

/** A second telling of one thing: most words of weight in common, or half of them and two code names. */
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
