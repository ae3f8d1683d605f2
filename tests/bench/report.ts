type Verdict = "ok" | "MISSED" | "noted";

/** One measured value and its limit. */
export interface Bar {
  name: string;
  measured: number;
  unit: string;
  limit?: { atMost: number } | { atLeast: number };
}

export interface Section {
  title: string;
  columns: readonly string[];
  rows: readonly (readonly (string | number | undefined)[])[];
  notes?: readonly string[];
  bars: readonly Bar[];
}

export function judge({ measured, limit }: Bar): Verdict {
  if (!limit) return "noted";
  const isHeld = "atMost" in limit ? measured <= limit.atMost : measured >= limit.atLeast;
  return isHeld ? "ok" : "MISSED";
}

export function formatSection({ title, columns, rows, notes = [] }: Section): string {
  const lines = formatTable(columns, rows);
  return ["", title, ...lines, ...notes.map((note) => `  ${note}`)].join("\n");
}

export function formatBars(sections: readonly Section[]): string {
  const rows = sections.flatMap(({ bars }) =>
    bars.map((bar) => [bar.name, `${round(bar.measured)} ${bar.unit}`, formatLimit(bar), judge(bar)]),
  );
  return ["", "Bars", ...formatTable(["", "measured", "bar", "verdict"], rows)].join("\n");
}

function formatLimit({ limit, unit }: Bar): string {
  if (!limit) return "";
  return "atMost" in limit ? `≤ ${limit.atMost} ${unit}` : `≥ ${limit.atLeast} ${unit}`;
}

/** First column left-aligned, figures right-aligned. */
function formatTable(columns: readonly string[], rows: Section["rows"]): string[] {
  const cells = [columns, ...rows].map((row) => row.map(formatCell));
  const widths = columns.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells.map((row) => {
    const padded = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
    );
    return `  ${padded.join("  ")}`.trimEnd();
  });
}

function formatCell(cell: string | number | undefined): string {
  if (cell === undefined) return "–";
  return typeof cell === "number" ? round(cell) : cell;
}

/** Significant digits only. */
function round(value: number): string {
  if (Math.abs(value) >= 100) return String(Math.round(value));
  return Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(2);
}
