import { listSentences } from "./distil/sentences.ts";
import { stripOpening } from "./distil/title.ts";
import { isStopWord, listWords } from "./words.ts";

/** A turn after an open end. */
export interface LaterTurn {
  prompt: string;
  /** The agent's last message and the titles of the turn's notes. */
  told: string;
}

const open =
  /\b(?:remain(?:s|ing)?|pending|yet|not (?:yet|been|implemented|covered|verified|tested|fixed|handled|examined|touched|enrolled|supported)|still|to-?do|left open|open (?:decision|question|issue|point)|follow-?up|deferred|unverified|untested|has(?: not|n['’]t)|have(?: not|n['’]t)|needs?|pre-?existing|later|future|missing|gap|won['’]t|limitation|no test|never run|out of scope|blocked|known issue|wrong shape)\b|noch (?:offen|nicht)|steht aus|fehlt|pendiente|falta|reste à|à faire|pendente|осталось|не сделан|待办|尚未|未完成|残り|未対応|まだ|남은|아직/iu;
/** Reports of completed, filed or explained things are not open. */
const settled =
  /^(?:filed|created|added|updated|removed|fixed|documented|logged|moved|skipped|related: created|root cause|impact|both\b|this fix|all\b|build\/)|\bcreated [A-Z]+-\d+|\b(?:created|filed|tracked) (?:as|in|for)\b|\bis now\b|→ `|^[A-Z]+-\d+ -|\bso i skipped\b|\bcorrect to omit\b|\bnot an? (?:issue|problem|bug|corruption)|\bunrelated\b|\bnot caused by\b|\bthe todo (?:documents|includes)\b/i;
const unclear =
  /^(?:if|the fix|this|that|it|these|those|they)\b|\b(?:could|may want|might|would require|would be|long-term|optional|nice to have)\b/i;
const done =
  /\b(?:done|fixed|added|implemented|resolved|removed|now|merged|completed?|works|wrote|written|landed|shipped|closed|handled|updated|created|covers?)\b|erledigt|behoben|hecho|listo|terminé|corrigé|feito|готово|исправлен|完成|已|済|完了|修正しました|완료/iu;
const dismissed =
  /^(?:no(?:pe)?|nah|skip|leave|ignore|forget|never ?mind|don['’]?t (?:bother|worry)|not (?:now|needed|important)|nein|lass|egal|no hace falta|laisse|нет|不用|不要|いらない|아니)\b|\b(?:leave (?:it|that|them)|not needed|don['’]?t need|out of scope|never ?mind|won['’]t (?:do|fix)|as is|good enough)\b/i;

/** Statements in a summary's next steps that name known unfinished work. */
export function listOpenEnds(nextSteps: string): string[] {
  return listSentences(nextSteps)
    .map((sentence) => stripOpening(sentence))
    .filter(
      (sentence) =>
        sentence.length >= 25 &&
        !sentence.endsWith("…") &&
        open.test(sentence) &&
        !settled.test(sentence) &&
        !unclear.test(sentence),
    );
}

/** Share of the content words that a later text must repeat to be about the same thing. */
const sameThing = 0.5;

/** Whether a later turn reports it done or the user dismissed it. The first later turn replies to it directly. */
export function isClosed(openEnd: string, later: readonly LaterTurn[]): boolean {
  const words = contentWords(openEnd);
  const speaksOfIt = (text: string): boolean => {
    const found = contentWords(text);
    let common = 0;
    for (const word of words) if (found.has(word)) common += 1;
    return common >= 2 && common / words.size >= sameThing;
  };
  return later.some(({ prompt, told }, index) => {
    if (dismissed.test(prompt.trim()) && (index === 0 || speaksOfIt(prompt))) return true;
    return listSentences(told).some(
      (sentence) => done.test(sentence) && !open.test(sentence) && speaksOfIt(sentence),
    );
  });
}

/** Content words reduced to their first letters, because endings differ. */
export function contentWords(text: string): Set<string> {
  return new Set(
    listWords(text)
      .filter((word) => word.length > 2 && !isStopWord(word))
      .map((word) => word.slice(0, 7)),
  );
}
