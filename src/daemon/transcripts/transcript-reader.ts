import type { Exclusion } from "../../domain/capture/exclude.ts";
import type { Scorer } from "../../domain/memory/distil/scorer.ts";
import { openScorer } from "../../store/open-scorer.ts";
import { distilTurn } from "../../domain/memory/distil/distil-turn.ts";
import type { Distilled, LooseFindings, TurnSummary } from "../../domain/memory/turn-record.ts";
import { openTurnAssembler } from "../../domain/transcript/assemble-turns.ts";
import type { TranscriptEntry } from "../../domain/transcript/entry.ts";
import { redactTurn } from "../../domain/transcript/redact-turn.ts";
import { promptEventOf, type TranscriptTurn } from "../../domain/transcript/turn-draft.ts";
import { redactText } from "../../redact/redact-text.ts";
import { readDatabaseTranscript } from "./read-database.ts";
import { readTranscript } from "./read-transcript.ts";
import { hostFor } from "../../hosts/hosts.ts";

/** A turn of a transcript, redacted and distilled: everything that will be stored of it. */
export interface DistilledTurn extends Omit<TranscriptTurn, "steps" | "compactSummary"> {
  notes: Distilled[];
  removed: string[];
  loose: LooseFindings;
  summary: TurnSummary | undefined;
  /** Continue reading here once this turn is stored. */
  nextByte: number;
}

/** How the reading of a file ended. */
export interface FileEnd {
  /** The last turn, which may be unfinished. */
  lastTurn: DistilledTurn | undefined;
  title: string | null;
  nextByte: number;
  damaged: number;
  /** The error that stopped the reading. */
  failure: string | null;
}

/** Part of a file, in order. */
export interface Piece {
  /** Index of the file in the list. */
  file: number;
  turns: DistilledTurn[];
  /** How far the file has been read. */
  byte: number;
  end?: FileEnd;
}

export interface FileToRead {
  /** The host whose format the file has. */
  host: string;
  path: string;
  /** The session and its folder, for lines that name neither. */
  sessionId: string;
  cwd: string | null;
  fromByte: number;
}

/** Reads files one after the other, at the pace of `next`, which returns an empty list when all are read. */
export interface TranscriptReader {
  next(): Promise<Piece[]>;
  close(): void;
}

/** Limit of buffered turns: enough to keep both sides busy. */
const maxWaiting = 64;
const reportEveryBytes = 4_000_000;

export function openTranscriptReader(files: readonly FileToRead[], exclusion: Exclusion): TranscriptReader {
  let pieces: Piece[] = [];
  let waiting = 0;
  let isOver = false;
  let isClosed = false;
  let wakeTaker = (): void => {};
  let wakeReader = (): void => {};

  async function emit(piece: Piece): Promise<void> {
    pieces.push(piece);
    waiting += piece.turns.length + 1;
    wakeTaker();
    while (waiting >= maxWaiting && !isClosed)
      await new Promise<void>((resolve) => {
        wakeReader = resolve;
      });
  }

  async function readAll(): Promise<void> {
    for (const [index, file] of files.entries()) {
      if (isClosed) break;
      await readFile(index, file, exclusion, emit, () => isClosed);
    }
    isOver = true;
    wakeTaker();
  }

  void readAll();
  return {
    async next() {
      while (pieces.length === 0 && !isOver)
        await new Promise<void>((resolve) => {
          wakeTaker = resolve;
        });
      const taken = pieces;
      pieces = [];
      waiting = 0;
      wakeReader();
      return taken;
    },
    close() {
      isClosed = true;
      wakeReader();
    },
  };
}

async function readFile(
  file: number,
  { host, path, sessionId, cwd, fromByte }: FileToRead,
  exclusion: Exclusion,
  emit: (piece: Piece) => Promise<void>,
  isClosed: () => boolean,
): Promise<void> {
  const { transcripts: format, tools } = hostFor(host);
  const assembler = openTurnAssembler();
  let reported = fromByte;
  let title: { text: string; source: "user" | "model" } | undefined;
  let previousFinal = "";

  function distilWhole(whole: TranscriptTurn, nextByte: number): DistilledTurn {
    whole.sessionId ||= sessionId;
    whole.cwd ??= cwd;
    const turn = redactTurn(whole, { keepsOutputs: false, exclusion, tools });
    const record = turn.cwd ? { ...turn, root: turn.cwd } : turn;
    const { steps: _steps, ...facts } = turn;
    const context = { scorer: useScorer(), previousFinal, promptEventId: promptEventOf(turn.key) };
    previousFinal = turn.final || previousFinal;
    return { ...facts, ...distilTurn(record, context), nextByte };
  }

  function onEntry(entry: TranscriptEntry, byte: number): Promise<void> | undefined {
    if (isClosed()) throw new Error("it was closed");
    if (entry.kind === "title" && (entry.source === "user" || title?.source !== "user"))
      title = { text: entry.title, source: entry.source };
    const turns = assembler.push(entry, byte).map((turn) => distilWhole(turn, assembler.openSince() ?? byte));
    if (turns.length === 0 && byte - reported < reportEveryBytes) return undefined;
    reported = byte;
    return emit({ file, turns, byte });
  }

  try {
    const { database } = format;
    const reading = database
      ? await readDatabaseTranscript(path, { format: { ...format, database }, onEntry })
      : await readTranscript(path, { format, fromByte, onEntry });
    const nextByte = reading?.nextByte ?? fromByte;
    const heldSince = assembler.openSince() ?? nextByte;
    const [lastTurn] = assembler.flush();
    const end = {
      lastTurn: lastTurn && distilWhole(lastTurn, heldSince),
      title: title ? redactText(title.text).text : null,
      nextByte: heldSince,
      damaged: (reading?.damaged ?? 0) + (reading?.tooLong ?? 0),
      failure: null,
    };
    await emit({ file, turns: [], byte: nextByte, end });
  } catch (error) {
    const failure = (error as Error).message;
    const end = { lastTurn: undefined, title: null, nextByte: reported, damaged: 0, failure };
    await emit({ file, turns: [], byte: reported, end });
  }
}

let scorer: Scorer | undefined;

function useScorer(): Scorer {
  scorer ??= openScorer();
  return scorer;
}
