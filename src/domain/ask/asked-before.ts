import { isStopWord, listWords } from "../memory/words.ts";
import type { QuestionKind } from "./question.ts";

/** Below this many words that mean something, two questions may share them by accident. */
const minWords = 3;
const minShared = 0.75;

/**
 * Whether this was asked before in these words, or nearly so. Permissions and plans only in exactly the same words: one
 * character makes another command.
 */
export function isSameQuestion(kind: QuestionKind, a: string, b: string): boolean {
  if (squeeze(a) === squeeze(b)) return true;
  if (kind !== "choice") return false;
  if (listWords(a).join(" ") === listWords(b).join(" ")) return true;
  const [left, right] = [meaning(a), meaning(b)];
  if (Math.min(left.size, right.size) < minWords) return false;
  const shared = [...left].filter((word) => right.has(word)).length;
  return shared / (left.size + right.size - shared) >= minShared;
}

function squeeze(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function meaning(text: string): Set<string> {
  return new Set(listWords(text).filter((word) => !isStopWord(word)));
}
