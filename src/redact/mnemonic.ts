import type { Finding } from "./finding.ts";

/** Words that precede a wallet's seed phrase; the short ones only with a separator. */
export const mnemonicCues: readonly string[] = [
  "nemonic",
  "NEMONIC",
  "eed phrase",
  "EED_PHRASE",
  "ecovery phrase",
  "ackup phrase",
  "eed words",
  "ecret phrase",
  "ecovery words",
  "seedPhrase",
  "seed_phrase",
  "ecovery_phrase",
  "allet:",
  "eed:",
  "SEED=",
  "12 words",
  "24 words",
];

const lead = /(?:[^\n:="'`]{0,40}[:="'`]| (?:is|are|was)\b)?[\s:="'`([,]{1,12}/y;
const word = /(?:\d{1,2}[.):]?[ \t]*)?([a-z]{3,8})(?:[\s,]|["'`],?|\\n){0,6}/y;
/** Words common in sentences that are in no seed word list. */
const sentenceWord =
  /^(?:the|and|for|that|this|with|are|was|you|your|from|not|has|have|but|all|can|our|its|they|which|what|when|how|than|then|these|those|into|some|such|were|been|who|will|does|every)$/;

/** Twelve or more seed words after such a cue, in a row or as a list. */
export function findMnemonic(text: string, end: number): Finding | undefined {
  lead.lastIndex = end;
  if (!lead.test(text)) return undefined;
  const start = lead.lastIndex;
  let stop = start;
  let count = 0;
  for (word.lastIndex = start; count < 24; count++) {
    const match = word.exec(text);
    if (match === null || sentenceWord.test(match[1] ?? "")) break;
    stop = match.index + match[0].replace(/[\s,"'`]+$|(?:\\n)+$/, "").length;
  }
  return count >= 12 ? { start, end: stop, kind: "mnemonic" } : undefined;
}
