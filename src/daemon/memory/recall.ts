import { isMachinePrompt } from "../../domain/capture/machine-prompt.ts";
import type { PreparedEvent } from "../../domain/capture/prepare-event.ts";
import {
  type ClockFormat,
  type IndexRow,
  makeClockFormat,
  makeContext,
} from "../../domain/memory/context.ts";
import { parsePrompt } from "../../domain/memory/query.ts";
import {
  choosePromptRecall,
  formatFileRecall,
  formatPromptRecall,
  type Recalled,
} from "../../domain/memory/recall.ts";
import { estimateTokens } from "../../domain/memory/tokens.ts";
import type { HookEvent } from "../../protocol/hook-events.ts";
import type { ContextRequest } from "../../protocol/memory.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Log } from "../../shared/log.ts";
import type { Found } from "../../store/memory-search.ts";
import type { Observation } from "../../store/observations.ts";
import type { Store } from "../../store/open-store.ts";
import type { ProjectRow } from "../../store/projects.ts";
import type { Contribution, HookMoment } from "../hook-reply.ts";
import type { JobWorker } from "../job-worker.ts";
import type { Distilling } from "./distilling.ts";
import { makeFileNames } from "./file-names.ts";

export interface RecallSettings {
  observations: number;
  summaries: number;
  tokens: number;
  prompts: boolean;
  files: boolean;
}

/** Brings back what is known, at the moments a session can take it in. */
export interface Recall {
  /** What takes a search is looked up before the event's transaction, and only for as long as a hook can wait. */
  prefetch(id: string, event: HookEvent, prepared: PreparedEvent): Promise<void>;
  contribute(moment: HookMoment, nowMs: number, room: number): Contribution | undefined;
  /** The event came to nothing: what was looked up for it is dropped. */
  release(id: string): void;
  /** What a session starting now in this project would be given; with other limits than those configured, if wanted. */
  preview(project: ProjectRow, limits: Omit<ContextRequest, "project">): string;
}

export interface RecallDeps {
  store: Store;
  worker: JobWorker;
  distilling: Distilling;
  settings: RecallSettings;
  log: Log;
  clock: Clock;
}

/** A worker that has to be started first takes half of it. */
const searchMs = 400;
/** A search that takes this long hangs, and its worker is replaced; one that is merely late goes on, so that the next is not late, too. */
const hungMs = 5_000;
/** What three notes can take at most. */
const mostRecalled = 2_000;
/** Characters; a shorter summary says "done". */
const minSummary = 40;
const wholeRoom = 9_800;
const catchUpMs = 400;
const fileTools = new Set(["Read", "Edit", "MultiEdit", "Write"]);

interface PromptHits {
  hits: Found[];
  /** The words of the prompt that were looked for. */
  asked: string[];
}

