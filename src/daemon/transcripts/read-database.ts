import type { TranscriptEntry } from "../../domain/transcript/entry.ts";
import type { HostTranscripts } from "../../hosts/host.ts";
import { readDatabaseSession } from "../../store/session-databases.ts";
import type { TranscriptProgress } from "./read-transcript.ts";

/** The place of a session in a host's database, in the form of a file's path. */
export function nameDatabaseSession(database: string, sessionId: string): string {
  return `${database}#${sessionId}`;
}

interface ReadDatabaseOptions {
  format: HostTranscripts & { database: NonNullable<HostTranscripts["database"]> };
  onEntry(entry: TranscriptEntry, byte: number): void | Promise<void>;
}

/** Reads a session from its start, always: the rows of a message may have changed. Known turns are skipped by the caller. */
export async function readDatabaseTranscript(
  place: string,
  { format, onEntry }: ReadDatabaseOptions,
): Promise<TranscriptProgress> {
  const [path = "", sessionId = ""] = place.split(/#(?=[^#]*$)/);
  const reading: TranscriptProgress = { nextByte: 0, lines: 0, damaged: 0, tooLong: 0 };
  for (const line of readDatabaseSession(path, format.database.tables, sessionId)) {
    const byte = reading.nextByte;
    reading.nextByte += Buffer.byteLength(line);
    reading.lines += 1;
    for (const entry of format.readLine(line)) {
      if (entry.kind === "damaged") reading.damaged += 1;
      const pending = onEntry(entry, byte);
      if (pending) await pending;
    }
  }
  return reading;
}
