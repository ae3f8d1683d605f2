import { isStandingRule } from "./standing-rule.ts";

/** A note as far as its worth at the start of a session depends on it. */
export interface ScoredNote {
  type: string;
  text: string;
  /** Probability that a later session wants it, where the distiller said so. */
  worth: number | null;
  createdAt: number;
  files: readonly string[];
  /** In the words of the user: a prompt, an answer, a note saved by hand. */
  isUsers: boolean;
  /** Sessions that it was brought back to because it bore on what they did. */
  uses: number;
  isElsewhere: boolean;
}

export interface ScoreContext {
  /** The newest moment of the project: a project that rests does not forget. */
  latestAt: number;
  /** Files that the last sessions changed. */
  recentFiles: ReadonlySet<string>;
}

/** The factors of a score, by name; their product is the score. */
export type ScoreParts = Record<string, number>;

const typeWeights: Record<string, number> = {
  preference: 1,
  decision: 1,
  gotcha: 1,
  "problem-solution": 0.9,
  discovery: 0.85,
  bugfix: 0.75,
  feature: 0.7,
  refactor: 0.5,
  change: 0.5,
};

/** Rules and decisions hold until they are replaced; the state of the code changes. */
const halfLifeDays: Record<string, number> = { preference: 720, decision: 180, gotcha: 120 };
const usualHalfLifeDays = 45;
const dayMs = 24 * 3_600_000;
/** The distiller keeps a statement from about 0.3 on. */
const usualWorth = 0.45;

/** Why a note stands at the start of a session, or does not. */
export function scoreNote(note: ScoredNote, { latestAt, recentFiles }: ScoreContext): ScoreParts {
  const ageDays = Math.max(0, latestAt - note.createdAt) / dayMs;
  const parts: ScoreParts = {
    type: typeWeights[note.type] ?? 0.5,
    wording: note.isUsers ? 1 : judgeWording(note.text),
    recency: 0.5 ** (ageDays / (halfLifeDays[note.type] ?? usualHalfLifeDays)),
  };
  if (note.worth !== null) parts.worth = note.worth / usualWorth;
  if (note.type === "preference") parts.rule = isStandingRule(note.text) ? 1 : 0.3;
  if (note.files.some((file) => recentFiles.has(file))) parts.files = 1.15;
  if (note.uses > 0) parts.uses = 1 + Math.min(0.3, note.uses / 10);
  if (note.isElsewhere) parts.worktree = 0.8;
  return parts;
}

export function multiply(parts: ScoreParts): number {
  return Object.values(parts).reduce((product, part) => product * part, 1);
}

const dangling =
  /^(?:this|that|it|its|these|those|they|both|here|there|now|my|your|our|i|you|we|one|two|three|another|nothing|per|resolving|which|what|so|then|worth|related|impact|short answer|alternatively|the (?:same|former|latter|above|following|fix|first|second|other|rest|two|three|agent|subagent|plan|key|general|core))\b/i;
const ofTheSession =
  /\bsub-?agents?\b|\b(?:the|this|my) (?:agents?|pr|branch|session|turn|commit|change|plan|diff|review|reviewer)\b|\byour (?:question|instinct|call|idea|point)\b|\b(?:i|i'll|i've|i'd|let me|as you|earlier|above|below)\b/i;
const fileLead = /^`?[\w./-]+\.\w{1,5}`?(?::[\d-]+)?(?:\s*[—–:-]|\s+(?:now|still|updated|changed)\b)/;
const hashLead = /^`?[0-9a-f]{7,40}\b/;
const errand =
  /\b(?:\d+ (?:tests?|cases?|commits?)|tests? (?:pass|green)|lint|verified|committed|pushed|merged|re-?ran|all green)\b/i;
const insight =
  /\b(?:because|since|so that|only|must|never|always|requires?|depends|root cause|instead of|rather than|silently|fails?|breaks?|cannot|can't|doesn['’]t|isn['’]t|don['’]t|won['’]t|not|ignores?|by design|deliberately|trade-?off|unless|until|without|caused?|no longer)\b/i;
const names = /`[^`]+`|\b[a-z]+[A-Z]\w+|\b\w+[_./]\w+|\s[A-Z][A-Za-z]+/;

/** How far a statement of an agent stands by itself and tells what the code does not. */
export function judgeWording(text: string): number {
  let factor = 1;
  if (text.endsWith("…")) factor *= 0.6;
  if (dangling.test(text)) factor *= 0.5;
  if (ofTheSession.test(text)) factor *= 0.6;
  if (fileLead.test(text)) factor *= 0.5;
  if (hashLead.test(text)) factor *= 0.4;
  if (errand.test(text)) factor *= 0.5;
  if (insight.test(text)) factor *= 1.25;
  if (!names.test(text)) factor *= 0.75;
  if (text.length < 40) factor *= 0.7;
  return factor;
}
