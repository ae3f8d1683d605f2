import { closeSync, openSync, readSync } from "node:fs";
import { keepKnownLetters } from "../domain/memory/vector/known-letters.ts";
import { quantise, type Vector } from "../domain/memory/vector/vector.ts";
import { weighPieces } from "../domain/memory/vector/weigh-pieces.ts";
import { makeWordPieces } from "../domain/memory/vector/word-pieces.ts";
import { headerBytes, type OpenTable, openTable, readHeader } from "./table-file.ts";

/** Turns text into a vector of its meaning. Vectors of different models cannot be compared. */
export interface Embedder {
  model: string;
  dimensions: number;
  /** Undefined for text without a known word, or mostly in a script outside the vocabulary. */
  embed(text: string): Vector | undefined;
}

/**
 * `vectors/words.bin`, next to the store in the sources and next to the bundle in the build. See docs/vectors.md for
 * how it is made.
 */
const wordsFile = new URL("./vectors/words.bin", import.meta.url);

/** Version of the text preprocessing. A new name makes the daemon embed all rows again. */
const reading = "meanings";

function modelOf(tableId: string): string {
  return `${tableId}-${reading}`;
}

/** The name of the model that `openEmbedder` would open, without loading it. */
export function nameModel(): string {
  const descriptor = openSync(wordsFile, "r");
  try {
    const beginning = Buffer.alloc(headerBytes);
    readSync(descriptor, beginning);
    return modelOf(readHeader(beginning).id);
  } finally {
    closeSync(descriptor);
  }
}

/** Maximum number of characters read: more than enough for the pieces of one vector. */
const maxRead = 20_000;

/** A text's vector is the weighted mean of its word vectors: no model runs, and it takes a tenth of a millisecond. */
export function openEmbedder(): Embedder {
  const table = openTable(wordsFile);
  const cut = makeWordPieces(table.vocabulary);
  return {
    model: modelOf(table.id),
    dimensions: table.dimensions,
    embed(text) {
      const known = keepKnownLetters(text.slice(0, maxRead));
      return known === undefined ? undefined : quantise(sumRows(table, cut(known)));
    },
  };
}

function sumRows({ dimensions, scales, row }: OpenTable, pieces: readonly number[]): Float32Array {
  const sum = new Float32Array(dimensions);
  const weights = weighPieces(pieces);
  pieces.forEach((piece, place) => {
    const scale = (scales[piece] as number) * (weights[place] as number);
    const values = row(piece);
    for (let d = 0; d < dimensions; d++) sum[d] = (sum[d] as number) + (values[d] as number) * scale;
  });
  return sum;
}
