import { isStandingRule } from "./standing-rule.ts";
import { dayMs } from "../../shared/clock.ts";

/** The origin of a note: written as a note by a person or a model, or a sentence of the user or of an agent. */
export type NoteSource = "composed" | "user" | "agent";

/** The parts of a note that determine its value at session start. */
interface ScoredNote {
  type: string;
  text: string;
  /** Probability that a later session needs it, if the distiller estimated it. */
  worth: number | null;
  createdAt: number;
  files: readonly string[];
  source: NoteSource;
  /** Number of sessions it was recalled in because it was relevant. */
  uses: number;
  isElsewhere: boolean;
}

interface ScoreContext {
  /** The latest activity of the project: notes of an inactive project do not age. */
  latestAt: number;
  /** Files changed in the last sessions. */
  recentFiles: ReadonlySet<string>;
}

/** The factors of a score by name; the score is their product. */
export type ScoreParts = Record<string, number>;

const typeWeights: Record<string, number> = {
  preference: 1,
  decision: 1,
  gotcha: 1,
  "problem-solution": 0.9,
  discovery: 0.85,
  bugfix: 0.75,
  feature: 0.6,
  refactor: 0.5,
  change: 0.5,
};

/** Rules and decisions stay valid until replaced; the state of the code changes. `floor` is the minimum factor at any age. */
const decays: Record<string, Decay> = {
  preference: { halfLifeDays: 360, floor: 0.7 },
  decision: { halfLifeDays: 180, floor: 0.4 },
  gotcha: { halfLifeDays: 120, floor: 0.2 },
};
const usualDecay: Decay = { halfLifeDays: 45, floor: 0 };

interface Decay {
  halfLifeDays: number;
  floor: number;
}

/** The neutral `worth` (factor 1): that of a note whose `useful` just passes and whose `clear` is 0.5. */
const usualWorth = 0.7;

/** The factors that decide whether a note is included at session start. */
export function scoreNote(note: ScoredNote, { latestAt, recentFiles }: ScoreContext): ScoreParts {
  const ageDays = Math.max(0, latestAt - note.createdAt) / dayMs;
  const { halfLifeDays, floor } = decays[note.type] ?? usualDecay;
  const parts: ScoreParts = {
    type: typeWeights[note.type] ?? 0.5,
    wording: judgeSource(note),
    recency: floor + (1 - floor) * 0.5 ** (ageDays / halfLifeDays),
  };
  if (note.source !== "agent") parts.source = 1.4;
  else if (note.worth !== null) parts.worth = note.worth / usualWorth;
  if (note.files.some((file) => recentFiles.has(file))) parts.files = 1.15;
  if (note.uses > 0) parts.uses = 1 + Math.min(0.3, note.uses / 10);
  if (note.isElsewhere) parts.worktree = 0.8;
  return parts;
}

function judgeSource(note: ScoredNote): number {
  if (note.source === "composed") return 1;
  return note.source === "user" ? judgeUserText(note) : judgeWording(note.text) * judgeDecision(note);
}

const unsure = /\bi (?:also )?think\b|\bweird\b|^i like\b/i;

/**
 * A choice between options is understandable if its question is. A request has usually been implemented by now, unless
 * it is a rule.
 */
function judgeUserText({ type, text }: ScoredNote): number {
  const question = /^(.*[?？…]) → /.exec(text)?.[1];
  if (question !== undefined)
    return isChore(question) || !namesItsSubject(question) || !isSpecific(question) ? 0.3 : 1;
  if (!isStandingRule(text) || (type === "decision" && unsure.test(text))) return 0.3;
  return type === "preference" ? 1 : 0.8;
}

const decides =
  /\b(?:instead of|rather than|should|chose|decided|use[sd]?|keep|kept|only|never|always|not|prefer|deliberate(?:ly)?|intentional(?:ly)?|must|go with|stays?|no longer|by design|replaced|because|so that|over)\b| → /i;

/** An agent's confirmation that repeats a rule of the user. */
const remembered = /^(?:memory saved|saved|remembered|noted)\b/i;

/** A decision or rule in an agent's words is often just an explanation. */
function judgeDecision({ type, text }: ScoredNote): number {
  if (type === "preference") return remembered.test(text) ? 1 : 0.25;
  return type === "decision" && isEnglish(text) && !decides.test(text) ? 0.6 : 1;
}

export function multiply(parts: ScoreParts): number {
  return Object.values(parts).reduce((product, part) => product * part, 1);
}

const dangling =
  /^(?:\d|(?:this|that|it|its|these|those|they|both|here|there|now|my|your|our|i|you|we|one|two|three|another|nothing|neither|per|most of|which|what|so|then|worth|related|relevant|impact|short answer|alternatively|final|maybe|side note|tip|not really|re|thread|for point|additional|(?:the )?(?:current|same|former|latter|above|following|first|second|other|rest|two|three|plan|flagged|simplest))\b)/i;
/** A statement without a subject reports work, or depends on the line before it. */
const subjectless =
  /^(?:works|comment|returns?|uses|fix(?:es|ed)?|adds?|added|updates?|updated|changed|made|set|left|replaced|moved|prevents|called|suggested|skipped|regenerated|removed|renamed|bump(?:ed)?|reverted|created|filed|sent|documents|captures?|move to)\b/i;
const ofTheSession =
  /\bsub-?agents? (?:found|flagged|said|reported)\b|\b(?:the|this|my) (?:agents?|pr|branch|session|turn|commit|change|plan|diff|review|reviewer)\b|\byour (?:question|instinct|call|idea|point|clear)\b|\b(?:i|i'll|i've|i'd|i'm|let me|as you|per your|earlier|above|below|previous(?:ly)?|line \d+|thread \d+|task \d+)\b/i;
