import { maxTitle } from "./distil/title.ts";
import { segment } from "./segment.ts";
import { isStopWord, listWords, splitIdentifiers } from "./words.ts";

/** Words that reverse a statement. */
const negation =
  /(?<![\p{L}\p{N}])(?:no|not|never|none|nor|nothing|without|cannot|nicht|kein\p{L}{0,2}|nie(?:mals)?|ohne|nunca|jamás|sin|ne|pas|jamais|sans|aucune?|não|sem|не|нет|никогда|без)(?![\p{L}\p{N}])|n['’]t(?![\p{L}])|不|没|沒|无|無|ない|なし|ません|안|않|없/iu;

/** Share of a title's content words that its statements must contain. */
const minShared = 0.5;

/**
 * Whether a model's title says no more than its statements: at least half of its content words come from them, every
 * number and code name does, and a negation neither disappears nor appears.
 */
export function isFaithfulTitle(title: string, statements: readonly string[]): boolean {
  const text = statements.join("\n");
  if (title.trim() === "" || title.length > maxTitle) return false;
  if (negation.test(title) !== negation.test(text)) return false;
  const said = new Set(contentWords(text));
  const words = contentWords(title);
  const shared = words.filter((word) => said.has(word)).length;
  if (shared === 0 || shared < minShared * words.length) return false;
  return namesIn(title).every((name) => text.toLowerCase().includes(name));
}

function contentWords(text: string): string[] {
  const segmented = segment(text);
  const words = [...listWords(segmented), ...splitIdentifiers(segmented)];
  return [...new Set(words.filter((word) => !isStopWord(word)).map(cutEnding))];
}

function cutEnding(word: string): string {
  return word.length > 4 ? word.replace(/(?:ing|ed|es|e|s)$/, "") : word;
}

/** Numbers, code in backticks, and words that look like identifiers or paths. */
function namesIn(title: string): string[] {
  const names = title.match(/`[^`]+`|\d+(?:[.,]\d+)*|[\w$]*[a-z][A-Z][\w$]*|\w+(?:[_/.]\w+)+/g) ?? [];
  return names.map((name) => name.replaceAll("`", "").toLowerCase());
}
