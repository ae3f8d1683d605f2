import { redactValue } from "../../redact/redact-value.ts";
import { closeSync, readSync } from "node:fs";
import { type ExportLine, portableRow } from "../../protocol/export.ts";
import { AppError } from "../../shared/errors.ts";
import { type OpenFile, openRegularSync } from "../../shared/regular-file.ts";
import { parseJson } from "../../shared/json.ts";

export interface JsonlPage {
  rows: ExportLine[];
  /** Number of lines that are not valid rows. */
  damaged: number;
  nextByte: number;
  isLast: boolean;
}

const chunkBytes = 1024 * 1024;
/** Longer lines are skipped. */
const maxLineBytes = 64 * chunkBytes;
/** A note is a few sentences: a longer one would fill the context and the index. */
const maxNoteLength = 1_000_000;
const newline = 0x0a;

/** Reads some complete lines of an export. They are validated and redacted: the file may have been written by hand. */
export function readJsonl({ path, fromByte }: { path: string; fromByte: number }): JsonlPage {
  const { text, length, isLast, skipped } = readLines(path, fromByte);
  const page: JsonlPage = { rows: [], damaged: skipped, nextByte: fromByte + length, isLast };
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    const row = parseLine(line);
    if (row) page.rows.push(row);
    else page.damaged += 1;
  }
  return page;
}

interface Lines {
  text: string;
  length: number;
  isLast: boolean;
  /** Number of lines that were too long to read. */
  skipped: number;
}

function readLines(path: string, fromByte: number): Lines {
  const fd = openFile(path);
  try {
    for (let size = chunkBytes; size <= maxLineBytes; size *= 4) {
      const buffer = Buffer.alloc(size);
      const read = readSync(fd, buffer, 0, size, fromByte);
      const isLast = read < size;
      const end = isLast ? read : buffer.lastIndexOf(newline, read - 1) + 1;
      if (end > 0 || isLast)
        return { text: buffer.toString("utf8", 0, end), length: end, isLast, skipped: 0 };
    }
    return skipLine(fd, fromByte);
  } finally {
    closeSync(fd);
  }
}

function skipLine(fd: number, fromByte: number): Lines {
  const buffer = Buffer.alloc(chunkBytes);
  for (let length = 0; ; ) {
    const read = readSync(fd, buffer, 0, chunkBytes, fromByte + length);
    const end = buffer.subarray(0, read).indexOf(newline);
    length += end < 0 ? read : end + 1;
    if (end >= 0 || read === 0) return { text: "", length, isLast: read === 0, skipped: 1 };
  }
}

function openFile(path: string): number {
  let file: OpenFile | undefined;
  try {
    file = openRegularSync(path);
  } catch (cause) {
    throw new AppError("import_not_found", `Cannot read ${path}: ${(cause as Error).message}`, { cause });
  }
  if (!file) throw new AppError("import_not_found", `There is no file ${path}.`);
  return file.fd;
}

function parseLine(line: string): ExportLine | undefined {
  try {
    const parsed = portableRow.safeParse(redactValue(parseJson(line)).value);
    if (!parsed.success) return undefined;
    const isNote = parsed.data.kind === "observation" || parsed.data.kind === "summary";
    return isNote && line.length > maxNoteLength ? undefined : parsed.data;
  } catch {
    return undefined; // Not JSON: counted as damaged.
  }
}
