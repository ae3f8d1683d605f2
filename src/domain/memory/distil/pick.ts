import { canLead } from "./can-lead.ts";
import { behaviour, boilerplate, fileList, passing, rule, statedCause, status } from "./cues.ts";
import { countCommon, isRestatement, namesOf } from "./overlap.ts";
import type { Scored } from "./scorer.ts";

export interface PickLimits {
  /** Minimum expected number of wanted statements (the sum of `worth` over the agent's statements) for a turn's note. */
  keepTurn: number;
  /** The same for a turn whose main statement is probably useful on its own (`keepAlone`). */
  keepShortTurn: number;
  /** The same for a turn in which one statement alone is worth a note. */
  keepLone: number;
  /** Minimum probability that the best of them is wanted. */
  keepBest: number;
  /** In a turn below these limits: minimum `useful` for a single statement to become a note. */
  keepAlone: number;
  /** The same for its `worth`. */
  keepWanted: number;
  /** Minimum `useful` for a statement of an interim message to be the main statement of a note. */
  keepInterim: number;
  /** Minimum probability that a note from the user's own words is useful; most of them apply to their turn only. */
  keepUser: number;
  /** The same that the statement is wanted: the lines of a pasted plan are not. */
  keepUserWanted: number;
  /** Minimum probability that a statement is wanted, for it to become a part of the turn's note. */
  support: number;
  /** Minimum probability that a statement of a turn without a note is wanted, for it to be added to another note. */
  looseFact: number;
  /** Maximum number of notes per turn from the user's words. */
  userNotes: number;
}

export const pickLimits: PickLimits = {
  keepTurn: 2,
  keepShortTurn: 1,
  keepLone: 0.65,
  keepBest: 0.3,
  keepAlone: 0.75,
  keepWanted: 0.5,
  keepInterim: 0.8,
  keepUser: 0.7,
  keepUserWanted: 0.3,
  support: 0.08,
  looseFact: 0.08,
  userNotes: 1,
};

/**
 * A note to be made: its main statement, the nearby statements that support it, and others of the turn worth keeping.
 */
export interface PickedNote {
  main: Scored;
  support: Scored[];
  further: Scored[];
}

/** Maximum distance between two statements of a message that are about the same thing, in statements. */
const near = 3;
const maxFurther = 20;

/**
 * Chooses the statements of a turn that become notes: one note from the agent's words, which holds all that the turn
 * found out, and the user's rules, decisions and answers.
 */
export function pickStatements(scored: readonly Scored[], limits: PickLimits = pickLimits): PickedNote[] {
  const isProposal = asksForConsent(scored);
  const options = isProposal ? listOptions(scored) : new Set<Scored>();
  const settled = scored.filter((one) => !(isProposal && isPlan(one)));
  const main = pickAgents(
    settled.filter((one) => !isUsers(one)),
    options,
    limits,
  );
  const users = pickUsers(settled.filter(isUsers), main, limits);
  return main ? [gatherAround(main, scored, options, limits), ...users] : users;
}

/** The agent's main statement of a turn that is not worth a note by itself, and the findings around it. */
export function pickDraft(
  scored: readonly Scored[],
  limits: PickLimits = pickLimits,
): PickedNote | undefined {
  const options = asksForConsent(scored) ? listOptions(scored) : new Set<Scored>();
  const [main] = scored
    .filter((one) => one.role === "final" && canLead(one) && !options.has(one))
    .toSorted((a, b) => rankOf(b) - rankOf(a));
  return main && gatherAround(main, scored, options, limits);
}

function gatherAround(
  main: Scored,
  scored: readonly Scored[],
  options: ReadonlySet<Scored>,
  limits: PickLimits,
): PickedNote {
  const pick: PickedNote = { main, support: [], further: [] };
  for (const one of scored) {
    if (isUsers(one) || one === main || one.place === "heading" || one.worth < limits.support) continue;
    if (options.has(one)) continue;
    if (isBeside(main, one)) pick.support.push(one);
    else if (isFurther(one)) pick.further.push(one);
  }
  pick.support.sort((a, b) => a.index - b.index);
  pick.further = pick.further.toSorted((a, b) => b.worth - a.worth).slice(0, maxFurther);
  return pick;
}

