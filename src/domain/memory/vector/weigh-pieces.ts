/** The title and the first sentence, of most texts. */
const beginning = 24;

/**
 * How much each piece of a text counts, all together 1. What is said again says less each time, so that many of one piece
 * count by the root of their number; what a text begins with is what it is about, and counts double.
 */
export function weighPieces(pieces: readonly number[]): Float32Array {
  const times = new Map<number, number>();
  for (const piece of pieces) times.set(piece, (times.get(piece) ?? 0) + 1);
  const weights = Float32Array.from(
    pieces,
    (piece, place) => (place < beginning ? 2 : 1) / Math.sqrt(times.get(piece) ?? 1),
  );
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / all);
}
