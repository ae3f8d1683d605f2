import { isStandingRule } from "./standing-rule.ts";
import { dayMs } from "../../shared/clock.ts";

/** The origin of a note: written as a note by a person or a model, a commit message, or a sentence of the user or of an agent. */
export type NoteSource = "composed" | "commit" | "user" | "agent";

/** The parts of a note that determine its value at session start. */
interface ScoredNote {
  type: string;
  text: string;
  /** Probability that a later session needs it, if the distiller estimated it. */
  worth: number | null;
  createdAt: number;
  files: readonly string[];
  /** Whether its turn changed files. */
  hasEdits: boolean;
  /** Number of turns of its session that followed. */
  turnsAfter: number;
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
  bugfix: 1,
  feature: 1,
  refactor: 0.8,
  change: 0.75,
};

/** Types of notes that report work. */
export function isWork(type: string): boolean {
  return workTypes.has(type);
}

/** Whether a note is listed as work. A fix that an agent explains in a sentence says what was wrong: that is a finding. */
export function namesWork({ type, text, source }: Pick<ScoredNote, "type" | "text" | "source">): boolean {
  return isWork(type) && (type !== "bugfix" || source === "commit" || isHeadline(text));
}

const workTypes: ReadonlySet<string> = new Set(["bugfix", "feature", "refactor", "change"]);

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

/** Findings of a turn that changed files were mostly fixed there. A gotcha stays one. */
const findings: ReadonlySet<string> = new Set(["discovery", "problem-solution", "bugfix"]);
/** A choice with so many turns of its session after it was mostly made before the design was settled. */
const longSession = 20;

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
  if (note.source === "composed" || note.source === "user") parts.source = 1.4;
  else if (note.source === "agent" && note.worth !== null) parts.worth = (0.9 * note.worth) / usualWorth;
  if (note.source === "agent" && note.hasEdits && findings.has(note.type)) parts.fixed = 0.5;
  const isChoice = note.type === "decision" && note.text.includes(" → ");
  if (isChoice && note.turnsAfter >= longSession) parts.revised = 0.5;
  if (note.files.some((file) => recentFiles.has(file))) parts.files = 1.15;
  if (note.uses > 0) parts.uses = 1 + Math.min(0.3, note.uses / 10);
  if (note.isElsewhere) parts.worktree = 0.8;
  return parts;
}

function judgeSource(note: ScoredNote): number {
  if (note.source === "composed") return 1;
  if (namesWork(note)) return judgeWork(note);
  if (note.source === "user") return judgeUserText(note);
  const isEdit = note.type === "bugfix" && !statesCause.test(note.text);
  return judgeWording(note.text) * judgeDecision(note) * (isEdit ? 0.5 : 1);
}

/** Verbs that begin the name of a piece of work, as in a commit's subject. */
export const imperative =
  /^(?:add|adjust|align|allow|always|apply|auto-?\w+|avoid|block|build|bump|cache|change|check|clean|clear|collapse|compute|condense|configure|consolidate|convert|correct|create|cut|decouple|defer|delete|deprecate|detect|disable|display|document|drop|embed|enable|enforce|ensure|escape|exclude|expand|expose|extend|extract|fall back|filter|fix|flatten|force|generate|grant|group|guard|handle|harden|hide|hoist|ignore|implement|improve|include|inline|insert|integrate|introduce|isolate|keep|lazy|limit|load|lock|log|make|map|mark|merge|migrate|move|narrow|normali[sz]e|optimi[sz]e|overhaul|parallelize|parse|pass|persist|pin|port|prefer|prevent|print|propagate|protect|prune|put|read|record|redesign|reduce|refactor|register|reject|release|reload|remove|rename|reorder|reorgani[sz]e|repair|replace|report|require|reset|resolve|restore|restrict|restructure|retry|return|reuse|revert|rewrite|route|run|save|scope|send|separate|serve|set|share|show|simplify|skip|sort|speed|split|stop|store|stream|strip|support|suppress|switch|sync|tighten|track|treat|trim|trust|unify|update|upgrade|use|validate|verify|wait|walk|warn|wire|wrap|write)\b/i;