const maxLoose = 12;

/** The best findings of a turn that has no note of its own. */
export function pickLoose(scored: readonly Scored[], limits: PickLimits = pickLimits): Scored[] {
  const options = asksForConsent(scored) ? listOptions(scored) : new Set<Scored>();
  return scored
    .filter((one) => one.worth >= limits.looseFact && isFurther(one) && !options.has(one))
    .toSorted((a, b) => b.worth - a.worth)
    .slice(0, maxLoose)
    .toSorted((a, b) => a.index - b.index);
}

function countWords(text: string): number {
  return text.split(/\s+/).length;
}

const maxRemarks = 3;
const minRemark = 0.08;

/** The user's own remarks besides rules, and reasons of refusals: they are kept with the work they led to. */
export function pickRemarks(scored: readonly Scored[], picks: readonly PickedNote[] = []): Scored[] {
  return scored
    .filter((one) => !picks.some(({ main }) => main === one || isOneThing(main, one)))
    .filter(
      ({ role, worth, messageLength, text }) =>
        (role === "user" && worth >= minRemark && messageLength <= maxSpoken && countWords(text) >= 5) ||
        (role === "denied" && countWords(text) >= 3 && !boilerplate.test(text)),
    )
    .toSorted((a, b) => b.worth - a.worth)
    .slice(0, maxRemarks)
    .toSorted((a, b) => a.index - b.index);
}

/** The main statement of the agent's note; undefined if the turn has too little that is worth keeping. */
function pickAgents(
  said: readonly Scored[],
  options: ReadonlySet<Scored>,
  limits: PickLimits,
): Scored | undefined {
  const expected = sumWorth(said) * (isWaiting(said) ? 0.5 : 1);
  const leads = said
    .filter((one) => canLead(one) && !options.has(one))
    .toSorted((a, b) => rankOf(b) - rankOf(a));
  const best = Math.max(0, ...said.map(({ worth }) => worth));
  // The conclusion of a turn sums up its interim messages; without one, they are often thinking aloud.
  if (leads[0]?.role === "say" && !isStatedCause(leads[0]) && leads[0].useful < limits.keepInterim)
    return undefined;
  const isSure = (leads[0]?.useful ?? 0) >= limits.keepAlone;
  if (expected >= (isSure ? limits.keepShortTurn : limits.keepTurn) && best >= limits.keepBest)
    return leads[0];
  return leads.find(
    (one) =>
      isStatedCause(one) ||
      (one.role === "final" &&
        expected >= limits.keepLone &&
        (one.useful >= limits.keepAlone || one.worth >= limits.keepWanted) &&
        !isSmallEdit(one)),
  );
}

/** A change that names no code and gives no reason: the result shows it. */
function isSmallEdit({ kind, text }: Scored): boolean {
  return (
    (kind === "change" || kind === "feature") &&
    !text.includes("`") &&
    !behaviour.test(text) &&
    !statedCause.test(text)
  );
}

/** Expected number of wanted statements among the agent's. */
export function sumWorth(statements: readonly Scored[]): number {
  return statements.filter((one) => !isUsers(one)).reduce((sum, { worth }) => sum + worth, 0);
}

/** Whether the last message is an interim report: other agents still work. */
function isWaiting(said: readonly Scored[]): boolean {
  return said.some(({ role, text }) => role === "final" && stillRunning.test(text));
}

const stillRunning =
  /\b(?:still (?:running|out|working|in flight|to come)|(?:agents?|tasks?|finders?|reviewers?|jobs?) (?:are |is )?(?:still )?(?:running|working|in progress)|running in (?:the )?background|waiting (?:for|on) (?:the )?(?:agents?|tasks?|results?|reviews?))\b/i;

