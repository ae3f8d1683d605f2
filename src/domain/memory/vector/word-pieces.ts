/** Splits text into pieces of a vocabulary, given by their index in it. */
type WordPieces = (text: string) => number[];

/** Later parts of a long text change its mean little. */
const maxPieces = 400;
const maxWord = 40;
/** Words whose pieces are remembered: texts consist of few words. */
const maxKnown = 4_096;

/**
 * BERT's WordPiece scheme: a word is its longest known prefix, then the longest known continuation marked `##`.
 * Identifiers are split first; a word that cannot be built from pieces is left out.
 */
export function makeWordPieces(vocabulary: readonly string[]): WordPieces {
  const places = new Map(vocabulary.map((piece, place) => [piece, place]));

  function cut(word: string): number[] {
    const pieces: number[] = [];
    for (let from = 0; from < word.length; ) {
      let to = word.length;
      let place: number | undefined;
      for (; to > from; to--) {
        const piece = word.slice(from, to);
        place = places.get(from === 0 ? piece : `##${piece}`);
        if (place !== undefined) break;
      }
      if (place === undefined) return [];
      pieces.push(place);
      from = to;
    }
    return pieces;
  }

  const known = new Map<string, number[]>();

  function remember(word: string): number[] {
    let pieces = known.get(word);
    if (!pieces) {
      pieces = cut(word);
      if (known.size >= maxKnown) known.clear();
      known.set(word, pieces);
    }
    return pieces;
  }

  return (text) => {
    const pieces: number[] = [];
    for (const [word] of simplify(text).matchAll(/[\p{L}\p{N}]+/gu)) {
      if (word.length <= maxWord) pieces.push(...remember(word));
      if (pieces.length >= maxPieces) break;
    }
    return pieces.slice(0, maxPieces);
  };
}

const beyondAscii = /[^\0-\x7f]/;

/** `parseHTTPQuery` becomes "parse http query", and accents are removed. */
function simplify(text: string): string {
  const read = text.slice(0, 20_000);
  if (!beyondAscii.test(read))
    return read.replace(/[a-z0-9](?=[A-Z])|[A-Z](?=[A-Z][a-z])/g, "$& ").toLowerCase();
  return read
    .replace(/([\p{Ll}\p{N}])(?=\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll})/gu, "$& ")
    .toLowerCase()
    .normalize("NFD")
    .replace(/\p{M}/gu, "");
}