export function openRecall({ store, worker, distilling, settings, log }: RecallDeps): Recall {
  const found = new Map<string, PromptHits>();
  const clockFormat: ClockFormat = makeClockFormat(Intl.DateTimeFormat().resolvedOptions().timeZone);

  async function prefetch(id: string, event: HookEvent, prepared: PreparedEvent): Promise<void> {
    if (event === "SessionStart") {
      warmUp();
      await within(distilling.catchUp(), catchUpMs);
      return;
    }
    if (
      event !== "UserPromptSubmit" ||
      !settings.prompts ||
      !prepared.prompt ||
      isMachinePrompt(prepared.prompt)
    )
      return;
    const project = projectOfSession(prepared.sessionId);
    if (!project) return;
    const query = parsePrompt(prepared.prompt);
    if (!query) return;
    const filter = { projectIds: [project.id], kinds: ["observation", "summary"] };
    const job = { query, filter, limit: 8 };
    try {
      const hits = await within(worker.run<Found[]>("find", job, { timeoutMs: hungMs }), searchMs);
      if (hits) found.set(id, { hits, asked: query.words });
      else log.warn("nothing recalled for a prompt: the search was late", { id, searchMs });
    } catch (error) {
      log.warn("nothing recalled for a prompt", { id, error });
    }
  }

  /** Whoever starts a session will soon submit a prompt. */
  function warmUp(): void {
    if (!settings.prompts) return;
    worker.run("warm", undefined).catch((error: unknown) => log.warn("search not ready", { error }));
  }

  function projectOfSession(sessionId: string): ProjectRow | undefined {
    const session = store.sessions.byId(sessionId);
    const project = session && store.projects.byPath(session.project);
    return project?.mode === "off" ? undefined : project;
  }

  function contribute(moment: HookMoment, nowMs: number, room: number): Contribution | undefined {
    const prompted = found.get(moment.eventId);
    release(moment.eventId);
    const project = store.projects.byPath(moment.session.project);
    if (!project || project.mode === "off" || moment.subagentId !== null) return undefined;
    if (moment.event === "SessionStart") return recallStart(moment, project, nowMs, room);
    if (room < mostRecalled) return undefined;
    if (moment.event === "UserPromptSubmit" && prompted) return recallPrompt(moment, prompted, nowMs);
    if (
      moment.event === "PreToolUse" &&
      moment.filePath &&
      fileTools.has(moment.toolName ?? "") &&
      settings.files
    )
      return recallFile(moment, project, moment.filePath, nowMs);
    return undefined;
  }

  function release(id: string): void {
    found.delete(id);
  }

  function recallStart(
    moment: HookMoment,
    project: ProjectRow,
    nowMs: number,
    room: number,
  ): Contribution | undefined {
    const { session } = moment;
    // A resumed session still has what it was told and what it did itself: only what is new since then.
    const isNew = ({ id, sessionId }: Observation): boolean =>
      sessionId !== session.id && !store.injections.wasShown(session.id, "observation", id);
    const all = store.observations.current(project.id, settings.observations);
    const rows = session.source === "resume" ? all.filter(isNew) : all;
    if (session.source === "resume" && rows.length === 0) return undefined;
    const context = contextOf(project, rows, room);
    if (!context.text) return undefined;
    const share = Math.ceil(context.tokens / Math.max(1, context.shown.length));
    for (const id of context.shown)
      note(moment, "observation", id, `index at ${session.source}`, null, share, nowMs);
    return { context: context.text };
  }

  function contextOf(
    project: ProjectRow,
    rows: readonly Observation[],
    room: number,
    limits: Pick<RecallSettings, "summaries" | "tokens"> = settings,
  ): ReturnType<typeof makeContext> {
    const summaries = store.summaries.recent([project.id], limits.summaries);
    return makeContext({
      project: project.name,
      observations: rows.map(toIndexRow),
      summaries,
      clock: clockFormat,
      budgetTokens: limits.tokens,
      mostCharacters: room,
    });
  }

  function recallPrompt(
    moment: HookMoment,
    { hits, asked }: PromptHits,
    nowMs: number,
  ): Contribution | undefined {
    // Replaced notes are not shown; their successors are, where the search found them, too.
    const candidates = hits
      .filter(
        ({ kind, ref }) => kind !== "observation" || store.observations.byId(ref)?.supersededBy === null,
      )
      .filter((hit) => hit.kind !== "summary" || isNewSummary(moment.session.id, hit))
      .map((hit) => ({ ...hit, body: hit.snippet, outcome: store.recallOutcomes.of(hit.ref) }));
    // The index only names notes: a prompt about one may show it in full (`npm run bench:recall`).
    const chosen = choosePromptRecall(candidates, asked, (ref) =>
      store.injections.wasToldInFull(moment.session.id, ref),
    );
    if (chosen.length === 0) return undefined;
    const whole = chosen.map(
      (hit): Recalled => ({
        ...hit,
        type: hit.kind === "summary" ? "summary" : hit.type,
        body: store.observations.byId(hit.ref)?.narrative ?? hit.snippet,
      }),
    );
    const context = formatPromptRecall(whole);
    for (const { kind, ref, matched, score } of chosen)
      note(
        moment,
        kind,
        ref,
        `prompt: ${matched.slice(0, 8).join(", ")}`,
        score,
        Math.ceil(estimateTokens(context) / chosen.length),
        nowMs,
      );
    return { context };
  }

  /** A summary of another session that says something, and of whose turn no note was shown. */
  function isNewSummary(sessionId: string, { snippet, turnId, ...summary }: Found): boolean {
    const notes = turnId === undefined ? [] : store.observations.ofTurn(turnId);
    return (
      summary.sessionId !== sessionId &&
      snippet.length >= minSummary &&
      !notes.some(({ id }) => store.injections.wasToldInFull(sessionId, id))
    );
  }

  function recallFile(
    moment: HookMoment,
    project: ProjectRow,
    file: string,
    nowMs: number,
  ): Contribution | undefined {
    const { session } = moment;
    const path = makeFileNames(session.project, session.cwd).nameOf(file);
    if (store.injections.wasShown(session.id, "file", path)) return undefined;
    const known = store.observations
      .ofFile([project.id], path, 8)
      .filter(
        ({ id, sessionId, supersededBy }) =>
          supersededBy === null &&
          sessionId !== session.id &&
          !store.injections.wasToldInFull(session.id, id),
      )
      .slice(0, 3);
    if (known.length === 0) return undefined;
    const context = formatFileRecall(
      path,
      known.map((row) => ({ ...row, ref: row.id, body: row.narrative })),
    );
    store.injections.put({
      sessionId: session.id,
      kind: "file",
      ref: path,
      point: moment.event,
      reason: "first look at this file",
      score: null,
      tokens: estimateTokens(context),
      eventId: moment.eventId,
      at: nowMs,
    });
    for (const { id } of known) note(moment, "observation", id, `file ${path}`, null, 0, nowMs);
    return { context };
  }

  function note(
    moment: HookMoment,
    kind: string,
    ref: string,
    reason: string,
    score: number | null,
    tokens: number,
    at: number,
  ): void {
    const { eventId, event: point } = moment;
    store.injections.put({
      sessionId: moment.session.id,
      kind,
      ref,
      point,
      reason,
      score,
      tokens,
      eventId,
      at,
    });
  }

  return {
    prefetch,
    contribute,
    release,
    preview(project, limits) {
      const { observations = settings.observations, summaries = settings.summaries } = limits;
      const { tokens = settings.tokens } = limits;
      const rows = store.observations.current(project.id, observations);
      return contextOf(project, rows, wholeRoom, { summaries, tokens }).text;
    },
  };
}

function toIndexRow({
  id,
  type,
  title,
  tokens,
  createdAt,
  filesModified,
  filesRead,
  worktree,
}: Observation): IndexRow {
  return { id, type, title, tokens, createdAt, file: filesModified[0] ?? filesRead[0] ?? "", worktree };
}

/** Waits, but not longer than a hook can. What is late may still fail: nobody is there to hear it. */
async function within<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  const late = new Promise<undefined>((resolve) => void setTimeout(() => resolve(undefined), ms).unref());
  work.catch(() => {});
  return Promise.race([work, late]);
}
