import { findReplaced, readModelAnswer } from "../../domain/memory/model-answer.ts";
import type { ModelCandidate } from "../../domain/memory/model-candidates.ts";
import { isWorthAsking, type ModelPrompt } from "../../domain/memory/model-prompt.ts";
import type { TurnRecord } from "../../domain/memory/turn-record.ts";
import type { Completion } from "../../model/provider.ts";
import { backoffMs, remainingMs } from "../../shared/backoff.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Log } from "../../shared/log.ts";
import type { ModelTurn, PlainNotes } from "../../store/model-turns.ts";
import type { Store } from "../../store/open-store.ts";
import type { ProjectRow } from "../../store/projects.ts";
import type { JobWorker } from "../runtime/job-worker.ts";
import { keepSession } from "./keep-session.ts";
import { type KeptTurn, keepTurn, type TurnFindings } from "./keep-turn.ts";
import { maySendProject } from "./may-send-project.ts";
import type { ModelCaller } from "./model-caller.ts";

export interface ModelPromptJobs {
  modelPrompt(job: ModelPromptJob): PreparedTurn | undefined;
}

interface ModelPromptJob {
  turnId: string;
  project: string;
}

/** The worker's result: a turn, prepared for a model. */
export interface PreparedTurn {
  place: Pick<TurnFindings, "turnId" | "sessionId" | "cwd" | "at" | "promptNumber">;
  prompt: ModelPrompt;
  candidates: ModelCandidate[];
}

/** Passes distilled turns to a model, one at a time, and keeps its better notes. */
export interface ModelDistiller {
  /** Runs in the transaction that stores the plain result. Skips machine turns and turns without activity. */
  offer(turn: { turnId: string; record: TurnRecord }, project: ProjectRow, kept: KeptTurn): void;
  /** Checks for waiting turns. */
  wake(): void;
  start(): void;
  /** Cancels the running call, and waits for its row in the ledger. */
  stop(): Promise<void>;
}

interface ModelDistillerDeps {
  store: Store;
  log: Log;
  clock: Clock;
  worker: JobWorker<ModelPromptJobs>;
  caller: ModelCaller;
  /** Names of the only projects that may be sent; an empty list allows all that are on. */
  projects: readonly string[];
  announce(sessionId: string, kept: KeptTurn): void;
  /** 0 to 1: jitter, so that several daemons do not retry at the same time. */
  random(): number;
}

const maxTries = 4;
const backoff = { firstMs: 5_000, maxMs: 3_600_000 };
/** Longer than any pause: a turn that is due later was queued before the clock was set back. */
const maxPauseMs = 2 * backoff.maxMs;
/** A turn that waited longer keeps its plain notes. */
const maxWaitMs = 24 * 3_600_000;
const keptRowsMs = 30 * 24 * 3_600_000;

