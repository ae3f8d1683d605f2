import { isStopWord, listWords } from "../memory/words.ts";
import type { QuestionKind } from "./question.ts";
import { toOneLine } from "../../shared/text.ts";

/** With fewer content words, two questions may share them by chance. */
const minWords = 3;
const minShared = 0.75;

/**
 * Whether two questions have the same or nearly the same wording. Permissions and plans must be identical: one
 * character makes a different command.
 */
export function isSameQuestion(kind: QuestionKind, a: string, b: string): boolean {
  if (toOneLine(a) === toOneLine(b)) return true;
  if (kind !== "choice") return false;
  if (listWords(a).join(" ") === listWords(b).join(" ")) return true;
  const [left, right] = [meaning(a), meaning(b)];
  if (Math.min(left.size, right.size) < minWords) return false;
  const shared = [...left].filter((word) => right.has(word)).length;
  return shared / (left.size + right.size - shared) >= minShared;
}

function meaning(text: string): Set<string> {
  return new Set(listWords(text).filter((word) => !isStopWord(word)));
}
