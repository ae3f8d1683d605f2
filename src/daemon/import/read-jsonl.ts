import { redactValue } from "../../redact/redact-value.ts";
import { closeSync, readSync } from "node:fs";
import { type ExportLine, portableRow } from "../../protocol/export.ts";
import { AppError } from "../../shared/errors.ts";
import { type OpenFile, openRegularSync } from "../../shared/regular-file.ts";
import { parseJson } from "../../shared/json.ts";

export interface JsonlPage {
  rows: ExportLine[];
  /** Lines that are not rows. */
  damaged: number;
  nextByte: number;
  isLast: boolean;
}

const chunkBytes = 1024 * 1024;
/** A row is never longer than this. */
const maxLineBytes = 64 * chunkBytes;
const newline = 0x0a;

/** Some complete lines of an export, validated and redacted: the file may have been written by hand. */
export function readJsonl({ path, fromByte }: { path: string; fromByte: number }): JsonlPage {
  const { text, length, isLast } = readLines(path, fromByte);
  const page: JsonlPage = { rows: [], damaged: 0, nextByte: fromByte + length, isLast };
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    const row = parseLine(line);
    if (row) page.rows.push(row);
    else page.damaged += 1;
  }
  return page;
}

function readLines(path: string, fromByte: number): { text: string; length: number; isLast: boolean } {
  const fd = openFile(path);
  try {
    for (let size = chunkBytes; ; size *= 4) {
      const buffer = Buffer.alloc(size);
      const read = readSync(fd, buffer, 0, size, fromByte);
      const isLast = read < size;
      const end = isLast ? read : buffer.lastIndexOf(newline, read - 1) + 1;
      if (end > 0 || isLast) return { text: buffer.toString("utf8", 0, end), length: end, isLast };
      if (size > maxLineBytes)
        throw new AppError("invalid_payload", `${path} has a line of more than ${maxLineBytes} bytes.`);
    }
  } finally {
    closeSync(fd);
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
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined; // Not JSON: counted as damaged.
  }
}
