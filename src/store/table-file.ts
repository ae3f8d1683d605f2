/** A vector for each word piece. */
export interface Table {
  /** Names what made it: vectors of different models cannot be compared. */
  id: string;
  dimensions: number;
  vocabulary: string[];
  /** One row of `dimensions` for each piece. */
  values: Float32Array;
}

/** The same, a byte for each number: a row is `bytes` times its scale. */
export interface PackedTable extends Omit<Table, "values"> {
  scales: Float32Array;
  bytes: Int8Array;
}

/** One line of JSON, the vocabulary one piece a line, then scales (little-endian float) and rows. */
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

/** The beginning of the file is enough. */
export function readHeader(file: Buffer): Header {
  return JSON.parse(file.toString("utf8", 0, file.indexOf("\n")));
}

export function readTable(file: Buffer): PackedTable {
  const begin = file.indexOf("\n") + 1;
  const { id, dimensions, pieces, vocabularyBytes } = readHeader(file);
  const scalesAt = begin + vocabularyBytes;
  const rowsAt = scalesAt + pieces * 4;
  return {
    id,
    dimensions,
    vocabulary: file.toString("utf8", begin, scalesAt).split("\n"),
    scales: Float32Array.from({ length: pieces }, (_, n) => file.readFloatLE(scalesAt + n * 4)),
    bytes: new Int8Array(file.buffer, file.byteOffset + rowsAt, pieces * dimensions),
  };
}