const scope = /^(?:[\w./#@-]+(?: [\w./#-]+){0,2}(?:\([^)]*\))?:\s+)+/;

/** Whether a text names a piece of work like the subject of a commit: "Export: retry on 503". */
export function isHeadline(text: string): boolean {
  return imperative.test(text.replace(scope, "")) && !/[.?!…]$/.test(text);
}

/** Work on the repository rather than on the product, and work that says nothing without its list. */
const upkeep =
  /\b(?:readme|docs?|documentation|learnings?|assertions?|roadmap|changelog|typos?|lint(?:er|ing)?|staticcheck|eslint|golangci|clippy|warnings?|nolint|comments?|(?:pr|code|review) (?:review|feedback|findings)|review findings|unused|redundant|formatting|gitignore|logos?|home ?page|wording|whitespace|fixtures?|test (?:files?|cases?|names?)|unit tests?|e2e tests?)\b|^(?:\w+: )?(?:update|fix|adjust|rename|adapt) (?:\S+ ){0,4}tests?\b|^(?:address|insert|merge|bump|revert)\b|\bphase [\d.]+/i;
/** Work on one function is a detail, which the code shows. */
const identifier = /\b(?:[a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*|\w+_\w+)\b|\w\(\)/;
/** Fewer content words do not name the work. */
const minWorkWords = 4;

/** How well a report of work says what was done. An agent's sentence about an edit is visible in the code. */
function judgeWork({ text, source, type }: ScoredNote): number {
  if (source === "user") return 0.3;
  let factor = isEnglish(text) ? 1 : otherLanguage;
  if (text.includes("…")) factor *= 0.3;
  if (upkeep.test(text)) factor *= 0.45;
  if ((text.match(/[\p{L}\p{N}_]{2,}/gu) ?? []).length < minWorkWords) factor *= 0.5;
  if (type !== "feature" && identifier.test(text)) factor *= 0.55;
  if (source === "commit" || !isEnglish(text)) return factor;
  return factor * (isHeadline(text) ? 0.75 : 0.4);
}

/** A longer sentence explains one case rather than setting a rule. */
const maxRule = 160;
const unsure = /\bi (?:also )?think\b|\bweird\b|^i like\b/i;

/**
 * A choice between options is understandable if its question is. A request has usually been implemented by now, unless
 * it is a rule.
 */
function judgeUserText({ type, text }: ScoredNote): number {
  const [, question, answer = ""] = /^(.*?\S) → (.*)$/.exec(text) ?? [];
  if (question !== undefined) {
    if (isChore(question) || !isClearQuestion(question) || emptyAnswer.test(answer)) return 0.3;
    return isPart(text) || habit.test(question) ? 0.5 : 1;
  }
  if (!isStandingRule(text) || (type === "decision" && (unsure.test(text) || !namesItsSubject(text))))
    return 0.3;
  if (text.length > maxRule) return 0.5;
  return type === "preference" ? 1 : 0.8;
}

/** Names no option. */
const emptyAnswer = /^(?:all|both|either|neither|none|any)(?: of (?:the above|them|these|those))?[\s.!]*$/i;
/** Asks for the state of things, not for a decision. */
const habit =
  /\b(?:typically|usually|how often|pain points?|currently|(?:most|more) (?:valuable|important|useful|helpful))\b/i;

/** Whether words of the user, or a proposal that they agreed to, still say something when the work is done. */
export function isLastingChoice(text: string): boolean {
  const question = /^(.*?\S) → /.exec(text)?.[1];
  if (question !== undefined) return !isChore(question) && isClearQuestion(question);
  return (
    !isChore(text) &&
    !goingOn.test(text) &&
    !text.endsWith("…") &&
    namesItsSubject(text) &&
    decides.test(text)
  );
}

/** The rest of a long answer may say something else. */
function isPart(text: string): boolean {
  return text.endsWith("…");
}

const goingOn =
  /^(?:(?:yeah|yes|yep|ok(?:ay)?|so|now|well)[,.]? )*(?:let['’]?s|lets|i['’]?d (?:suggest|recommend)|before|continue|go|do it|start|we are back|thanks?|please|add|remove|fix|the \w+ function)\b/i;

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
  /^(?:\d|(?:this|that|it|its|these|those|they|both|here|there|now|my|your|our|i|you|we|one|two|three|another|nothing|neither|per|most of|which|what|so|then|worth|related|relevant|impact|short answer|alternatively|final|maybe|side note|tip|looking at|not really|re|thread|for point|additional|(?:the )?(?:current|same|former|latter|above|following|first|second|other|rest|two|three|plan|flagged|simplest))\b)/i;
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
/** A cause stays useful even if the rest of the statement reports the fix. */
const statesCause = /\b(?:because|root cause|caused by|due to)\b/i;
const aftermath = /\b(?:now|already|again|moot|resolved|fixed)\b/i;
/** "Retry logic — …": an item of a list, which needs the others. */
const bulletLead = /^[^`:—]{3,60}(?:\s[—–-]|:)\s/;
/** A single run rather than a rule: times, hashes, addresses, counts. */
const instance =
  /\b\d{1,2}:\d\d\b|https?:|\b(?=[a-f]*\d)[0-9a-f]{7,40}\b|\b\d+ vs\.? \d|\b\d{2,} (?:lines?|files?|functions?|sessions?|threads?|items?|rows?|errors?)\b/i;
const undecided =
  /\b(?:would|could|might|probably|likely|perhaps|option [a-d1-4]|etc|simplest|safest|cleaner|approach|you|phase [\d.]+)\b/i;
/** "The cast is …": the noun alone does not say which one. */
const unnamed =
  /^The [a-z][a-z-]*(?: [a-z][a-z-]*)? (?:is|are|was|were|has|have|does|can|says?|that|aren['’]t|isn['’]t|doesn['’]t)\b/;
const requirement =
  /\b(?:must|requires?|needs?|always|never|only|won['’]t|cannot|rejects?|ignores?|silently|does(?:n['’]t| not) support)\b/i;
const pronoun =
  /\b(?:them|those)\b|\b(?:this|these) (?!is\b|are\b|was\b|project\b|repo)\w+|^(?:\w+ing|the \w+) it\b|\b(?:fix|address|do|handle|for|way to fix) (?:this|that|it)\b/i;
/** A noun that another statement introduced: "the same thing", "that specific trap". */
const pointsBack =
  /\bthe same (?:thing|way|reason|place)\b|\bthat (?:specific|particular|exact|very) \w+|[—–] that \w+ (?:is|was)\b|\bjust (?:added|changed|wrote|fixed)\b|^regarding\b/i;
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

/** How well an agent's statement can be understood on its own, and how much it adds to the code. */
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
  if (pointsBack.test(text)) factor *= 0.4;
  if (!names.test(text)) factor *= 0.75;
  if (as === "result") return factor;
  if (text.length < 45) factor *= 0.7;
  if (subjectless.test(text)) factor *= 0.6;
  const isCause = statesCause.test(text);
  if (workReport.test(text)) factor *= isCause ? 0.85 : 0.55;
  else if (aftermath.test(text)) factor *= 0.75;
  if (bulletLead.test(text)) factor *= 0.75;
  if (instance.test(text)) factor *= 0.7;
  if (undecided.test(text)) factor *= 0.8;
  if (unnamed.test(text) && !isCause) factor *= 0.8;
  if (requirement.test(text)) factor *= 1.15;
  return factor * (insight.test(text) ? 1.25 : 0.85);
}

const chore =
  /^(?:let['’]?s (?:review|respond)|check (?:the )?pr|got merge|merge\b|rebase|push|commit|continue|resume)\b|\b(?:merge conflicts?|comments? from|on the pr|prs?\b(?! ?#?\d)|parent branch|origin\/\w+|invoke reviewer|rebase|commit without|sign(?:ed|ing) commits?|lint errors?|(?:unit )?tests? (?:issue|failures?))\b/i;

/** Git and review work: irrelevant once done. */
export function isChore(text: string): boolean {
  return chore.test(text);
}

/** The thing asked about was named before the question. */
const aboutIt =
  /^(?:(?:that|this|it|they|these|those)(?:['’]s|['’]re| is| are)?|(?:(?:how|what|where|when) )?(?:should|can|could|does|do|will|would|is|are) (?:it|they|that|these|those))\b|\b(?:want|put|place|keep|do|call|name|handle) (?:it|this|that|them)\b/i;

/** A question about how to continue, not about the product. */
const ofProcess =
  /\b(?:discuss|explore|focus on|tackle|(?:work on|start with) (?:first|next)|how (?:do you want|would you like) (?:me|us) to|proceed|your (?:last )?message|what should i)\b/i;

const generic =
  /^(?:which|what|where|how|when|who|should|would|could|want|like|prefer|do|does|you|fits?|best|approach\w*|options?|directions?|designs?|resonates?|areas?|based|tradeoffs?|next|questions?|go|goes|include\w*|use|used|work|works|handle\w*|change\w*|update\w*|files?|things?|way|ways|first|one|two|this|that|these|discuss\w*|feature|phase|plan|with|your|vision|proceed|think|thoughts?|style|kind|make|need|have|right|here|from|also)$/i;

/** Whether a question names more than the choice between its options: "this" needs other words that say what it is about. */
function isClearQuestion(question: string): boolean {
  if (question.length < 12 || ofProcess.test(question) || aboutIt.test(question)) return false;
  if (!isEnglish(question)) return true;
  const words = question.match(/[\p{L}\p{N}_]{4,}/gu) ?? [];
  const specific = words.filter((word) => !generic.test(word)).length;
  return specific >= (namesItsSubject(question) ? 1 : 3);
}

const deictic =
  /\b(?:this|that|these|those|it|them|together|here|the (?:change|fix|work)|(?:direction|option|approach|variant) [A-Z])\b/i;

/** Whether a request or question can be understood later; "fix this" without a name cannot. */
export function namesItsSubject(text: string): boolean {
  if (text.length < 12 || text.includes("…")) return false;
  return !deictic.test(text) || /`|\d|[a-z][A-Z]|\w[_./-]\w/.test(text);
}
