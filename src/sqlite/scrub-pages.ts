import { fstatSync, readSync, writeSync } from "node:fs";

/**
 * Overwrites the unused part of pages of a database file with zeros. When SQLite splits or merges pages it leaves copies
 * of rows there, and `secure_delete` does not reach them; VACUUM does, but lets nobody write while it lasts.
 *
 * Nothing of what SQLite reads is touched: of a page of a table or an index, the bytes between the list of its cells and
 * the first cell belong to nobody (https://sqlite.org/fileformat2.html#b_tree_pages). Whatever is not plainly such a page
 * is left alone. The caller sees to it that the file is current (the log is empty) and that no page of it is cached by
 * whoever writes.
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

/** How many pages the file has; 0 for what is no database. */
export function countPages(file: number): number {
  const layout = readLayout(file);
  return layout ? Math.floor(fstatSync(file).size / layout.pageBytes) : 0;
}

interface Layout {
  pageBytes: number;
  /** What is left of a page for cells. */
  usableBytes: number;
  /** Some pages are a map of the others, as in every file that can give its free pages back. */
  hasMap: boolean;
}

/** As many as the largest page has. */
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

/** The second page, and then one before each stretch of pages that it tells of. */
function isMap({ hasMap, usableBytes }: Layout, number: number): boolean {
  return hasMap && number >= 2 && (number - 2) % (Math.floor(usableBytes / 5) + 1) === 0;
}

/** First byte of a page, and how long its head is: of a table or an index, inner or outermost. */
const headLengths = new Map([
  [0x02, 12],
  [0x05, 12],
  [0x0a, 8],
  [0x0d, 8],
]);
/** The first byte of any other page is that of a page number: beyond this it could be taken for a kind. */
const mostPages = 0x02_00_00_00;

function findUnused(
  page: Buffer,
  { usableBytes }: Layout,
  number: number,
): { from: number; to: number } | undefined {
  const head = number === 1 ? headerBytes : 0;
  const headLength = headLengths.get(page.readUInt8(head));
  if (headLength === undefined || number >= mostPages) return undefined;
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
