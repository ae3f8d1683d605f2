import { readFileSync } from "node:fs";
import { packSigns, type Vector } from "../domain/memory/vector/vector.ts";

/** The signs of many vectors, in memory: one bit per dimension. */
interface SignTable {
  size(): number;
  add(vector: Vector): void;
  /** For each row, the number of signs that differ. Valid until the next call. */
  differencesFrom(vector: Vector): Uint16Array;
}

interface Differences {
  memory: WebAssembly.Memory;
  countDifferences(one: number, rows: number, bytes: number, count: number, differences: number): void;
}

/** Compiled from `differences.wat`; next to the bundle in the build. */
const program = new URL("./vectors/differences.wasm", import.meta.url);
const pageBytes = 65_536;
/** Memory pages added per growth. */
const morePages = 16;

/** The rows are in the WebAssembly memory: first the query, then all rows, then the result. */
export function openSignTable(dimensions: number): SignTable {
  const rowBytes = dimensions / 8;
  const { memory, countDifferences } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(program)))
    .exports as unknown as Differences;
  let size = 0;
  let words = new Uint32Array(memory.buffer);

  function endOfRows(): number {
    return rowBytes * (1 + size);
  }

  function reserve(bytes: number): void {
    if (endOfRows() + bytes <= memory.buffer.byteLength) return;
    memory.grow(Math.max(morePages, Math.ceil(bytes / pageBytes)));
    words = new Uint32Array(memory.buffer); // Growing detaches the old view.
  }

  return {
    size: () => size,
    add(vector) {
      reserve(rowBytes);
      packSigns(vector, words, endOfRows() / 4);
      size++;
    },
    differencesFrom(vector) {
      reserve(size * 2);
      packSigns(vector, words);
      countDifferences(0, rowBytes, rowBytes, size, endOfRows());
      return new Uint16Array(memory.buffer, endOfRows(), size);
    },
  };
}
