import { closeSync, openSync, readSync } from "node:fs";
import { quantise, type Vector } from "../domain/memory/vector/vector.ts";
import { weighPieces } from "../domain/memory/vector/weigh-pieces.ts";
import { makeWordPieces } from "../domain/memory/vector/word-pieces.ts";
import { headerBytes, type OpenTable, openTable, readHeader } from "./table-file.ts";

/** Turns text into a vector of what it means. Vectors of different models cannot be compared. */
export interface Embedder {
  model: string;
  dimensions: number;
  /** Undefined for text without a known word. */
  embed(text: string): Vector | undefined;
}

/** `vectors/words.bin`, beside the store in the sources and beside the bundle in the build. How it is made: docs/vectors.md. */
const wordsFile = new URL("./vectors/words.bin", import.meta.url);

/** Which model `openEmbedder` would open, without the memory that takes. */
export function nameModel(file: URL = wordsFile): string {
  const descriptor = openSync(file, "r");
  try {
    const beginning = Buffer.alloc(headerBytes);
    readSync(descriptor, beginning);
    return readHeader(beginning).id;
  } finally {
    closeSync(descriptor);
  }
}

/** A text is the mean of its words, weighed: no model runs, and it takes a tenth of a millisecond. */
export function openEmbedder(file: URL = wordsFile): Embedder {
  const table = openTable(file);
  const cut = makeWordPieces(table.vocabulary);
  return {
    model: table.id,
    dimensions: table.dimensions,
    embed: (text) => quantise(sumRows(table, cut(text))),
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