function pickUsers(said: readonly Scored[], main: Scored | undefined, limits: PickLimits): PickedNote[] {
  const picks: PickedNote[] = [];
  for (const one of said.filter(canLead).toSorted((a, b) => rankOf(b) - rankOf(a))) {
    // Each answer in a dialog is a separate decision.
    const isAnswer = one.role === "answer";
    const isFull = picks.filter((pick) => pick.main.role !== "answer").length >= limits.userNotes;
    if (!isAnswer && (isFull || !isWorthANote(one, limits))) continue;
    if ([...picks.map((pick) => pick.main), ...(main ? [main] : [])].some((other) => isOneThing(other, one)))
      continue;
    picks.push({ main: one, support: [], further: [] });
  }
  return picks;
}

/** Ranks findings above finished work, and the conclusion above interim messages. */
function rankOf({ useful, clear, kind, role, hasConclusion }: Scored): number {
  const isWork = role !== "user" && (kind === "feature" || kind === "change" || kind === "decision");
  return useful * (0.2 + clear) * (isWork ? 0.8 : 1) * (role === "say" && hasConclusion ? 0.7 : 1);
}

/** A cause stated in a short final message is always kept. */
function isStatedCause({ role, text, messageLength }: Scored): boolean {
  return role === "final" && messageLength < shortFinal && statedCause.test(text);
}

/** Thinking aloud: often revised in the next sentence. */
const aloud =
  /^(?:actually|ok(?:ay)?[,. ]|hmm+|wait|let me|i(?:'ll| will| need to| should| think| wonder)|maybe|perhaps|now (?:let|i)|so (?:i|we|let)|oh[,. ]|good[,.] )/i;

/** Minimum probability that a statement of an interim message is wanted, if the turn has a conclusion. */
const minInterim = 0.1;

/** Interim messages may have been corrected by the conclusion. */
function isFurther(one: Scored): boolean {
  const { text } = one;
  if (isUsers(one) || one.kind === "open" || /[:：?？]$/.test(text)) return false;
  if ([aloud, passing, status, fileList].some((pattern) => pattern.test(text))) return false;
  return one.role === "final" || !one.hasConclusion || one.worth >= minInterim;
}

/** Whether the last message ends with a question. Its designs are then proposals, which the next turn may reject. */
function asksForConsent(scored: readonly Scored[]): boolean {
  return scored
    .filter(({ role }) => role === "final")
    .slice(-2)
    .some(({ text }) => /[?？]["')\]]?$/.test(text));
}

const asksToChoose =
  /\b(?:which|prefer|or|option|what (?:do|would) you|thoughts|sounds?|resonates?|fits?|lean)\b.*[?？]/i;

/** The options that the user is asked to choose from: the last list of the message. Most of them will be rejected. */
function listOptions(scored: readonly Scored[]): Set<Scored> {
  const final = scored.filter(({ role }) => role === "final");
  if (!final.slice(-2).some(({ text }) => asksToChoose.test(text))) return new Set();
  const last = final.findLast(isItem);
  return new Set(
    last ? final.filter((one) => isItem(one) && one.lead === last.lead && one.heading === last.heading) : [],
  );
}

function isItem({ place }: Scored): boolean {
  return place === "bullet" || place === "row";
}

function isPlan({ role, kind }: Scored): boolean {
  return (
    (role === "final" || role === "say") && (kind === "decision" || kind === "feature" || kind === "change")
  );
}

/** Whether a message is short enough to be kept in full, as one note. */
export function isShortMessage({ role, messageLength }: Scored): boolean {
  return messageLength <= (role === "user" ? 500 : role === "final" ? 700 : 0);
}

/** Whether two statements belong in one note: they are about the same thing, or their message is kept in full. */
function isOneThing(a: Scored, b: Scored): boolean {
  if (a.role === b.role && isShortMessage(a) && isShortMessage(b)) return true;
  if (isRestatement(a, b)) return true;
  return isBeside(a, b) && countCommon(namesOf(a.text), namesOf(b.text)) > 0;
}

/** Whether the user's words are worth a note. Explicit rules need no score. */
function isWorthANote({ role, text, messageLength, useful, worth }: Scored, limits: PickLimits): boolean {
  if (messageLength <= maxSpoken && rule.test(text)) return true;
  return role !== "denied" && useful >= limits.keepUser && worth >= limits.keepUserWanted;
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
