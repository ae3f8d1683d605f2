import { listSentences } from "./distil/sentences.ts";
import { shortenTitle, stripOpening } from "./distil/title.ts";
import { isStopWord, listWords } from "./words.ts";

/** A turn after an open end. */
export interface LaterTurn {
  prompt: string;
  /** The agent's last message and the titles of the turn's notes. */
  told: string;
  /** The texts of the turn's notes about finished work. */
  did?: readonly string[];
  /** The prompt replies to the message that names the open end. */
  isReply?: boolean;
}

const separator = " · ";
const maxList = 600;

/** Joins open ends to one text; those that do not fit are left out. */
export function joinOpenEnds(openEnds: readonly string[]): string {
  let list = "";
  for (const openEnd of openEnds) {
    const longer = list === "" ? openEnd : list + separator + openEnd;
    if (longer.length <= maxList) list = longer;
  }
  return list;
}

const open =
  /\b(?:remain(?:s|ing)?|pending|yet|still|to-?do|left open|open (?:decision|question|issue|point)|follow-?up|deferred|unverified|untested|has(?: not|n['’]t)|have(?: not|n['’]t)|needs?|later|missing|won['’]t|limitation|no test|blocked|known issue)\b|noch (?:offen|nicht)|steht aus|fehlt|pendiente|falta|reste à|à faire|pendente|осталось|не сделан|待办|尚未|未完成|残り|未対応|まだ|남은|아직/iu;
const unclear =
  /^(?:if|the fix|this|that|it|these|those|they)\b|\b(?:could|may want|might|would require|would be|long-term|optional|nice to have)\b/i;
const done =
  /\b(?:done|fixed|added|implemented|resolved|removed|now|merged|completed?|works|wrote|written|landed|shipped|closed|handled|updated|created|covers?)\b|erledigt|behoben|hecho|listo|terminé|corrigé|feito|готово|исправлен|完成|已|済|完了|修正しました|완료/iu;
const dismissed =
  /^(?:no(?:pe)?|nah|skip|leave|ignore|forget|never ?mind|don['’]?t (?:bother|worry)|not (?:now|needed|important)|nein|lass|egal|no hace falta|laisse|нет|不用|不要|いらない|아니)\b|\b(?:leave (?:it|that|them)|not needed|don['’]?t need|out of scope|never ?mind|won['’]t (?:do|fix)|as is|good enough)\b/i;

/** Agrees to what the agent proposed to do next. */
const agrees =
  /^(?:yes|yeah|yep|sure|ok(?:ay)?|do it|go ahead|go for it|please do|fix (?:all|them|it|everything)|sounds good|ja|sí|oui|sim|да|好|はい|네)\b(?!.*(?:\b(?:later|not now|skip)\b|[?？])).{0,60}$/iu;
/** Agreeing to the rest does not close the postponed part. */
const putOff = /\b(?:deferred|left|later|future|separate|follow-?up|out of scope|you(?:['’]ll)? need)\b/i;

/** A part with more sentences is prose by a model or by another memory plugin; few of its sentences name unfinished work. */
const maxSentences = 2;

/** The open ends of a summary's next steps. */
export function splitOpenEnds(nextSteps: string): string[] {
  return nextSteps
    .split(separator)
    .flatMap((part) => {
      const sentences = listSentences(part);
      if (sentences.length <= maxSentences) return [part];
      return sentences
        .map((sentence) => stripOpening(sentence))
        .filter((sentence) => open.test(sentence) && !unclear.test(sentence));
    })
    .filter((text) => text.length >= minLength && !text.endsWith("…"));
}

const minLength = 15;

/** The texts of the last turn of a session. */
interface LastTurn {
  prompt: string;
  final: string;
  outcome: string | null;
  /** Whether it changed files. */
  hasEdits: boolean;
}

const notPushed = /\b(?:not|never|isn['’]t|haven['’]?t|hasn['’]?t) (?:yet )?(?:been )?pushed\b|\bunpushed\b/i;
const choice = /^(?:should|shall) (?:i|we)\b.{20,} or .+[?？]$/i;
const errand = /\b(?:commit|push|pr|pull request|merge|proceed|continue|next)\b/i;
const offered =
  /\s*(?:[—–;,(]|\s-)\s*(?:want me to|shall i|should i|let me know|say (?:the )?word|if you|so push|push whenever)\b.*$/i;

/**
 * Open ends that only count at the end of a session: a request that was not carried out, a question without an answer,
 * commits that were not pushed. `request` is the prompt as one line.
 */
export function listFinalOpenEnds({ prompt, final, outcome, hasEdits }: LastTurn, request: string): string[] {
  const isCut = outcome === "interrupted" || outcome === "failed" || (outcome === "abandoned" && !hasEdits);
  if (isCut) {
    const isRequest = request.length >= 20 && contentWords(request).size >= 3 && !done.test(final);
    const text = request.replace(/^[^.!?]{1,20}[.!?]\s+(?=\S.{20})/u, "");
    return isRequest && !asksOnly.test(text) && !goesOn.test(prompt.trim()) ? [unfinished + text] : [];
  }
  const sentences = listSentences(final);
  const last = sentences.at(-1) ?? "";
  const question =
    choice.test(last) && !errand.test(last) && hasName.test(last) ? [`Not decided: ${last}`] : [];
  const at = sentences.findIndex((sentence) => notPushed.test(sentence));
  if (at < 0) return question;
  const text = (sentences[at] ?? "").replace(offered, "");
  const earlier = sentences.slice(0, at);
  const before =
    text.length < 40 ? (earlier.findLast((one) => /\bcommit/i.test(one)) ?? earlier.at(-1) ?? "") : "";
  return [
    ...question,
    `${before === "" ? "" : `${shortenTitle(stripOpening(before), 120)} `}${stripOpening(text)}`,
  ];
}

const asksOnly = /^(?:what|why|how|where|when|who|which|is|are|has|have|does|did|was)\b/i;
/** Agreement to something that was said before: the prompt alone does not name the work. */
const goesOn =
  /^(?:(?:yes|yeah|yep|ok(?:ay)?|sure|please|go|do it|go ahead|continue|proceed|\d+(?!\d))[\s,.!]*)+(?:$|and\b|please\b)|^(?:commit|push|merge)\b/i;
const hasName = /`[^`]+`|\w[_./]\w|[a-z][A-Z]/;

const ofMoment = /\bawaiting commit\b|\b(?:staged|uncommitted)\b/i;
/** The label of a request that was not carried out. */
const unfinished = "Not finished: ";

/** Whether an open end is the state of a branch, which the next session changes. */
export function isGitState(openEnd: string): boolean {
  return notPushed.test(openEnd) || ofMoment.test(openEnd);
}

/** Whether an open end is a request that was not carried out. It loses its relevance as other work follows. */
export function isUnfinished(openEnd: string): boolean {
  return openEnd.startsWith(unfinished);
}

/** Whether it is a to-do that the user had written down. */
export function isRecorded(openEnd: string): boolean {
  return openEnd.startsWith("To do: ");
}

/** Share of the content words that a later text must repeat to be about the same thing. */
const sameThing = 0.5;
/** The same for a plan, which says the same in other words. */
const samePlan = 0.3;
/** A plan made in one session is carried out by the next. */
const pastedPlan = /^\s*implement the (?:following )?plan\b/i;

/** Numbered work: an issue, a phase of a plan. */
const numbered = /\b[A-Z]{2,}-\d+\b|(?<!\w)#\d+\b|\b(?:phase|milestone|step|task) \d+(?:\.\d+)*/gi;

function listNumbers(text: string): string[] {
  return (text.match(numbered) ?? []).map((name) => name.toLowerCase().replace(/^\w+ (?=\d)/, ""));
}

/** Whether a prompt asks for the numbered work: `/plan:execute 12.3`, "now ENT-204". */
function asksFor(prompt: string, numbers: readonly string[]): boolean {
  const text = prompt.toLowerCase();
  return numbers.some((number) => {
    const at = text.indexOf(number);
    return (
      at >= 0 && !/[\w.-]/.test(text.charAt(at - 1)) && !/^(?:\.?\d|\w)/.test(text.slice(at + number.length))
    );
  });
}

/** A long prompt mentions numbers rather than asking for the work. */
const maxNumbered = 300;

/** Whether a later turn was asked to do it or reports it done, or the user dismissed it. */
export function isClosed(openEnd: string, later: readonly LaterTurn[]): boolean {
  const words = contentWords(openEnd.replace(unfinished, ""));
  const numbers = listNumbers(openEnd);
  return later.some(({ prompt, told, did = [], isReply = false }) => {
    const asked = prompt.trim();
    if (told !== "" && asked.length <= maxNumbered && asksFor(asked, numbers)) return true;
    if (did.some((work) => isAbout(words, work, sameThing))) return true;
    if (isReply && dismissed.test(asked)) return true;
    if (isReply && told !== "" && agrees.test(asked) && !putOff.test(openEnd)) return true;
    if (isAbout(words, asked, sameThing) && (told !== "" || dismissed.test(asked))) return true;
    if (isUnfinished(openEnd) && pastedPlan.test(asked) && isAbout(words, asked, samePlan)) return true;
    return (
      containsWords(words, told, sameThing) &&
      listSentences(told).some(
        (sentence) => done.test(sentence) && !open.test(sentence) && isAbout(words, sentence, sameThing),
      )
    );
  });
}

/** Whether a text has enough of the words to be about the same thing. */
function isAbout(words: ReadonlySet<string>, text: string, share: number): boolean {
  if (!containsWords(words, text, share)) return false;
  const found = contentWords(text);
  return isEnough(words, (word) => found.has(word), share);
}

/** Whether a text contains the letters of enough words. Much faster than splitting it, and rules out most texts. */
function containsWords(words: ReadonlySet<string>, text: string, share: number): boolean {
  const lower = text.toLowerCase();
  return isEnough(words, (word) => lower.includes(word), share);
}

function isEnough(words: ReadonlySet<string>, isThere: (word: string) => boolean, share: number): boolean {
  const wanted = Math.max(2, share * words.size);
  let common = 0;
  let left = words.size;
  for (const word of words) {
    if (isThere(word)) common += 1;
    left -= 1;
    if (common >= wanted) return true;
    if (common + left < wanted) return false;
  }
  return false;
}

/** Content words reduced to their first letters, because endings differ. */
export function contentWords(text: string): Set<string> {
  return new Set(
    listWords(text)
      .filter((word) => word.length > 2 && !isStopWord(word))
      .map((word) => word.slice(0, 7)),
  );
}
