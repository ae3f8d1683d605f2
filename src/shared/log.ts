import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import type { Clock } from "./clock.ts";
import { truncateMiddle } from "./text.ts";

export const logLevels = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof logLevels)[number];
export type LogFields = Record<string, unknown>;

/** Structured log: one JSON object per line. `id` is the event id, the same from hook to stored row. */
export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** Deletes all matching lines, including those in rotated files. Returns their number. */
  scrub(pattern: RegExp): number;
  close(): void;
}

interface LogFileOptions {
  path: string;
  level: LogLevel;
  clock: Clock;
  maxBytes?: number;
  keep?: number;
}

const maxText = 8_000;
const maxLine = 64_000;

/**
 * A log file that rotates by size: `x.log`, `x.log.1` … `x.log.<keep>`. A log that cannot be written is dropped:
 * logging must never stop capture.
 */
export function openLogFile(options: LogFileOptions): Log {
  const { path, clock, maxBytes = 5_000_000, keep = 4 } = options;
  const threshold = logLevels.indexOf(options.level);
  let fd = openSync(path, "a", 0o600);
  let size = fstatSync(fd).size;
  let isClosed = false;

  /** Closes the old descriptor last: if opening fails, `fd` must not refer to a number that another file reuses. */
  function rotate(): boolean {
    try {
      for (let n = keep - 1; n >= 0; n--)
        if (existsSync(generation(n))) renameSync(generation(n), generation(n + 1));
      const next = openSync(path, "a", 0o600);
      closeSync(fd);
      fd = next;
      size = 0;
      return true;
    } catch {
      return false; // A name is taken, or there are no descriptors left.
    }
  }

  function generation(n: number): string {
    return n === 0 ? path : `${path}.${n}`;
  }

  let waiting: string[] = [];

  /** Writes all lines of one turn of the event loop at once. */
  function flush(): void {
    const lines = waiting;
    waiting = [];
    let text = "";
    for (const line of lines) {
      if (size + text.length + line.length > maxBytes) {
        append(text);
        text = "";
        // Lines are dropped until it can rotate: a log must not fill the disk.
        if (!rotate()) continue;
      }
      text += line;
    }
    append(text);
  }

  function append(text: string): void {
    if (isClosed || !text) return;
    try {
      size += writeSync(fd, text);
    } catch {
      // Disk full or file deleted: losing a log line is better than failing the event.
    }
  }

  function write(level: LogLevel, message: string, fields: LogFields = {}): void {
    if (isClosed || logLevels.indexOf(level) < threshold) return;
    if (waiting.length === 0) setImmediate(flush);
    const entry = { at: new Date(clock()).toISOString(), level, message };
    const line = JSON.stringify({ ...entry, ...fields }, describeValue);
    waiting.push(
      `${line.length <= maxLine ? line : JSON.stringify({ ...entry, droppedLetters: line.length })}\n`,
    );
  }

  return {
    debug: (message, fields) => write("debug", message, fields),
    info: (message, fields) => write("info", message, fields),
    warn: (message, fields) => write("warn", message, fields),
    error: (message, fields) => write("error", message, fields),
    scrub(pattern) {
      flush();
      let removed = 0;
      for (let n = 0; n <= keep; n++) removed += scrubFile(generation(n), pattern);
      size = fstatSync(fd).size;
      return removed;
    },
    close() {
      flush();
      closeSync(fd);
      isClosed = true; // Another file may reuse the descriptor's number.
    },
  };
}

/** Rewrites the file in place, so that a process with the file open for appending continues at its new end. */
export function scrubFile(path: string, pattern: RegExp): number {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return 0;
  const lines = readFileSync(path, "utf8").split("\n");
  const kept = lines.filter((line) => !pattern.test(line));
  if (kept.length < lines.length) writeFileSync(path, kept.join("\n"));
  return lines.length - kept.length;
}

/** Errors with their causes; long texts are cut. */
function describeValue(_key: string, value: unknown): unknown {
  if (typeof value === "string") return truncateMiddle(value, maxText);
  if (!(value instanceof Error)) return value;
  const { name, message, stack, cause } = value;
  return { name, message, stack, ...(cause === undefined ? {} : { cause }) };
}

export const silentLog: Log = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  scrub: () => 0,
  close() {},
};
