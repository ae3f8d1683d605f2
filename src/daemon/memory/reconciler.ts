import type { TurnRecord } from "../../domain/memory/turn-record.ts";
import { detectHost } from "../../hosts/detect-host.ts";
import type { TranscriptTurn } from "../../domain/transcript/turn-draft.ts";
import { hasTranscripts, hostFor } from "../../hosts/hosts.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Log } from "../../shared/log.ts";
import type { Store } from "../../store/open-store.ts";
import type { JobWorker } from "../runtime/job-worker.ts";
import type { ReadTurnsJob, RecordedTurns } from "../transcripts/read-turns.ts";
import { omitsFailures, recoverSubagent, recoverTurn } from "./recover-turn.ts";

export interface ReadTurnsJobs {
  readTurns(job: ReadTurnsJob): Promise<RecordedTurns | undefined>;
}

/** Compares the stored events of a session with its transcript, and adds missing ones. */
export interface Reconciler {
  /** Returns the transcript's record of each turn that was compared. */
  reconcile(sessionIds: Iterable<string>): Promise<Map<string, TurnRecord>>;
  /** Closes the last turn of these sessions if the transcript says that it was interrupted. */
  closeInterrupted(sessionIds: Iterable<string>): Promise<void>;
}

interface ReconcilerDeps {
  store: Store;
  log: Log;
  clock: Clock;
  worker: JobWorker<ReadTurnsJobs>;
}

type RecordedByHost = RecordedTurns & { host: Parameters<typeof hostFor>[0] };

/** The host's clock and line order may differ from ours: a turn may seem to begin just before its session. */
const toleranceMs = 60_000;

export function openReconciler({ store, log, clock, worker }: ReconcilerDeps): Reconciler {
  async function read(sessionId: string): Promise<RecordedByHost | undefined> {
    const session = store.sessions.byId(sessionId);
    if (!session?.transcriptPath || store.projects.byPath(session.project)?.mode === "off") return undefined;
    return readTurns(sessionId, {
      transcriptPath: session.transcriptPath,
      cwd: session.cwd,
      fromByte: store.sessions.transcriptByte(sessionId),
      since: session.startedAt - toleranceMs,
    });
  }

  async function readTurns(
    sessionId: string,
    {
      transcriptPath: path,
      ...range
    }: { transcriptPath: string } & Pick<ReadTurnsJob, "cwd" | "fromByte" | "since">,
  ): Promise<RecordedByHost | undefined> {
    const host = detectHost({ session_id: sessionId, transcript_path: path });
    if (!host || !hasTranscripts(host)) return undefined;
    const recorded = await worker.call.readTurns({ host, path, sessionId, ...range }, { timeoutMs: 30_000 });
    return recorded && { ...recorded, host };
  }

  async function reconcileOne(sessionId: string, records: Map<string, TurnRecord>): Promise<void> {
    const recorded = await read(sessionId);
    if (!recorded) return;
    const { host } = recorded;
    const last = recorded.turns.at(-1);
    const compared = new Map<string, TranscriptTurn>();
    for (const turn of recorded.turns) {
      if (turn.sessionId !== sessionId) continue; // Copied from another session, whose own transcript has it.
      const recovered = store.db.transaction(() => {
        const result = recoverTurn(store, turn, turn === last, clock(), hostFor(host));
        if (result && result.events > 0) store.turns.markUndistilled(result.turnId);
        return result;
      });
      if (!recovered) continue;
      records.set(recovered.turnId, turn);
      compared.set(recovered.turnId, turn);
      if (recovered.events > 0)
        log.info("events recovered", {
          session: sessionId,
          turn: recovered.turnId,
          events: recovered.events,
        });
    }
    store.sessions.setTranscriptByte(sessionId, recorded.nextByte);
    if (omitsFailures(hostFor(host))) await compareSubagents(sessionId, compared);
  }

  /** In hosts whose hooks leave out failures, a subagent's are only in its own transcript. */
  async function compareSubagents(
    sessionId: string,
    turns: ReadonlyMap<string, TranscriptTurn>,
  ): Promise<void> {
    for (const [turnId, turn] of turns) {
      const since = turn.startedAt - toleranceMs;
      for (const { subagentId, transcriptPath } of store.events.listSubagents(sessionId, turnId, since)) {
        const recorded = await readTurns(subagentId, { transcriptPath, cwd: null, fromByte: 0, since: 0 });
        if (!recorded) continue;
        store.db.transaction(() => {
          recoverSubagent(store, turn, subagentId, recorded.turns, clock(), hostFor(recorded.host));
        });
      }
    }
  }

  /** Only closes interrupted turns: a turn that looks finished may still be running. */
  async function closeOne(sessionId: string): Promise<void> {
    const recorded = await read(sessionId);
    const last = recorded?.turns.at(-1);
    if (!recorded || last?.outcome !== "interrupted" || last.sessionId !== sessionId) return;
    const closed = store.db.transaction(() =>
      recoverTurn(store, last, true, clock(), hostFor(recorded.host)),
    );
    if (closed) log.info("turn closed: interrupted", { session: sessionId, turn: closed.turnId });
  }

  /** One unreadable transcript must not keep the others from being read: the events from hooks are stored in any case. */
  async function forEachSession(
    sessionIds: Iterable<string>,
    work: (sessionId: string) => Promise<void>,
  ): Promise<void> {
    for (const sessionId of sessionIds) {
      try {
        await work(sessionId);
      } catch (error) {
        log.error("transcript not compared", { session: sessionId, error });
      }
    }
  }

  return {
    async reconcile(sessionIds) {
      const records = new Map<string, TurnRecord>();
      await forEachSession(sessionIds, (sessionId) => reconcileOne(sessionId, records));
      return records;
    },
    closeInterrupted: (sessionIds) => forEachSession(sessionIds, closeOne),
  };
}
