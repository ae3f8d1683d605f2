/** In most texts, the title and the first sentence. */
const beginning = 24;

/**
 * The weight of each piece of a text; they sum to 1. Repetitions add less each time, so a piece counts by the square
 * root of its frequency; the beginning states the topic and counts double.
 */
export function weighPieces(pieces: readonly number[]): Float32Array {
  const counts = new Map<number, number>();
  for (const piece of pieces) counts.set(piece, (counts.get(piece) ?? 0) + 1);
  const weights = new Float32Array(pieces.length);
  let total = 0;
  for (let index = 0; index < pieces.length; index++) {
    weights[index] = (index < beginning ? 2 : 1) / Math.sqrt(counts.get(pieces[index] as number) ?? 1);
    total += weights[index] as number;
  }
  for (let index = 0; index < weights.length; index++) weights[index] = (weights[index] as number) / total;
  return weights;
}
