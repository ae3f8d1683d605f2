import type { FileHandle } from "node:fs/promises";
import type { TranscriptEntry } from "../../domain/transcript/entry.ts";
import { openRegular } from "../../shared/regular-file.ts";
import type { HostTranscripts } from "../../hosts/host.ts";
import { openLineSplitter, type SplitLine } from "./split-lines.ts";

interface ReadTranscriptOptions {
  format: Pick<HostTranscripts, "headLength" | "mayHaveEntries" | "readLine">;
  fromByte?: number;
  /** Called in order, with the byte where the entry's line begins. Reading waits for a returned promise. */
  onEntry(entry: TranscriptEntry, byte: number): void | Promise<void>;
  /** Longer lines are counted and skipped without being buffered. */
  maxLineBytes?: number;
  /** Longer texts keep their head and tail. */
  textLimit?: number;
}

export interface TranscriptProgress {
  /** Just after the last complete line: continue here when the file has grown. */
  nextByte: number;
  lines: number;
  damaged: number;
  tooLong: number;
}

const chunkBytes = 1024 * 1024;
const defaultMaxLineBytes = 16 * 1024 * 1024;
/** A larger file is not a transcript: a sparse file costs its writer nothing and would take hours to read. */
export const maxTranscriptBytes = 4 * 1024 ** 3;
const closingBrace = 0x7d;

/**
 * Reads a transcript from a byte on, in bounded memory. An incomplete last line, and everything written during the
 * read, is left for the next time. A file shorter than `fromByte` was rewritten and is read from its start. Undefined
 * if there is no regular file of at most 4 GiB.
 */
export async function readTranscript(
  path: string,
  options: ReadTranscriptOptions,
): Promise<TranscriptProgress | undefined> {
  const file = await openRegular(path, maxTranscriptBytes);
  if (!file) return undefined;
  try {
    return await readFrom(file, options);
  } finally {
    await file.close();
  }
}

async function readFrom(file: FileHandle, options: ReadTranscriptOptions): Promise<TranscriptProgress> {
  const { format, fromByte = 0, onEntry, maxLineBytes = defaultMaxLineBytes } = options;
  const lineOptions = options.textLimit === undefined ? {} : { textLimit: options.textLimit };
  const { size } = await file.stat();
  const start = fromByte > size ? 0 : fromByte;
  const reading: TranscriptProgress = { nextByte: start, lines: 0, damaged: 0, tooLong: 0 };

  const readLine = (bytes: Buffer) => format.readLine(bytes.toString("utf8"), lineOptions);

  async function handleEntries(entries: TranscriptEntry[], byte: number): Promise<void> {
    for (const entry of entries) {
      if (entry.kind === "damaged") reading.damaged += 1;
      const pending = onEntry(entry, byte);
      if (pending) await pending;
    }
  }

  async function handleLine(line: SplitLine): Promise<void> {
    const byte = reading.nextByte;
    reading.nextByte += line.length;
    if (line.kind === "blank") return;
    reading.lines += 1;
    if (line.kind === "whole") return handleEntries(readLine(line.bytes), byte);
    if (line.kind === "unwanted" && line.lastByte === closingBrace) return;
    if (line.kind === "too-long") reading.tooLong += 1;
    else reading.damaged += 1;
    await onEntry({ kind: "damaged" }, byte);
  }

  const splitter = openLineSplitter({
    maxLineBytes,
    isWanted: (head) => format.mayHaveEntries(head.toString("latin1", 0, format.headLength)),
    headBytes: format.headLength,
  });
  const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, size - start));
  for (let position = start; position < size; ) {
    const { bytesRead } = await file.read(chunk, 0, Math.min(chunk.length, size - position), position);
    if (bytesRead === 0) break; // The file was truncated in the meantime.
    position += bytesRead;
    for (const line of splitter.push(chunk.subarray(0, bytesRead))) {
      await handleLine(line);
    }
  }
  // The last line may lack only its newline: if it parses, it is complete.
  const rest = splitter.rest();
  const entries = rest?.at(-1) === closingBrace ? readLine(rest) : [];
  if (rest && entries.length > 0 && entries[0]?.kind !== "damaged") {
    reading.lines += 1;
    await handleEntries(entries, reading.nextByte);
    reading.nextByte += rest.length;
  }
  return reading;
}
