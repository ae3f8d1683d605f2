import type { Exclusion } from "../../domain/capture/exclude.ts";
import { openTurnAssembler } from "../../domain/transcript/assemble-turns.ts";
import { redactTurn } from "../../domain/transcript/redact-turn.ts";
import type { TranscriptTurn } from "../../domain/transcript/turn-draft.ts";
import { readTranscript } from "./read-transcript.ts";
import { hostFor } from "../../hosts/hosts.ts";

export interface ReadTurnsJob {
  /** The host whose format the transcript has. */
  host: string;
  path: string;
  /** The session and its folder, for lines that name neither. */
  sessionId: string;
  cwd: string | null;
  fromByte: number;
  /** Turns that ended earlier are skipped: the past of a resumed session is left to an import. */
  since: number;
}

export interface RecordedTurns {
  /** In order; the last may be unfinished. */
  turns: TranscriptTurn[];
  /** Start of the last turn, which is read again next time. */
  nextByte: number;
}

const maxTurns = 100;

/** The turns of a live session's transcript, redacted. Undefined if there is none. */
export async function readTurns(
  { host, path, sessionId, cwd, fromByte, since }: ReadTurnsJob,
  exclusion: Exclusion,
): Promise<RecordedTurns | undefined> {
  const { transcripts: format, tools } = hostFor(host);
  const assembler = openTurnAssembler();
  const turns: TranscriptTurn[] = [];
  const keep = (turn: TranscriptTurn): void => {
    if (turn.endedAt < since) return;
    turn.sessionId ||= sessionId;
    turn.cwd ??= cwd;
    turns.push(redactTurn(turn, { keepsOutputs: true, exclusion, tools }));
    if (turns.length > maxTurns) turns.shift();
  };
  const reading = await readTranscript(path, {
    format,
    fromByte,
    onEntry(entry, byte) {
      for (const turn of assembler.push(entry, byte)) keep(turn);
    },
  });
  if (!reading) return undefined;
  const nextByte = assembler.openSince() ?? reading.nextByte;
  for (const turn of assembler.flush()) keep(turn);
  return { turns, nextByte };
}
