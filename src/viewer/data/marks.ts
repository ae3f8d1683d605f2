const leastLetters = 2;
const mostWords = 12;

/**
 * Where the words of a query stand in a text, endings aside: split by it, every second part is one. Undefined where there
 * is nothing to look for.
 */
export function makeMarks(query: string): RegExp | undefined {
  const words = (query.match(/[\p{L}\p{N}]+/gu) ?? []).filter(({ length }) => length >= leastLetters);
  if (words.length === 0) return undefined;
  // As the index does, only coarser: the end of a longer word may differ.
  const beginnings = words.slice(0, mostWords).map((word) => word.slice(0, Math.max(4, word.length - 3)));
  return new RegExp(`((?<![\\p{L}\\p{N}])(?:${beginnings.join("|")})[\\p{L}\\p{N}]*)`, "giu");
}
