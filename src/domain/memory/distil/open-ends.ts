import { listSentences } from "./sentences.ts";

/** Said to be left undone, or offered: neither is a result. */
const undone =
  /\b(?:not (?:yet|started|done|written|added|scheduled|covered)|n[o']t (?:\w+ ){0,4}yet|still (?:needs?|open|to do|missing|have to|has to|should)|should still|left (?:to do|undone|open|it)|remaining|next steps?|todo|to do|follow-?up|tomorrow|i (?:did ?n[o']t|have not|haven'?t)|i (?:can'?t|cannot) (?:fix|do|change))\b/i;
const offered = /\b(?:want me to|shall i|should i|do you want|if you (?:want|like))\b/i;
/** For somebody to do: the user, or whoever comes next. */
const handedOver =
  /\b(?:you (?:need to|have to|should|must|still)|need(?:s)? the same|remember to|don'?t forget|to fix (?:it|this)|for you to|what i'?d (?:change|do)|i'?d (?:change|suggest|recommend)|the command for then|(?:must|has to|have to|needs to) be (?:done|run|renamed|migrated|purged|rotated|updated))\b/i;
const openHeading =
  /^\s*(?:#{1,6}\s*|\*\*)?(?:open|todo|to do|next(?: steps?)?|left|remaining|not done|offen|nächste schritte|pendiente|未対応|残り)\b[^\n]{0,20}$/i;

export function isLeftUndone(sentence: string): boolean {
  return undone.test(sentence) || offered.test(sentence);
}

/** What a message leaves open; a bare "I didn't add one" is given the sentence before it. */
export function listOpenEnds(message: string): string[] {
  const underHeading = new Set(listUnderOpenHeadings(message));
  const sentences = listSentences(message);
  return sentences.flatMap((sentence, index) => {
    if (!underHeading.has(sentence) && !isLeftUndone(sentence) && !handedOver.test(sentence)) return [];
    const before = sentences[index - 1];
    return before && sentence.length < 60 && /\b(?:one|it|this|that|both|them|either)\b/i.test(sentence)
      ? [before, sentence]
      : [sentence];
  });
}

function listUnderOpenHeadings(message: string): string[] {
  let isOpen = false;
  return message.split("\n").flatMap((line) => {
    const isHeading = /^\s*#{1,6}\s|^\s*\*\*[^*]+\*\*:?\s*$|^[^-*\d\s][^\n]{0,30}:\s*$/.test(line);
    if (isHeading) isOpen = openHeading.test(line.replace(/[*:]/g, ""));
    return isOpen && !isHeading ? listSentences(line) : [];
  });
}
