import type { ImportJobs } from "./import-jobs.ts";
import type { ImportState } from "../../protocol/import.ts";
import { nameOf } from "../../store/tombstones.ts";
import type { JobWorker } from "../runtime/job-worker.ts";
import { makePace } from "../runtime/pace.ts";
import type { FoundTranscript } from "../transcripts/find-transcripts.ts";
import { importTurn } from "./import-turn.ts";
import type { FileEnd, FileToRead, Piece, DistilledTurn } from "../transcripts/transcript-reader.ts";
import type { DaemonContext } from "../runtime/context.ts";

export interface ImportFilesDeps extends Pick<DaemonContext, "store" | "clock" | "log" | "waitingHooks"> {
  worker: JobWorker<ImportJobs>;
}

interface Source extends FileToRead {
  file: FoundTranscript;
  /** Turns that ended before this time are left out, by this import and by earlier imports of the file. */
  since: number;
}

/** One item to write: a turn, or the end of the file. */
type Item = { source: Source; turn: DistilledTurn } | { source: Source; end: FileEnd };

/** A transcript written within this time may belong to a running session. */
const recentMs = 10 * 60_000;

/** Reads transcripts from their last position and stores new turns. After a cancel or a crash it continues there. */
export async function importFiles(
  deps: ImportFilesDeps,
  files: readonly FoundTranscript[],
  since: number,
  state: ImportState,
  isCancelled: () => boolean,
): Promise<void> {
  const { store, clock, log, worker } = deps;
  const pace = makePace(deps.waitingHooks);
  const sources = files.map(findStart);
  const done = sources.map(({ fromByte }) => fromByte);
  await worker.call.open(
    sources.map(({ host, path, sessionId, cwd, fromByte }) => ({ host, path, sessionId, cwd, fromByte })),
  );
  // Requested before the previous pieces are written, because the worker answers only between two parts of a file.
  let coming = worker.call.next(undefined);
  try {
    while (!isCancelled()) {
      const pieces = await coming;
      if (pieces.length === 0) return;
      coming = worker.call.next(undefined);
      await keepAll(pieces.flatMap(listItems));
      for (const { file, byte, end } of pieces) done[file] = end ? (files[file]?.size ?? 0) : byte;
      state.bytesDone = done.reduce((sum, byte) => sum + byte, 0);
    }
  } finally {
    coming.catch(() => {}); // If writing failed, its outcome no longer matters.
    await worker.call.close(undefined);
  }

  function findStart(file: FoundTranscript): Source {
    const { host, path, sessionId, cwd } = file;
    const from = { file, host, path, sessionId, cwd };
    const before = store.imports.byPath(path);
    const isContinued = before !== undefined && before.since <= since && before.byte <= file.size;
    return isContinued
      ? { ...from, fromByte: before.byte, since: Math.max(before.since, since) }
      : { ...from, fromByte: 0, since };
  }

  function listItems({ file, turns, end }: Piece): Item[] {
    const source = sources[file] as Source;
    return [...turns.map((turn) => ({ source, turn })), ...(end ? [{ source, end }] : [])];
  }

  async function keepAll(items: readonly Item[]): Promise<void> {
    for (let next = 0; next < items.length && !isCancelled(); ) {
      await pace.yieldToHooks();
      next = store.db.transaction(() => keepSlice(items, next));
    }
  }

  /** Writes turns together with the cursor, which is never ahead of the stored turns. */
  function keepSlice(items: readonly Item[], first: number): number {
    const until = performance.now() + pace.sliceMs();
    let next = first;
    for (; next < items.length && (next === first || performance.now() < until); next++) {
      const item = items[next] as Item;
      if ("end" in item) finish(item.source, item.end);
      else {
        keepOne(item.source, item.turn);
        // If the next turn is in the same file, its position is recorded instead.
        if (items[next + 1]?.source !== item.source || performance.now() >= until)
          recordProgress(item.source, item.turn.nextByte, false);
      }
    }
    return next;
  }

  function keepOne({ file }: Source, turn: DistilledTurn): void {
    if (turn.endedAt > 0 && turn.endedAt < since) return;
    const kept = importTurn(store, turn, file, clock);
    if (kept.outcome === "known") state.turnsKnown += 1;
    if (kept.outcome !== "stored") return;
    state.turns += 1;
    state.sessions += Number(kept.isNewSession);
    state.notes += kept.notes;
    state.summaries += Number(kept.hasSummary);
    state.prompts += Number(kept.hasPrompt);
  }

  function finish(source: Source, { lastTurn, title, nextByte, damaged, failure }: FileEnd): void {
    state.filesDone += 1;
    state.damaged += damaged;
    if (failure !== null) {
      log.warn("a transcript could not be read", { path: source.path, reason: failure });
      state.filesLeftOut += 1;
      return;
    }
    if (lastTurn && (lastTurn.outcome !== null || !mayGrow(source.file))) keepOne(source, lastTurn);
    nameSession(source.file.sessionId, title ?? source.file.title, source.file.branch);
    recordProgress(source, nextByte, true);
  }

  function recordProgress({ file, path, since: covered }: Source, byte: number, isWhole: boolean): void {
    const [size, mtime] = isWhole ? [file.size, file.mtime] : [null, null];
    store.imports.put({ path, byte, size, mtime, since: covered, importedAt: clock() });
  }

  function mayGrow({ sessionId, mtime }: FoundTranscript): boolean {
    return store.sessions.byId(sessionId)?.status === "active" || clock() - mtime < recentMs;
  }

  function nameSession(sessionId: string, title: string | null, branch: string | null): void {
    const session = store.sessions.byId(sessionId);
    if (!session || (session.title !== null && session.branch !== null)) return;
    const isForgotten =
      store.tombstones.has(nameOf.title(sessionId)) ||
      (title !== null && store.tombstones.matchesForgotten(() => title, clock()));
    store.sessions.update({
      ...session,
      title: session.title ?? (isForgotten ? null : title),
      branch: session.branch ?? branch,
    });
  }
}
