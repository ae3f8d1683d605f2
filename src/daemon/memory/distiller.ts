import type { Distilled, LooseFindings, TurnRecord, TurnSummary } from "../../domain/memory/turn-record.ts";
import type { BusEvent } from "../../protocol/bus-events.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Log } from "../../shared/log.ts";
import type { Store } from "../../store/open-store.ts";
import { type JudgedUse, markUse } from "../../store/note-use.ts";
import type { RecallJudgement } from "../../store/recall-outcomes.ts";
import { nameOf } from "../../store/tombstones.ts";
import type { Bus } from "../runtime/bus.ts";
import { repeatWhile } from "../runtime/repeat.ts";
import type { JobWorker } from "../runtime/job-worker.ts";
import type { AssembledTurn } from "./assemble-turn.ts";
import { keepSession } from "./keep-session.ts";
import { announceKept, keepTurn } from "./keep-turn.ts";
import type { PromptIndexer } from "./prompt-indexer.ts";
import { makeQuietSessionFinder } from "./quiet-sessions.ts";
import type { Reconciler } from "./reconciler.ts";
import type { ModelDistiller } from "./model-distiller.ts";
import { findOrCreateProject } from "../identity/project-registry.ts";

export interface DistilJobs {
  distil(job: DistilJob): DistilResult | undefined;
}

interface DistilJob {
  turnId: string;
  /** The turn from its transcript, if that was read. */
  recorded: TurnRecord | undefined;
}

/** The worker's result for a turn. */
interface DistilResult {
  turn: AssembledTurn;
  notes: Distilled[];
  removed: string[];
  loose: LooseFindings;
  summary: TurnSummary | undefined;
  /** Outcomes of the notes that were shown at its prompt. */
  showings: RecallJudgement[];
  /** Whether the notes that were recalled in it were used. */
  uses: JudgedUse[];
}

/** Distils finished turns in the background and keeps the notes. */
export interface Distiller {
  /** Distils all waiting turns now: a new session is about to ask for them. */
  catchUp(): Promise<void>;
  start(): void;
  stop(): void;
}

interface DistillerDeps {
  store: Store;
  bus: Bus;
  log: Log;
  clock: Clock;
  worker: JobWorker<DistilJobs>;
  /** Receives stored turns for a second pass. */
  model: Pick<ModelDistiller, "offer" | "wake">;
  reconciler: Reconciler;
  prompts: PromptIndexer;
}

/** The host writes the last lines of its transcript a moment after Stop. */
const settleMs = 1_500;
const checkQuietMs = 5_000;
/** Number of sessions to check at start: their hooks may have fired while no daemon ran. */
const maxRecent = 50;
const recentMs = 24 * 3_600_000;

export function openDistiller(deps: DistillerDeps): Distiller {
  const { store, bus, log, clock, worker } = deps;
  const timers = new Set<NodeJS.Timeout>();
  let unsubscribe = (): void => {};
  const failed = new Set<string>();
  /** Sessions with new events since their transcript was read. */
  const changed = new Set<string>();
  let running: Promise<void> = Promise.resolve();
  const listQuiet = makeQuietSessionFinder(store);
  const quiet = repeatWhile(checkQuietMs, checkQuiet, log);

  /** False if no turn is open. */
  function checkQuiet(): boolean {
    const sessions = listQuiet(clock());
    if (sessions.length > 0)
      running = running
        .then(() => deps.reconciler.closeInterrupted(sessions))
        .then(distilWaiting)
        .catch((error: unknown) => log.error("interrupted turns not closed", { error }));
    return store.sessions.active().some(({ id }) => store.turns.findOpen(id) !== undefined);
  }

  function follow(event: BusEvent): void {
    if (event.type === "event.stored" && event.event === "prompt") {
      deps.prompts.add(event.id);
      quiet.rouse();
      // The prompt may have interrupted a turn, which fires no event of its own.
      if (timers.size > 0 || store.turns.listUndistilled(1).length === 0) return;
    } else if (event.type !== "turn.ended" && event.type !== "session.completed") return;
    changed.add(event.sessionId);
    schedule();
  }

  function schedule(): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      void catchUp();
    }, settleMs);
    timers.add(timer.unref());
  }

  /** One turn at a time, in order, so that a turn is compared with the notes of the previous one. */
  function catchUp(): Promise<void> {
    running = running
      .then(distilWaiting)
      .catch((error: unknown) => log.error("distilling failed", { error }));
    return running;
  }

  async function distilWaiting(): Promise<void> {
    const sessions = new Set([...changed, ...store.turns.listUndistilledSessions()]);
    changed.clear();
    const records = await deps.reconciler.reconcile(sessions);
    for (const turnId of store.turns.listUndistilled(200)) {
      const job: DistilJob = { turnId, recorded: records.get(turnId) };
      try {
        const distilled = await worker.call.distil(job, { timeoutMs: 20_000 });
        const announce = store.db.transaction(() => keep(turnId, distilled));
        announce();
      } catch (error) {
        recordFailure(turnId, error);
      }
    }
  }

  /** One unreadable turn must not block all later ones. */
  function recordFailure(turnId: string, error: unknown): void {
    log.error("turn not distilled", { turn: turnId, error });
    if (failed.delete(turnId)) store.turns.markDistilled(turnId, clock());
    else failed.add(turnId);
  }

  /** Returns a function that announces and logs the result once it is committed. */
  function keep(turnId: string, distilled: DistilResult | undefined): () => void {
    const skip = (why: string) => (): void => log.info("turn skipped", { turn: turnId, why });
    store.turns.markDistilled(turnId, clock());
    if (!distilled) return skip("gone");
    if (store.tombstones.has(nameOf.turn(turnId))) return skip("forgotten while it was distilled");
    const { turn, notes, removed, loose, summary, showings, uses } = distilled;
    for (const showing of showings) store.recallOutcomes.add(showing);
    for (const use of uses) markUse(store.db, use);
    const project = findOrCreateProject(store, turn.project, clock());
    if (project.mode === "off") return skip("project is off");
    const { sessionId, cwd, promptNumber, endedAt, record, promptEventId } = turn;
    const kept = keepTurn(store, project, {
      turnId,
      sessionId,
      cwd,
      at: endedAt,
      promptNumber,
      notes,
      removed,
      loose,
      summary,
      prompt: record.isMachine ? undefined : { eventId: promptEventId, text: record.prompt },
    });
    deps.model.offer(turn, project, kept);
    const sessionSummary = keepSession(store, sessionId);
    return () => {
      log.info("turn distilled", {
        turn: turnId,
        session: sessionId,
        outcome: record.outcome,
        found: notes.length,
        stored: kept.notes.map(({ id }) => id),
        summary: kept.summary?.id ?? null,
      });
      announceKept(bus, sessionId, kept);
      if (sessionSummary) bus.publish({ type: "summary.stored", id: sessionSummary.id, sessionId });
      deps.model.wake();
    };
  }

  return {
    catchUp,
    start() {
      unsubscribe = bus.subscribe(({ event }) => follow(event));
      for (const { id, lastEventAt } of store.sessions.recent(maxRecent))
        if (clock() - lastEventAt < recentMs) changed.add(id);
      schedule();
      quiet.rouse();
    },
    stop() {
      unsubscribe();
      quiet.stop();
      deps.prompts.stop();
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
