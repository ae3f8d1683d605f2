import { openSync, readSync } from "node:fs";
import { parseJson } from "../shared/json.ts";

/** A vector for each word piece. */
interface Table {
  /** Identifies the model: vectors of different models cannot be compared. */
  id: string;
  dimensions: number;
  vocabulary: string[];
  /** One row of `dimensions` for each piece. */
  values: Float32Array;
}

/** The same table on disk, one byte per number: a row is `row(piece)` times its scale, and valid until the next call. */
export interface OpenTable extends Omit<Table, "values"> {
  scales: Float32Array;
  row(piece: number): Int8Array;
}

/** Number of bytes to read for the header; more than it needs. */
export const headerBytes = 1_000;

/** One line of JSON, then the vocabulary with one piece per line, then scales (little-endian floats) and rows. */
interface Header {
  id: string;
  dimensions: number;
  pieces: number;
  vocabularyBytes: number;
}

export function writeTable({ id, dimensions, vocabulary, values }: Table): Buffer {
  const words = Buffer.from(vocabulary.join("\n"));
  const header: Header = { id, dimensions, pieces: vocabulary.length, vocabularyBytes: words.length };
  const scales = Buffer.alloc(vocabulary.length * 4);
  const rows = Buffer.alloc(values.length);
  vocabulary.forEach((_piece, n) => {
    const row = values.subarray(n * dimensions, (n + 1) * dimensions);
    const scale = row.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / 127;
    scales.writeFloatLE(scale, n * 4);
    row.forEach((value, d) =>
      rows.writeInt8(scale === 0 ? 0 : Math.round(value / scale), n * dimensions + d),
    );
  });
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), words, scales, rows]);
}

/** Reads the header; only the beginning of the file is needed. */
export function readHeader(file: Buffer): Header {
  return parseJson(file.toString("utf8", 0, file.indexOf("\n"))) as Header;
}

/** Rows cached in memory; a power of two. Texts reuse few pieces, so most reads hit the cache. */
const keptRows = 4_096;

/**
 * Leaves the rows (megabytes) on disk and caches the most recently used. The file stays open for the lifetime of the
 * thread.
 */
export function openTable(file: URL): OpenTable {
  const descriptor = openSync(file, "r");
  const read = (bytes: number, at: number): Buffer => {
    const buffer = Buffer.alloc(bytes);
    readSync(descriptor, buffer, 0, bytes, at);
    return buffer;
  };
  const beginning = read(headerBytes, 0);
  const begin = beginning.indexOf("\n") + 1;
  const { id, dimensions, pieces, vocabularyBytes } = readHeader(beginning);
  const scalesAt = begin + vocabularyBytes;
  const rowsAt = scalesAt + pieces * 4;
  const scales = read(pieces * 4, scalesAt);
  const kept = new Int8Array(keptRows * dimensions);
  const keptPiece = new Int32Array(keptRows).fill(-1);
  return {
    id,
    dimensions,
    vocabulary: read(vocabularyBytes, begin).toString("utf8").split("\n"),
    scales: Float32Array.from({ length: pieces }, (_, n) => scales.readFloatLE(n * 4)),
    row(piece) {
      const place = piece & (keptRows - 1);
      const from = place * dimensions;
      if (keptPiece[place] !== piece) {
        readSync(descriptor, kept, from, dimensions, rowsAt + piece * dimensions);
        keptPiece[place] = piece;
      }
      return kept.subarray(from, from + dimensions);
    },
  };
}
