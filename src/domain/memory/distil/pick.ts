import { isStopWord, listWords } from "../words.ts";
import type { Scored } from "./scorer.ts";
import { stripOpening } from "./title.ts";

export interface PickLimits {
  /** A statement this likely to be wanted becomes a note. */
  keep: number;
  /** The user's own words, which are short and often name no subject. */
  keepUser: number;
  /** A statement this likely supports a note of its message. */
  support: number;
  /** Most notes of one turn from the agent's words, and from the user's. */
  notes: number;
  userNotes: number;
}

export const pickLimits: PickLimits = { keep: 0.3, keepUser: 0.3, support: 0.12, notes: 2, userNotes: 2 };

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
  for (const one of scored.filter(canLead).toSorted((a, b) => b.worth - a.worth)) {
    const isOfUser = isUsers(one);
    if (one.worth < (isOfUser ? limits.keepUser : limits.keep)) continue;
    if (count(isOfUser) >= (isOfUser ? limits.userNotes : limits.notes)) continue;
    if (picks.some(({ main }) => tellsTheSame(main, one) || isSameShortPrompt(main, one))) continue;
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
    else if (!isUsers(one) && one.kind !== "open" && !/[:：?？]$/.test(one.text))
      agents[0]?.further.push(one);
  }
  for (const pick of picks) {
    pick.support.sort((a, b) => a.index - b.index);
    pick.further = pick.further.toSorted((a, b) => b.worth - a.worth).slice(0, maxFurther);
  }
  return picks;
}

/** A short prompt is kept whole, so it makes one note. */
function isSameShortPrompt(a: Scored, b: Scored): boolean {
  return a.role === "user" && b.role === "user" && a.messageLength <= 500;
}

function isUsers({ role }: Scored): boolean {
  return role === "user" || role === "answer" || role === "denied";
}

const edit =
  /^(?:`?[\w./-]+\.\w{1,5}`?(?::\d+)?\s*(?:\([^)]*\))?\s*[—–:-]\s*)?(?:i(?:'ve| have)? )?(?:successfully |now |also )?(?:added|adds|updated|updates|removed|removes|created|creates|renamed|moved|deleted|modified|replaced|replaces|extracted|changed|converted|simplified|refactored|split|inlined|used|uses|imported|passed)\b/i;
/** Words that make a change worth knowing: a reason, a condition, a contrast, a consequence. */
const behaviour =
  /\b(?:because|so(?: that)?|when|whenever|if|only|unless|otherwise|instead of|rather than|no longer|never|always|avoid|prevent|fall(?:s|ing)? back|default|even (?:when|if|though)|without|must|silently|skip|reject|fail|support|allow|require|backward)/i;
const testing =
  /\b(?:tests?|test cases?|coverage|assert(?:s|ion)?|fixtures?|mock(?:s|ed)?)\b|\bTest[A-Z]\w+|_test\.|\.(?:test|spec)\./;
const trap =
  /\b(?:flak[ey]|because|only|never|must|don'?t|not|needs?|requires?|fails?|hang|race|slow|skip|without|unless|CI\b)/i;
const dangling =
  /^(?:(?:so|and|but|now|then|also|however|instead|previously|before|after that|otherwise|here|there|yes|no)[\s,:—–-]+)?(?:this|that|it|these|those|they|both|he|she|its|their|the (?:same|former|latter|above|following|fix|change|test|file|code|function|method|other|second|first))\b/i;
const half =
  /^(?:now|previously|before|after|old|new|was|today|currently|option \w|step \d+|phase \d+|task \w+|issue \d+|fix \d+)\s*[:—–-]/i;
/** The user's wish for one thing, now; without a word that makes it last. */
const request =
  /^(?:ok(?:ay)?[,. ]+|yes[,. ]+|also[,. ]+|now[,. ]+|please[,. ]+|so[,. ]+)*(?:fix|reduce|take a look|look|update|check|run|add|remove|rename|move|create|write|make|change|implement|explain|show|tell|give|try|can you|could you|would you|why|what|how|is there|are there|do we|does|should i|let me|i (?:see|think|got|have|just|tested|was|am|'m|need))\b/i;
const lasting =
  /\b(?:always|never|every(?:where|thing)?|all|any|don'?t|do not|should(?:n'?t)?|must|prefer|from now on|instead|only|rather|not|no more|avoid|want|keep|use .+ (?:for|not)|convention|rule|policy|by default)\b|必|不要|総|항상|immer|nie\b|nicht|siempre|nunca|toujours|jamais|sempre|всегда|никогда/i;

/** A statement that can stand for a note by itself. */
export function canLead(one: Scored): boolean {
  const { place, text, code, role, kind } = one;
  if (place === "heading" || place === "quote" || kind === "open" || text.length < 20) return false;
  if (/[:：]$/.test(text) && code === "") return false;
  if (role === "answer") return true;
  if (/[?？]["')\]]?$/.test(text) && role !== "user") return false;
  const statement = stripOpening(text);
  if (role === "user" || role === "denied")
    return (
      lasting.test(statement) &&
      !(
        request.test(statement) &&
        !/\b(?:always|never|don'?t|do not|should|must|instead|not)\b/i.test(statement)
      )
    );
  if (half.test(statement) || dangling.test(statement)) return false;
  if (edit.test(statement) && !behaviour.test(statement)) return false;
  return !(testing.test(statement) && !trap.test(statement));
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
