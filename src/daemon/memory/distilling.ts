import { dirname } from "node:path";
import type { Distilled, TurnSummary } from "../../domain/memory/turn-record.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Log } from "../../shared/log.ts";
import type { Store } from "../../store/open-store.ts";
import type { Bus } from "../bus.ts";
import type { JobWorker } from "../job-worker.ts";
import type { AssembledTurn } from "./assemble-turn.ts";
import { indexPrompt, keepObservation, keepSummary, type Place } from "./keep.ts";
import { findOrCreateProject } from "../project-registry.ts";

/** What the worker makes of a turn. */
export interface DistilledTurn {
  turn: AssembledTurn;
  observations: Distilled[];
  summary: TurnSummary | undefined;
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
  worker: JobWorker;
}

/** The host writes the last lines of its transcript a moment after Stop. */
const settleMs = 1_500;

export function openDistilling({ store, bus, log, clock, worker }: DistillingDeps): Distilling {
  const timers = new Set<NodeJS.Timeout>();
  let unsubscribe = (): void => {};
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
    for (const turnId of store.turns.waitingToBeDistilled(200)) {
      const distilled = await worker.run<DistilledTurn | undefined>("distil", turnId, { timeoutMs: 20_000 });
      store.db.transaction(() => keep(turnId, distilled));
    }
  }

  function keep(turnId: string, distilled: DistilledTurn | undefined): void {
    store.turns.markDistilled(turnId, clock());
    if (!distilled) return;
    const { turn, observations, summary } = distilled;
    const project = findOrCreateProject(store, turn.project, clock());
    if (project.mode === "off") return;
    const { sessionId, promptNumber, endedAt } = turn;
    const root = turn.cwd ?? dirname(project.path);
    const place: Place & { sessionId: string } = {
      ...{
        projectId: project.id,
        root,
        worktree: worktreeOf(project.path, turn.cwd),
        sessionId,
        turnId,
        promptNumber,
        at: endedAt,
      },
    };
    for (const note of observations) {
      const kept = keepObservation(store, note, place);
      if (kept)
        setImmediate(() =>
          bus.publish({
            type: "observation.stored",
            id: kept.id,
            sessionId,
            title: kept.title,
            kind: kept.type,
          }),
        );
    }
    if (summary) {
      const kept = keepSummary(store, summary, place);
      setImmediate(() => bus.publish({ type: "summary.stored", id: kept.id, sessionId }));
    }
    if (!turn.record.isMachine && turn.record.prompt)
      indexPrompt(store, turn.promptEventId, turn.record.prompt, place);
  }

  return {
    catchUp,
    start() {
      unsubscribe = bus.subscribe(({ event }) => {
        if (event.type === "turn.ended" || event.type === "session.completed") later();
      });
      later();
    },
    stop() {
      unsubscribe();
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

/** The name of the checkout, where it is not the project's main one. */
function worktreeOf(projectPath: string, cwd: string | null): string | null {
  const main = projectPath.endsWith(".git") ? dirname(projectPath) : projectPath;
  if (!cwd || cwd === main || cwd.startsWith(`${main}/`) || cwd.startsWith(`${main}\\`)) return null;
  return cwd.split(/[\\/]/).at(-1) ?? null;
}
