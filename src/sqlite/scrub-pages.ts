import { fstatSync, readSync, writeSync } from "node:fs";

/**
 * Overwrites the unused part of pages of a database file with zeros. SQLite leaves copies of rows there when it splits
 * or merges pages, and `secure_delete` does not reach them; VACUUM does, but blocks all writes while it runs.
 * SQLite never reads the overwritten bytes: in a table or index page, the bytes between the cell pointer array and the
 * first cell are unallocated (https://sqlite.org/fileformat2.html#b_tree_pages). Pages of any other kind are skipped.
 * The caller must ensure that the file is current (the WAL is empty) and that no writer has one of its pages cached.
 */
export function scrubPages(file: number, range: { from: number; count: number }): number {
  const layout = readLayout(file);
  if (!layout || range.count <= 0) return 0;
  const { pageBytes } = layout;
  const pages = Buffer.alloc(range.count * pageBytes);
  const length = readSync(file, pages, 0, pages.length, (range.from - 1) * pageBytes);
  let scrubbed = 0;
  for (let at = 0; at + pageBytes <= length; at += pageBytes) {
    const number = range.from + at / pageBytes;
    const unused = isMap(layout, number)
      ? undefined
      : findUnused(pages.subarray(at, at + pageBytes), layout, number);
    if (!unused || isZero(pages.subarray(at + unused.from, at + unused.to))) continue;
    writeSync(file, zeros, 0, unused.to - unused.from, (number - 1) * pageBytes + unused.from);
    scrubbed++;
  }
  return scrubbed;
}

/** The number of pages in the file; 0 if it is not a database. */
export function countPages(file: number): number {
  const layout = readLayout(file);
  return layout ? Math.floor(fstatSync(file).size / layout.pageBytes) : 0;
}

interface Layout {
  pageBytes: number;
  /** Bytes of a page available for cells. */
  usableBytes: number;
  /** The file has pointer-map pages, as every file with auto-vacuum does. */
  hasMap: boolean;
}

/** The size of the largest possible page. */
const zeros = Buffer.alloc(65_536);
const headerBytes = 100;
const magic = "SQLite format 3\0";

function readLayout(file: number): Layout | undefined {
  const header = Buffer.alloc(headerBytes);
  if (readSync(file, header, 0, headerBytes, 0) < headerBytes) return undefined;
  if (header.toString("latin1", 0, 16) !== magic) return undefined;
  const size = header.readUInt16BE(16);
  const pageBytes = size === 1 ? 65_536 : size;
  return {
    pageBytes,
    usableBytes: pageBytes - header.readUInt8(20),
    hasMap: header.readUInt32BE(52) !== 0,
  };
}

/** Pointer-map pages: the second page, then one before each run of pages it describes. */
function isMap({ hasMap, usableBytes }: Layout, number: number): boolean {
  return hasMap && number >= 2 && (number - 2) % (Math.floor(usableBytes / 5) + 1) === 0;
}

/** Header length by the first byte of a page: table or index, interior or leaf. */
const headLengths = new Map([
  [0x02, 12],
  [0x05, 12],
  [0x0a, 8],
  [0x0d, 8],
]);
/** Other pages start with a page number. Above this limit its first byte could be mistaken for a page type. */
const maxPages = 0x02_00_00_00;

function findUnused(
  page: Buffer,
  { usableBytes }: Layout,
  number: number,
): { from: number; to: number } | undefined {
  const head = number === 1 ? headerBytes : 0;
  const headLength = headLengths.get(page.readUInt8(head));
  if (headLength === undefined || number >= maxPages) return undefined;
  const cells = page.readUInt16BE(head + 3);
  const from = head + headLength + 2 * cells;
  const to = page.readUInt16BE(head + 5) || 65_536;
  if (from > to || to > usableBytes) return undefined;
  for (let at = head + headLength; at < from; at += 2) {
    const cell = page.readUInt16BE(at);
    if (cell < to || cell >= usableBytes) return undefined;
  }
  return { from, to };
}

function isZero(bytes: Buffer): boolean {
  return bytes.equals(zeros.subarray(0, bytes.length));
}
