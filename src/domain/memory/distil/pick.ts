import { isStopWord, listWords } from "../words.ts";
import type { Scored } from "./scorer.ts";
import { makeTitle, stripOpening } from "./title.ts";

export interface PickLimits {
  /** A statement this likely to be wanted becomes a note. */
  keep: number;
  /** A firm rule in the user's own words, which are short and often name no subject. */
  keepUser: number;
  /** A statement this likely supports a note of its message. */
  support: number;
  /** Most notes of one turn from the agent's words, and from the user's. */
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

/** How far apart, in statements of one message, two may stand and still tell of one thing. */
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
 * How likely a statement must be wanted. Some need no score. Of the labelled sentences of short prompts that begin with "don't" 82 %
 * are wanted, of answers to a question about the work 68 %, of causes in a short final message 78 %, of rules with "instead of" or "always" half.
 */
function barOf(one: Scored, limits: PickLimits): number {
  const { role, text } = one;
  if (role === "answer" || role === "denied") return 0;
  if (role === "user") {
    const isShort = one.messageLength <= maxSpoken;
    if (isShort && rule.test(text)) return 0;
    return limits.keepUser + (isShort && firm.test(text) ? -0.2 : wish.test(text) ? 0.05 : 0.2);
  }
  if (role === "final" && statedCause.test(text))
    return one.messageLength < shortFinal ? 0 : limits.keep - 0.1;
  return role === "say" && one.hasConclusion ? limits.keep + sayMargin : limits.keep;
}

/** Longer prompts are mostly pasted. */
const maxSpoken = 800;
const shortFinal = 600;
/** Words by which people lay down a rule. */
const rule =
  /^(?:please |ok(?:ay)?[,.]? |no[,.]? |and |but |also |btw[,.]? )*(?:don'?t|do not|never|always|from now on|going forward|stop|avoid|prefer)\b|\b(?:from now on|going forward|as a rule|must (?:always|never|not)|should (?:always|never))\b|\b(?:we|i) (?:always|never|prefer|only use|don'?t use)\b|^(?:bitte )?(?:ab jetzt|ab sofort|immer|nie(?:mals)?|keine?)\b|^(?:a partir de ahora|siempre|nunca|désormais|toujours|jamais|ne jamais|sempre|a partir de agora|всегда|никогда|с этого момента)(?=[\s,])|今後|必ず|常に|禁止|しないで|使わない|항상|절대|앞으로|하지 마|总是|始终|永远|不要|从现在|必须|以后/iu;
const symptom =
  /\b(?:always|never) (?:fail|crash|happen|return|show|give|work|arrive|finish|fire|end|come|get|see|saw|had|been|was|is|appear)s?\b|\b(?:fails?|crash(?:es|ed)?|broken|error|exception)\b.*\b(?:since|after|when|with|on)\b/i;
const statedCause =
  /\b(?:because|root cause|the (?:issue|problem|bug|cause) was|turn(?:s|ed) out)\b|原因|때문|weil\b|porque|parce que|потому что|因为/i;

function isUsers({ role }: Scored): boolean {
  return role === "user" || role === "answer" || role === "denied";
}

const edit =
  /^(?:`?[\w./-]+\.\w{1,5}`?(?::\d+)?\s*(?:\([^)]*\))?\s*[—–:-]\s*)?(?:i(?:'ve| have)? )?(?:successfully |now |also |both )?(?:added|adds|adding|updated|updates|removed|removes|created|creates|renamed|moved|deleted|modified|replaced|replaces|extracted|changed|converted|completed|simplified|refactored|split|inlined|used|uses|imported|passed|addressed|cleaned)\b/i;
/** Words that make a change worth knowing: a reason, a condition, a contrast, a consequence. */
const behaviour =
  /\b(?:because|so that|so it|when|whenever|only if|only when|unless|otherwise|no longer|never|always|avoid|prevent|fall(?:s|ing)? back|by default|even (?:when|if|though)|without|must|silently|skip|reject|fail|require|backward|race|leak)/i;
const testing =
  /\b(?:tests?|test cases?|coverage|assert(?:s|ion)?|fixtures?|mock(?:s|ed)?|golden|lint(?:er)?|nolint|doc comment|comment(?:s|ed)?|typo)\b|\bTest[A-Z]\w+|_test\.|\.(?:test|spec)\./i;
const trap =
  /\b(?:flak[ey]|never|must|don'?t|needs? to|requires?|hangs?|race|silently|unless|CI\b|pre-commit|strips?)/i;
/** A subject that only its turn explains. */
const dangling =
  /^(?:(?:so|and|but|now|then|also|however|instead|previously|before|after that|otherwise|here|there|yes|no|in short)[\s,:—–-]+)*(?:this|that|it|these|those|they|both|he|she|its|their|i (?:was|am|had|think|see)|line \d+|the (?:same|former|latter|above|following|fix|change|original|other|second|first|new|old|current|existing|issue|problem|code|correct|remaining)\b(?! root))/i;
const vague =
  /\b(?:these|those) (?:values?|files?|fields?|functions?|changes?|tests?|cases?|lines?|calls?|sessions?|settings?)\b|\b(?:as|see|shown) above\b|\bline \d+\b/i;
const half =
  /^(?:now|previously|before|after|old|new|was|today|currently|primary|fallback|option \w|step \d+|phase \d+|task \w+|issue \d+|fix \d+)\s*[:—–-]/i;
const status =
  /^(?:all (?:changes|tests|done)|the implementation|implementation|here'?s|i'?ve (?:added|completed|updated)|everything|done|note that the agent|robust|cleaner)\b/i;
/** The user's wish for one thing, now; without a word that makes it last. */
const request =
  /^(?:ok(?:ay)?[,. ]+|yes[,. ]+|also[,. ]+|now[,. ]+|please[,. ]+|so[,. ]+|alright[,. ]+)*(?:fix|reduce|take a look|look|update|check|run|add|remove|rename|move|create|write|make|change|implement|explain|show|tell|give|try|can you|could you|would you|why|what|how|is there|are there|do we|does|should i|let me|in that case|i (?:see|think|got|have|just|tested|was|am|'m|need|wonder)|that|this|it|there|consider|the comment)\b/i;
const firm =
  /\b(?:always|never|don'?t|do not|must(?: not)?|from now on|instead of|should (?:always|never|not|be|live|first|only)|shouldn'?t|prefer|not .+ but|no more|avoid|only)\b/i;
const wish =
  /\b(?:i(?:'d| would)? (?:want|like|prefer|rather)|we (?:want|should|need|use)|let'?s|use|make it|should|requirement|have in mind|keep in mind|ensure|make sure)\b/i;
const lasting =
  /\b(?:always|never|every(?:where|thing)?|any|don'?t|do not|should(?:n'?t)?|must|prefer|from now on|instead|only|rather|no more|avoid|i(?:'d| would)? (?:want|like|replace|rather)|i do (?:also )?want|we want|let'?s|keep|have in mind|requirement|use|ensure|make sure|convention|rule|policy|by default)\b|必|不要|総|항상|immer|nie\b|nicht|siempre|nunca|toujours|jamais|sempre|всегда|никогда/i;
/** Holds for this task only. */
const isTaskLimit =
  /\b(?:only look|just (?:tell|show|explain|look)|read[- ]only|without changing|don'?t (?:change|touch|edit|fix|do|commit|push|worry|forget|mind|bother)(?: \w+)?(?: yet| anything| it)?[.!]?$|never ?mind)/i;
const aside =
  /\b(?:too hard|for now|this time|right now|today|take a look|thinking aloud|i (?:don'?t|haven'?t|didn'?t|can'?t|do not) (?:see|seen|think|know|get|understand|remember)|i guess|does(?:n'?t| not) (?:sound|seem|look) right|don'?t worry|don'?t need to|we don'?t need)\b|[?？]/i;
/** The host's own words in a refusal. */
const boilerplate =
  /\b(?:user wants to clarify|doesn'?t want to proceed|tool use was rejected|interrupted by user|i'?ll take it from here)\b/i;
const routine =
  /\b(?:what would you like|next step|how (?:would|do) you (?:like|want) to proceed|ready to|more questions|continue|which (?:areas?|one) (?:to|should)|work on it now|start|approve|what next)\b/i;

/** A statement that can stand for a note by itself. */
export function canLead(one: Scored): boolean {
  const { place, text, code, role, kind } = one;
  if (place === "heading" || place === "quote" || kind === "open" || text.length < 20) return false;
  if (/[:：]$/.test(text) && code === "") return false;
  if (role === "answer") return !routine.test(text);
  const statement = stripOpening(text);
  if (role === "denied")
    return !/[?？]["')\]]?$/.test(text) && !boilerplate.test(text) && text.split(/\s+/).length >= 3;
  if (role === "user") return canLeadUser(statement);
  if (/[?？]["')\]]?$/.test(text)) return false;
  if (half.test(statement) || dangling.test(statement) || vague.test(statement) || status.test(statement))
    return false;
  if (edit.test(statement) && !behaviour.test(statement)) return false;
  if (testing.test(statement) && !trap.test(statement)) return false;
  return isSpecific(statement) || statedCause.test(statement);
}

function canLeadUser(statement: string): boolean {
  // A quotation is somebody else's: an error message may say "must not", too.
  const plain = statement.replace(/"[^"]*"|'[^']{4,}'|`[^`]*`|“[^”]*”/g, "…");
  if (aside.test(plain) || symptom.test(plain) || isTaskLimit.test(plain)) return false;
  return rule.test(plain) || firm.test(plain) || (lasting.test(plain) && !request.test(plain));
}

/** Names something: a code name, a proper name, a number, a file. General knowledge names nothing of the project. */
function isSpecific(statement: string): boolean {
  return /`|[a-z][A-Z]|\w_\w|[\w-]+\/[\w-]+|\w\.\w{2,4}\b|\d|\s[A-Z][\w-]+|[^ -~]/.test(
    statement.slice(0, 160),
  );
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
