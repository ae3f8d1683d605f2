import type { Distilled, TurnRecord, TurnSummary } from "../../domain/memory/turn-record.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Log } from "../../shared/log.ts";
import type { Store } from "../../store/open-store.ts";
import type { Showing } from "../../store/recall-outcomes.ts";
import { nameOf } from "../../store/tombstones.ts";
import type { Bus } from "../runtime/bus.ts";
import type { JobWorker } from "../runtime/job-worker.ts";
import type { AssembledTurn } from "./assemble-turn.ts";
import { keepSession } from "./keep-session.ts";
import { announceKept, keepTurn } from "./keep-turn.ts";
import type { ModelDistilling } from "./model-distilling.ts";
import { findOrCreateProject } from "../identity/project-registry.ts";

export interface DistilJobs {
  distil(job: DistilJob): DistilledTurn | undefined;
}

export interface DistilJob {
  turnId: string;
  /** What its transcript tells, where that was read. */
  told: TurnRecord | undefined;
}

/** What the worker makes of a turn. */
export interface DistilledTurn {
  turn: AssembledTurn;
  observations: Distilled[];
  removed: string[];
  summary: TurnSummary | undefined;
  /** What came of the notes that were shown at its prompt. */
  showings: Showing[];
}

/** Looks through turns that have ended, in the background, and keeps what is worth it. */
export interface Distilling {
  /** Everything that waits, now: a new session is about to ask for it. */
  catchUp(): Promise<void>;
  start(): void;
  stop(): void;
}

export interface DistillingDeps {
  store: Store;
  bus: Bus;
  log: Log;
  clock: Clock;
  worker: JobWorker<DistilJobs>;
  /** Takes a turn that was kept, for a second look. */
  model: Pick<ModelDistilling, "offer" | "wake">;
  /** Adds what hooks did not tell of these sessions, and says by turn what their transcripts tell. */
  reconcile(sessionIds: Iterable<string>): Promise<Map<string, TurnRecord>>;
}

const nothing = (): void => {};
/** The host writes the last lines of its transcript a moment after Stop. */
const settleMs = 1_500;
/** At start: the hooks of these sessions may have found nobody. */
const mostRecent = 50;
const recentMs = 24 * 3_600_000;

export function openDistilling(deps: DistillingDeps): Distilling {
  const { store, bus, log, clock, worker } = deps;
  const timers = new Set<NodeJS.Timeout>();
  let unsubscribe = (): void => {};
  const failed = new Set<string>();
  /** Sessions of which something was heard since their transcript was looked at. */
  const changed = new Set<string>();
  let running: Promise<void> = Promise.resolve();

  function later(): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      void catchUp();
    }, settleMs);
    timers.add(timer.unref());
  }

  /** One at a time, in order: what two turns share is then seen by the second. */
  function catchUp(): Promise<void> {
    running = running
      .then(distilWaiting)
      .catch((error: unknown) => log.error("distilling failed", { error }));
    return running;
  }

  async function distilWaiting(): Promise<void> {
    const sessions = new Set([...changed, ...store.turns.sessionsWaiting()]);
    changed.clear();
    const told = await deps.reconcile(sessions);
    for (const turnId of store.turns.waitingToBeDistilled(200)) {
      const job: DistilJob = { turnId, told: told.get(turnId) };
      try {
        const distilled = await worker.call.distil(job, { timeoutMs: 20_000 });
        const announce = store.db.transaction(() => keep(turnId, distilled));
        announce();
      } catch (error) {
        giveUpAfterTwo(turnId, error);
      }
    }
  }

  /** One turn that cannot be read must not keep all later ones from being remembered. */
  function giveUpAfterTwo(turnId: string, error: unknown): void {
    log.error("turn not distilled", { turn: turnId, error });
    if (failed.delete(turnId)) store.turns.markDistilled(turnId, clock());
    else failed.add(turnId);
  }

  /** Returns what there is to announce once it is committed. */
  function keep(turnId: string, distilled: DistilledTurn | undefined): () => void {
    store.turns.markDistilled(turnId, clock());
    // Forgotten while it was looked through.
    if (!distilled || store.tombstones.has(nameOf.turn(turnId))) return nothing;
    const { turn, observations, removed, summary, showings } = distilled;
    for (const showing of showings) store.recallOutcomes.add(showing);
    const project = findOrCreateProject(store, turn.project, clock());
    if (project.mode === "off") return nothing;
    const { sessionId, cwd, promptNumber, endedAt, record, promptEventId } = turn;
    const kept = keepTurn(store, project, {
      turnId,
      sessionId,
      cwd,
      at: endedAt,
      promptNumber,
      observations,
      removed,
      summary,
      prompt: record.isMachine ? undefined : { eventId: promptEventId, text: record.prompt },
    });
    deps.model.offer(turn, project, kept);
    const whole = keepSession(store, sessionId);
    return () => {
      announceKept(bus, sessionId, kept);
      if (whole) bus.publish({ type: "summary.stored", id: whole.id, sessionId });
      deps.model.wake();
    };
  }

  return {
    catchUp,
    start() {
      unsubscribe = bus.subscribe(({ event }) => {
        if (event.type !== "turn.ended" && event.type !== "session.completed") return;
        changed.add(event.sessionId);
        later();
      });
      for (const { id, lastEventAt } of store.sessions.recent(mostRecent))
        if (clock() - lastEventAt < recentMs) changed.add(id);
      later();
    },
    stop() {
      unsubscribe();
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
