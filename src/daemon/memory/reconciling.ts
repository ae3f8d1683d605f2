import type { TurnRecord } from "../../domain/memory/turn-record.ts";
import { detectHost } from "../../hosts/detect-host.ts";
import { hasTranscripts, hostFor } from "../../hosts/hosts.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Log } from "../../shared/log.ts";
import type { Store } from "../../store/open-store.ts";
import type { JobWorker } from "../runtime/job-worker.ts";
import type { ReadTurnsJob, RecordedTurns } from "../transcripts/read-turns.ts";
import { recoverTurn } from "./recover-turn.ts";

export interface ReadTurnsJobs {
  readTurns(job: ReadTurnsJob): Promise<RecordedTurns | undefined>;
}

/** Compares the stored events of a session with its transcript, and adds missing ones. */
export interface Reconciling {
  /** Returns the transcript's record of each turn that was compared. */
  reconcile(sessionIds: Iterable<string>): Promise<Map<string, TurnRecord>>;
}

export interface ReconcilingDeps {
  store: Store;
  log: Log;
  clock: Clock;
  worker: JobWorker<ReadTurnsJobs>;
}

/** The host's clock and line order may differ from ours: a turn may seem to begin just before its session. */
const slackMs = 60_000;

export function openReconciling({ store, log, clock, worker }: ReconcilingDeps): Reconciling {
  async function reconcileOne(sessionId: string, records: Map<string, TurnRecord>): Promise<void> {
    const session = store.sessions.byId(sessionId);
    if (!session?.transcriptPath || store.projects.byPath(session.project)?.mode === "off") return;
    const host = detectHost({ session_id: sessionId, transcript_path: session.transcriptPath });
    if (!host || !hasTranscripts(host)) return;
    const job: ReadTurnsJob = {
      host,
      path: session.transcriptPath,
      fromByte: store.sessions.transcriptByte(sessionId),
      since: session.startedAt - slackMs,
    };
    const read = await worker.call.readTurns(job, { timeoutMs: 30_000 });
    if (!read) return;
    const last = read.turns.at(-1);
    for (const turn of read.turns) {
      if (turn.sessionId !== sessionId) continue; // Copied from another session, whose own transcript has it.
      const recovered = store.db.transaction(() => {
        const result = recoverTurn(store, turn, turn === last, clock(), hostFor(host));
        if (result && result.events > 0) store.turns.markWaiting(result.turnId);
        return result;
      });
      if (!recovered) continue;
      records.set(recovered.turnId, turn);
      if (recovered.events > 0)
        log.info("events recovered", {
          session: sessionId,
          turn: recovered.turnId,
          events: recovered.events,
        });
    }
    store.sessions.setTranscriptByte(sessionId, read.nextByte);
  }

  return {
    async reconcile(sessionIds) {
      const records = new Map<string, TurnRecord>();
      for (const sessionId of sessionIds) {
        try {
          await reconcileOne(sessionId, records);
        } catch (error) {
          // The events from hooks are stored in any case.
          log.error("transcript not compared", { session: sessionId, error });
        }
      }
      return records;
    },
  };
}
