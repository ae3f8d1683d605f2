import { displayWidth, padEnd, padStart, truncateLine } from "./text-width.ts";

/** The last column has the text. The others shrink to `maxSideWidth` first, then the last shrinks to `minLastWidth`. */
const maxSideWidth = 20;
const minLastWidth = 24;
const minWidth = 6;

/** Adds colours to a padded cell of a row. */
type PaintCell = (cell: string, column: number, row: number) => string;

/** A table that fits the terminal's width; `columns` may be infinite. */
export function formatTable(
  header: string[],
  rows: string[][],
  columns: number,
  paint: PaintCell = (cell) => cell,
): string {
  const cells = [header, ...rows.map((row) => header.map((_, i) => truncateLine(row[i] ?? "", columns)))];
  const widths = fit(
    header.map((_, i) => Math.max(...cells.map((row) => displayWidth(row[i] ?? "")))),
    columns,
  );
  // Piped output cuts nothing, so one long cell would pad every row.
  const maxPad = Number.isFinite(columns) ? columns : maxPipedWidth;
  const isNumber = header.map((_, i) => rows.length > 0 && rows.every((row) => numeric.test(row[i] ?? "")));
  return cells
    .map((row, n) =>
      row
        .map((cell, i) => {
          const text = truncateLine(cell, widths[i] ?? 0);
          const width = Math.min(widths[i] ?? 0, maxPad);
          const padded = isNumber[i] ? padStart(text, width) : padEnd(text, width);
          return n === 0 ? padded : paint(padded, i, n - 1);
        })
        .join(gap)
        .trimEnd(),
    )
    .join("\n");
}

const gap = "  ";
const maxPipedWidth = 40;
const numeric = /^[\d.,]+$/;

function fit(natural: readonly number[], columns: number): number[] {
  const widths = [...natural];
  const last = widths.length - 1;
  let excess = widths.reduce((sum, width) => sum + width, gap.length * last) - columns;
  const take = (i: number, min: number): boolean => {
    const width = widths[i] ?? 0;
    if (width <= min) return false;
    const given = Math.min(excess, width - min);
    widths[i] = width - given;
    excess -= given;
    return given > 0;
  };
  /** One character at a time, so that columns of equal width shrink equally. */
  const shrinkWidest = (candidates: readonly number[], min: number): void => {
    while (excess > 0) {
      const widest = Math.max(...candidates.map((i) => widths[i] ?? 0));
      const column = candidates.find((i) => widths[i] === widest);
      if (column === undefined || !take(column, Math.max(min, widest - 1))) return;
    }
  };
  const all = widths.map((_, i) => i);
  shrinkWidest(all.slice(0, -1), maxSideWidth);
  if (excess > 0) take(last, minLastWidth);
  shrinkWidest(all, minWidth);
  return widths;
}

export function formatDuration(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days`;
}

/** Small amounts keep two significant digits. */
export function formatUsd(usd: number): string {
  return `$${usd === 0 || usd >= 0.1 ? usd.toFixed(2) : usd.toPrecision(2)}`;
}

export function formatDay(ms: number): string {
  return new Date(ms).toLocaleDateString("en-CA");
}

export function formatMinute(ms: number): string {
  return `${formatDay(ms)} ${formatClock(ms)}`;
}

export function formatClock(ms: number): string {
  return new Date(ms).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
}

/** `1 note`, `3 notes`. */
export function formatCount(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? "" : "s"}`;
}

/** Wraps a paragraph and indents each line. A word longer than a line is not broken. */
export function wrapLines(text: string, width: number, first: string, rest: string): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const indent = lines.length === 0 ? first : rest;
    if (line && displayWidth(`${indent}${line} ${word}`) > width) {
      lines.push(indent + line);
      line = word;
    } else line = line ? `${line} ${word}` : word;
  }
  return [...lines, (lines.length === 0 ? first : rest) + line].join("\n");
}
