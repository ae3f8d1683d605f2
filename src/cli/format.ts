/** Rows as columns that fit the terminal: the last column gives way. */
export function formatTable(header: string[], rows: string[][], columns: number): string {
  const widths = header.map((title, i) =>
    Math.max(title.length, ...rows.map((row) => (row[i] ?? "").length)),
  );
  const fixed = widths.slice(0, -1).reduce((sum, width) => sum + width + 2, 0);
  const last = widths.length - 1;
  widths[last] = Math.max(10, Math.min(widths[last] ?? 0, columns - fixed));
  const line = (cells: string[]): string =>
    cells
      .map((cell, i) => (i === last ? shorten(cell, widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0)))
      .join("  ");
  return [line(header), ...rows.map(line)].map((text) => text.trimEnd()).join("\n");
}

function shorten(text: string, width: number): string {
  const flat = text.replace(/\s+/g, " ");
  return flat.length <= width ? flat : `${flat.slice(0, width - 1)}…`;
}

export function formatBytes(bytes: number): string {
  const units = ["B", "KB", "MB", "GB"];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value >= 10 || unit === 0 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

export function formatDuration(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days`;
}

/** Small sums keep their digits. */
export function formatUsd(usd: number): string {
  return `$${usd === 0 || usd >= 0.1 ? usd.toFixed(2) : usd.toPrecision(2)}`;
}

export function formatDay(ms: number): string {
  return new Date(ms).toLocaleDateString("en-CA");
}

export function formatMinute(ms: number): string {
  return `${formatDay(ms)} ${new Date(ms).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" })}`;
}

/** A paragraph that fits, each line with its indent. A word longer than a line stays whole. */
export function fillLines(text: string, width: number, first: string, rest: string): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const indent = lines.length === 0 ? first : rest;
    if (line && indent.length + line.length + 1 + word.length > width) {
      lines.push(indent + line);
      line = word;
    } else line = line ? `${line} ${word}` : word;
  }
  return [...lines, (lines.length === 0 ? first : rest) + line].join("\n");
}
