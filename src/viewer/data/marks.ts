const maxLead = 40;

/** Starts a snippet shortly before its first match, because a row only shows its first words. */
export function startNearMatch(snippet: string, marks: RegExp | undefined): string {
  const at = marks ? snippet.search(marks) : -1;
  if (at <= maxLead) return snippet;
  const space = snippet.indexOf(" ", at - maxLead);
  return `… ${snippet.slice(space < 0 || space > at ? at : space + 1)}`;
}

const minWordLength = 2;
const maxWords = 12;

/**
 * A pattern for the words of a query, ignoring their endings. Splitting a text by it puts the matches at odd indexes.
 * Undefined if the query has no words.
 */
export function makeMarks(query: string): RegExp | undefined {
  const words = (query.match(/[\p{L}\p{N}]+/gu) ?? []).filter(({ length }) => length >= minWordLength);
  if (words.length === 0) return undefined;
  // A coarse stand-in for the stemming of the index: ignores the last letters of longer words.
  const beginnings = words.slice(0, maxWords).map((word) => word.slice(0, Math.max(4, word.length - 3)));
  return new RegExp(`((?<![\\p{L}\\p{N}])(?:${beginnings.join("|")})[\\p{L}\\p{N}]*)`, "giu");
}
