/** What is read of a text; its beginning is enough to tell it from the others. */
const maxLetters = 6_000;
/** As in BM25: how soon more of the same tells nothing new, and how much a text's length is held against it. */
const saturation = 1.2;
const lengthShare = 0.75;

/**
 * How much of what is asked stands in each text letter by letter, in runs of four across the words: 1 is the best of them.
 * That tells what the index cannot: other forms of a word, names written differently, slips of the hand, words that stand
 * together. Runs weigh by how few of these texts have them: what all candidates share does not tell them apart.
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

/** Each four letters that follow each other, as a number; words are one space apart. */
function listRuns(text: string): Int32Array {
  const letters = text.slice(0, maxLetters).toLowerCase();
  const runs = new Int32Array(letters.length + 1);
  let count = 0;
  let run = space;
  for (let at = 0; at <= letters.length; at++) {
    const code = letters.charCodeAt(at);
    const isSpace = !isLetter(code);
    if (isSpace && (run & 0xff) === space) continue;
    // A byte for each letter: what came before the last four is pushed out. Beyond Latin they overlap, which does no harm.
    run = (run << 8) ^ (isSpace ? space : code);
    runs[count++] = run;
  }
  return runs.subarray(2, count); // The first two are not whole.
}

/** Letters and digits; beyond ASCII, whatever is there. */
function isLetter(code: number): boolean {
  return code > 127 || (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
}