const fileLead = /^`?[\w./-]+\.\w{1,5}`?(?::[\d-]+)?(?:\s*[—–:-]|\s+(?:now|still|updated|changed)\b)/;
const hashLead = /^`?[0-9a-f]{7,40}\b/;
/** Talk about an issue, a review or a proposal, and states that end with the work. */
const ofTheMoment =
  /^(?:title|reporter|recommendation|suggestion|correction|proposal|hit a snag|issue #?\d+|if we\b|no,)|^\[(?:critical|high|medium|low)\]|(?<!`)#\d{2,}\b|\b(?:currently|for now|at the moment|right now|asks for|reported by|still open)\b|— (?:valid|legit|fixed|done)$/i;
const errand =
  /\b(?:\d+ (?:tests?|cases?|commits?)|tests? (?:pass|green)|verified|committed|pushed|merged|re-?ran|all green|replied)\b/i;
const insight =
  /\b(?:because|since|so that|only|must|never|always|requires?|depends|root cause|instead of|rather than|silently|fails?|breaks?|cannot|can't|doesn['’]t|isn['’]t|don['’]t|won['’]t|not|ignores?|by design|deliberately|trade-?off|unless|until|without|caused?)\b/i;
/** Reports of work that the code itself shows. */
const workReport =
  /(?: [—–-]|:) (?:added|replaced|changed|updated|moved|removed|renamed|documents|refactored)\b|^the fix\b|\bnow (?!always|live)[a-z]+s\b|\bno longer\b|\backnowledged\b|\bis shared by\b/i;
const pronoun =
  /\b(?:them|those)\b|\b(?:this|these) (?!is\b|are\b|was\b|project\b|repo)\w+|^(?:\w+ing|the \w+) it\b|\b(?:fix|address|do|handle|for|way to fix) (?:this|that|it)\b/i;
const names = /`[^`]+`|\b[a-z]+[A-Z]\w+|\b\w+[_./]\w+|\s[A-Z][A-Za-z]+/;
/** The cues are English. Other languages get a factor between a plain statement and an insight. */
const otherLanguage = 1.1;
const foreignLetter = /[\u00c0-\u024f\u0400-\u04ff\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]/u;
const foreignWord =
  /\b(?:der|das|und|nicht|ist|wird|werden|eine?|los|las|que|para|una|pas|une|avec|dans|uma)\b/i;
const code = /\|\||&&|\bfunc \w|[{};]\s*$|\/\/ |=> /;

function isEnglish(text: string): boolean {
  return !foreignLetter.test(text) && !foreignWord.test(text);
}

/** How well an agent's statement can be understood by itself, and how much it adds to the code. */
export function judgeWording(text: string, as: "statement" | "result" = "statement"): number {
  let factor = 1;
  if (text.includes("…")) factor *= 0.3;
  if (/[?？]$/.test(text)) factor *= 0.3;
  if (fileLead.test(text)) factor *= 0.5;
  if (hashLead.test(text)) factor *= 0.4;
  if (code.test(text.replace(/`[^`]*`/g, ""))) factor *= 0.4;
  if (!isEnglish(text)) return factor * otherLanguage;
  if (dangling.test(text)) factor *= 0.4;
  if (ofTheSession.test(text)) factor *= 0.6;
  if (errand.test(text)) factor *= 0.5;
  if (ofTheMoment.test(text)) factor *= 0.6;
  if (pronoun.test(text)) factor *= 0.7;
  if (!names.test(text)) factor *= 0.75;
  if (as === "result") return factor;
  if (text.length < 45) factor *= 0.7;
  if (subjectless.test(text)) factor *= 0.6;
  if (workReport.test(text)) factor *= 0.65;
  return factor * (insight.test(text) ? 1.25 : 0.85);
}

const chore =
  /^(?:let['’]?s (?:review|respond)|check (?:the )?pr|got merge|merge\b|rebase|push|commit|continue|resume)\b|\b(?:merge conflicts?|comments? from|on the pr|prs?\b(?! ?#?\d)|parent branch|origin\/\w+|invoke reviewer|rebase|commit without|sign(?:ed|ing) commits?|lint errors?|(?:unit )?tests? (?:issue|failures?))\b/i;

/** Git and review work: irrelevant once done. */
export function isChore(text: string): boolean {
  return chore.test(text);
}

const generic =
  /^(?:which|what|where|how|when|who|should|would|could|want|like|prefer|do|does|you|fits?|best|approach\w*|options?|directions?|designs?|resonates?|areas?|based|tradeoffs?|next|questions?|go|goes|include\w*|use|used|work|works|handle\w*|change\w*|update\w*|files?|things?|way|ways|first|one|two|this|that|these|discuss\w*|feature|phase|plan)$/i;

/** Whether a question names more than the choice between its options. */
function isSpecific(question: string): boolean {
  const words = question.match(/[\p{L}\p{N}_]{4,}/gu) ?? [];
  return !isEnglish(question) || words.filter((word) => !generic.test(word)).length >= 1;
}

const deictic = /\b(?:this|that|these|those|it|them|together|here|the (?:change|fix|work))\b/i;

/** Whether a request or question can be understood later; "fix this" without a name cannot. */
export function namesItsSubject(text: string): boolean {
  if (text.length < 12 || text.includes("…")) return false;
  return !deictic.test(text) || /`|\d|[a-z][A-Z]|\w[_./-]\w/.test(text);
}
