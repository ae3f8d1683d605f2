import { closeSync, openSync, readSync } from "node:fs";
import { keepKnownLetters } from "../domain/memory/vector/known-letters.ts";
import { quantise, type Vector } from "../domain/memory/vector/vector.ts";
import { weighPieces } from "../domain/memory/vector/weigh-pieces.ts";
import { makeWordPieces } from "../domain/memory/vector/word-pieces.ts";
import { headerBytes, type OpenTable, openTable, readHeader } from "./table-file.ts";

/** Turns text into a vector of what it means. Vectors of different models cannot be compared. */
export interface Embedder {
  model: string;
  dimensions: number;
  /** Undefined for text without a known word, or mostly in a script that the vocabulary does not know. */
  embed(text: string): Vector | undefined;
}

/** `vectors/words.bin`, beside the store in the sources and beside the bundle in the build. How it is made: docs/vectors.md. */
const wordsFile = new URL("./vectors/words.bin", import.meta.url);

/** How texts are read. Another name makes the daemon embed all rows again. */
const reading = "latin";

function modelOf(tableId: string): string {
  return `${tableId}-${reading}`;
}

/** Which model `openEmbedder` would open, without the memory that takes. */
export function nameModel(file: URL = wordsFile): string {
  const descriptor = openSync(file, "r");
  try {
    const beginning = Buffer.alloc(headerBytes);
    readSync(descriptor, beginning);
    return modelOf(readHeader(beginning).id);
  } finally {
    closeSync(descriptor);
  }
}

/** More pieces than a vector is made of. */
const mostRead = 20_000;

/** A text is the mean of its words, weighed: no model runs, and it takes a tenth of a millisecond. */
export function openEmbedder(file: URL = wordsFile): Embedder {
  const table = openTable(file);
  const cut = makeWordPieces(table.vocabulary);
  return {
    model: modelOf(table.id),
    dimensions: table.dimensions,
    embed(text) {
      const known = keepKnownLetters(text.slice(0, mostRead));
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
