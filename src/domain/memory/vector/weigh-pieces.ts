/** In most texts, the title and the first sentence. */
const beginning = 24;

/**
 * The weight of each piece of a text; they sum to 1. Repetitions add less each time, so a piece counts by the square
 * root of its frequency; the beginning states the topic and counts double.
 */
export function weighPieces(pieces: readonly number[]): Float32Array {
  const times = new Map<number, number>();
  for (const piece of pieces) times.set(piece, (times.get(piece) ?? 0) + 1);
  const weights = new Float32Array(pieces.length);
  let all = 0;
  for (let place = 0; place < pieces.length; place++) {
    weights[place] = (place < beginning ? 2 : 1) / Math.sqrt(times.get(pieces[place] as number) ?? 1);
    all += weights[place] as number;
  }
  for (let place = 0; place < weights.length; place++) weights[place] = (weights[place] as number) / all;
  return weights;
}