export function openModelDistiller(deps: ModelDistillerDeps): ModelDistiller {
  const { store, log, clock, worker, caller } = deps;
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  const maySend = (project: ProjectRow): boolean => maySendProject(project, deps.projects);

  /** One at a time: the provider gets one request at once, and the budget is exact. */
  function wake(): void {
    running = running.then(work).catch((error: unknown) => log.error("asking a model failed", { error }));
  }

  async function work(): Promise<void> {
    while (!stopping.signal.aborted && caller.getBlock().until === 0) {
      const waiting = store.modelTurns.findNextDue(clock(), maxPauseMs);
      if (!waiting) break;
      try {
        await ask(waiting);
      } catch (error) {
        log.error("a turn could not be prepared for a model", { turn: waiting.turnId, error });
        store.modelTurns.end(waiting.turnId, "dropped", "failed");
      }
    }
    sleepUntilDue();
  }

  function sleepUntilDue(): void {
    clearTimeout(timer);
    const due = store.modelTurns.findNextTime();
    if (due === undefined || stopping.signal.aborted) return;
    const now = clock();
    const pauseMs = Math.max(remainingMs(due, now, maxPauseMs), caller.getBlock().until - now);
    timer = setTimeout(wake, Math.max(50, pauseMs)).unref();
  }

  async function ask(waiting: ModelTurn): Promise<void> {
    const { turnId } = waiting;
    const project = store.projects.byId(waiting.projectId);
    const drop = (note: string): void => store.modelTurns.end(turnId, "dropped", note);
    if (!project || !maySend(project)) return drop("project");
    if (clock() - waiting.createdAt > maxWaitMs) return drop("too old");
    const job: ModelPromptJob = { turnId, project: project.name };
    const turn = await worker.call.modelPrompt(job, { timeoutMs: 20_000 });
    if (!turn) return drop("gone");
    if (turn.candidates.length === 0) return drop("nothing to choose from");
    let announce = (): void => {};
    const settlement = await caller.call(
      {
        turnId,
        projectId: project.id,
        prompt: turn.prompt,
        onReserved: () => store.modelTurns.markAsking(turnId),
        onSettled(completion) {
          const { outcome, kept } = keepAnswer(completion, waiting, project, turn);
          if (kept) announce = () => deps.announce(turn.place.sessionId, kept);
          return outcome;
        },
      },
      stopping.signal,
    );
    if (settlement === "spent") drop("budget");
    announce();
  }

  /** Runs in the transaction that settles the call. */
  function keepAnswer(
    completion: Completion,
    waiting: ModelTurn,
    project: ProjectRow,
    turn: PreparedTurn,
  ): { outcome: string; kept?: KeptTurn } {
    const { turnId } = waiting;
    if (completion.outcome === "rejected" && waiting.tries + 1 < maxTries) {
      const pauseMs = backoffMs(waiting.tries + 1, backoff, {
        retryAfterMs: Math.min(completion.retryAfterMs ?? 0, backoff.maxMs),
        random: deps.random(),
      });
      store.modelTurns.postpone(turnId, clock() + pauseMs);
      return { outcome: "rejected" };
    }
    const answer =
      completion.outcome === "answered" ? readModelAnswer(completion.text, turn.candidates) : undefined;
    if (!answer) {
      const outcome = completion.outcome === "answered" ? "invalid" : completion.outcome;
      store.modelTurns.end(turnId, "dropped", outcome);
      return { outcome };
    }
    const findings: TurnFindings = {
      ...turn.place,
      notes: answer,
      // The summary stays as it is.
      summary: undefined,
      prompt: undefined,
    };
    const current = store.projects.byId(project.id);
    const kept = current && maySend(current) && replaceNotes(store, current, findings, waiting.plain);
    store.modelTurns.end(turnId, kept ? "done" : "dropped", kept ? "" : "overtaken");
    return kept ? { outcome: "kept", kept } : { outcome: "overtaken" };
  }

  return {
    offer({ turnId, record }, project, { notes, summary }) {
      if (!maySend(project) || !isWorthAsking(record, notes.length)) return;
      const plain = { observations: notes.map(({ id }) => id), summary: summary?.id ?? null };
      store.modelTurns.insert({ turnId, projectId: project.id, plain, createdAt: clock() });
    },
    wake,
    start() {
      const interrupted = store.db.transaction(() => {
        store.modelTurns.removeEndedBefore(clock() - keptRowsMs);
        return store.modelTurns.dropInterrupted();
      });
      if (interrupted > 0) log.warn("model calls were interrupted and are not made again", { interrupted });
      wake();
    },
    async stop() {
      clearTimeout(timer);
      stopping.abort();
      await running;
    },
  };
}

/**
 * Replaces the plain notes with a model's, in the caller's transaction. Undefined, without a change, if a person has
 * deleted or edited one of them in the meantime: manual changes are not undone.
 */
function replaceNotes(
  store: Store,
  project: ProjectRow,
  findings: TurnFindings,
  plain: PlainNotes,
): KeptTurn | undefined {
  const kept = plain.observations.flatMap((id) => store.notes.byId(id) ?? []);
  const isTouched = kept.length < plain.observations.length || kept.some((o) => o.updatedAt !== o.createdAt);
  if (isTouched || (plain.summary !== null && !store.summaries.ofTurn(findings.turnId))) return undefined;
  for (const { id } of findReplaced(kept, findings.notes)) {
    store.index.remove("observation", id);
    store.notes.remove(id);
  }
  const replaced = keepTurn(store, project, findings);
  keepSession(store, findings.sessionId);
  return replaced;
}
