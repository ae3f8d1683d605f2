/** Characters compared per text; the beginning is enough to distinguish texts. */
const maxLetters = 6_000;
/** As in BM25: the saturation of repeated terms, and the penalty for long texts. */
const saturation = 1.2;
const lengthShare = 0.75;

/**
 * How much of the query each text contains letter by letter, in runs of four characters across words; 1 is the best
 * text. Finds matches that the index misses: other word forms, variant spellings of names, typos, adjacent words. Runs
 * are weighted by rarity among these texts, because runs that all candidates share do not distinguish them.
 */
export function compareSpelling(asked: string, texts: readonly string[]): number[] {
  const wanted = new Map([...new Set(listRuns(asked))].map((run, place) => [run, place]));
  const read = texts.map((text) => {
    const runs = listRuns(text);
    const counts = new Uint16Array(wanted.size);
    for (const run of runs) {
      const place = wanted.get(run);
      if (place !== undefined) counts[place]! += 1;
    }
    return { counts, length: runs.length };
  });
  const weights = Float64Array.from({ length: wanted.size }, (_, place) => {
    const having = read.filter(({ counts }) => counts[place]).length;
    return Math.log(1 + (texts.length - having + 0.5) / (having + 0.5));
  });
  const meanLength = read.reduce((sum, { length }) => sum + length, 0) / texts.length;
  const scores = read.map(({ counts, length }) => {
    const slowness = saturation * (1 - lengthShare + (lengthShare * length) / meanLength);
    return weights.reduce((sum, weight, place) => {
      const count = counts[place] as number;
      return count === 0 ? sum : sum + (weight * count) / (count + slowness);
    }, 0);
  });
  const best = Math.max(0, ...scores);
  return scores.map((score) => (best > 0 ? score / best : 0));
}

const space = 32;

/** Every run of four consecutive characters as a number; words are separated by one space. */
function listRuns(text: string): Int32Array {
  const letters = text.slice(0, maxLetters).toLowerCase();
  const runs = new Int32Array(letters.length + 1);
  let count = 0;
  let run = space;
  for (let at = 0; at <= letters.length; at++) {
    const code = letters.charCodeAt(at);
    const isSpace = !isLetter(code);
    if (isSpace && (run & 0xff) === space) continue;
    // One byte per character, so characters before the last four are shifted out. Beyond Latin the bytes overlap, which
    // is harmless.
    run = (run << 8) ^ (isSpace ? space : code);
    runs[count++] = run;
  }
  return runs.subarray(2, count); // The first two are incomplete.
}

/** Letters and digits; every character beyond ASCII counts as a letter. */
function isLetter(code: number): boolean {
  return code > 127 || (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
}
