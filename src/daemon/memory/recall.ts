import { defaultHost } from "../../hosts/hosts.ts";
import type { SearchJob, SearchJobs } from "./search-jobs.ts";
import type { PreparedEvent } from "../../domain/capture/prepare-event.ts";
import type { Context } from "../../domain/memory/context.ts";
import { parsePrompt } from "../../domain/memory/query.ts";
import {
  choosePromptRecall,
  formatFileRecall,
  formatPromptRecall,
  type Recalled,
} from "../../domain/memory/recall.ts";
import { estimateTokens } from "../../domain/memory/tokens.ts";
import { type Clock, localTime } from "../../shared/clock.ts";
import { clip } from "../../shared/text.ts";
import type { Log } from "../../shared/log.ts";
import type { Found } from "../../store/memory-search.ts";
import type { Note } from "../../store/notes.ts";
import { promptTitles } from "../../store/injections.ts";
import type { Store } from "../../store/open-store.ts";
import type { ProjectRow } from "../../store/projects.ts";
import type { Contribution, HookMoment } from "../capture/hook-reply.ts";
import type { JobWorker } from "../runtime/job-worker.ts";
import { valueWithin } from "../runtime/value-within.ts";
import type { EmbedQuery } from "./embed-query.ts";
import type { Distiller } from "./distiller.ts";
import { makeFileNames } from "./file-names.ts";
import { makeStartContext, originOf } from "./start-context.ts";

interface RecallSettings {
  observations: number;
  summaries: number;
  tokens: number;
  prompts: boolean;
  files: boolean;
  /** Whether sessions get notes of machine accounts. */
  machines: boolean;
}

/** Recalls notes at the moments when a session can use them. */
export interface Recall {
  /** Searches before the event's transaction, for no longer than a hook can wait. */
  prefetch(id: string, prepared: PreparedEvent): Promise<void>;
  contribute(moment: HookMoment, nowMs: number, room: number): Contribution | undefined;
  /** Drops the prefetched notes of an event, used or not. */
  release(id: string): void;
  /** The context that a session starting now in `cwd` would get; `limits` override the settings. */
  preview(
    project: ProjectRow,
    limits: Partial<Record<"observations" | "summaries" | "tokens", number | undefined>>,
    cwd: string | null,
  ): Context;
}

export interface RecallDeps {
  store: Store;
  worker: JobWorker<SearchJobs>;
  distiller: Distiller;
  settings: RecallSettings;
  log: Log;
  clock: Clock;
  embedQuery: EmbedQuery;
}

/** Half of this is needed to start the worker if none is running. */
const searchMs = 400;
/** The part of `searchMs` that the embedding endpoint may use. */
const embedMs = 200;
/**
 * A search that takes this long is stuck, and its worker is replaced. A late search is not stopped earlier: starting a
 * new worker would make the next search late too.
 */
const hungMs = 5_000;
/** Room required to recall up to three notes, in characters. */
const maxRecalledLength = 2_000;
/** Characters of a prompt that are shown above its answer. */
const maxTitle = 100;
/** Characters; a shorter summary or answer says little more than "done". */
const minSummary = 40;
/** Kept small: the notes are read while a hook waits. */
const maxSessionNotes = 60;
const catchUpMs = 400;

interface PromptHits {
  hits: Found[];
  /** The search words from the prompt. */
  asked: string[];
}

export function openRecall({ store, worker, distiller, settings, log, embedQuery }: RecallDeps): Recall {
  const found = new Map<string, PromptHits>();

  async function prefetch(id: string, prepared: PreparedEvent): Promise<void> {
    const { event, prompt } = prepared;
    if (event === "session.started") {
      warmSearch();
      await valueWithin(distiller.catchUp(), catchUpMs);
      return;
    }
    if (event !== "prompt" || !settings.prompts || !prompt || prepared.isMachinePrompt) return;
    const project = projectOfSession(prepared.sessionId);
    if (!project) return;
    const query = parsePrompt(prompt);
    if (!query) return;
    const filter = { projectIds: [project.id], kinds: ["observation", "summary", "prompt"] } as const;
    try {
      const hits = await valueWithin(search({ query, filter, limit: 8 }, project), searchMs);
      if (hits) found.set(id, { hits, asked: query.words });
      else log.warn("prompt recall skipped: search timed out", { id, searchMs });
    } catch (error) {
      log.warn("nothing recalled for a prompt", { id, error });
    }
  }

  async function search(job: SearchJob, project: ProjectRow): Promise<Found[]> {
    const wanted = await embedQuery(job.query.text, [project.id], embedMs);
    return worker.call.find({ ...job, wanted }, { timeoutMs: hungMs });
  }

  /** Starts the search worker: a prompt usually follows soon. */
  function warmSearch(): void {
    if (!settings.prompts) return;
    worker.call.warm(undefined).catch((error: unknown) => log.warn("search not ready", { error }));
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
    if (moment.event === "session.started") return recallStart(moment, project, nowMs, room);
    if (room < maxRecalledLength) return undefined;
    if (moment.event === "prompt" && prompted) return recallPrompt(moment, prompted, nowMs);
    const isFileTool = moment.toolKind === "read" || moment.toolKind === "edit";
    return moment.event === "tool.before" && isFileTool && moment.filePath && settings.files
      ? recallFile(moment, project, moment.filePath, nowMs)
      : undefined;
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
    const isResumed = session.source === "resume";
    const context = makeStartContext(store, {
      project,
      worktree: makeFileNames(project.path, session.cwd).worktree,
      ...(isResumed ? { resumed: session.id } : {}),
      limits: settings,
      maxCharacters: room,
      clock: localTime,
      withMachines: settings.machines,
    });
    if (!context.text) return undefined;
    // Spread the cost of the whole text over the notes, so that their tokens add up to what the session received.
    const notes = context.rows.filter(({ kind }) => kind === "note");
    const share = context.tokens / notes.reduce((sum, { tokens }) => sum + tokens, 0);
    for (const { id, section, score, tokens } of notes) {
      const reason = `index at ${session.source}: ${section}`;
      recordInjection(moment, "observation", id, reason, score, Math.round(tokens * share), nowMs);
    }
    return { context: context.text };
  }

  function recallPrompt(
    moment: HookMoment,
    { hits, asked }: PromptHits,
    nowMs: number,
  ): Contribution | undefined {
    // Skip superseded notes; their successors are shown if the search found them as well.
    const candidates = hits
      .filter(({ kind, ref }) => kind !== "observation" || isUsable(store.notes.byId(ref)))
      .filter((hit) => hit.kind === "observation" || isNewSummary(moment.session.id, hit))
      .map((hit) => ({
        ...hit,
        title: hit.kind === "prompt" ? titleOfPrompt(hit.ref) : hit.title,
        body: hit.snippet,
        outcome: store.recallOutcomes.of(hit.ref),
      }));
    // The start context lists notes by title only, so a prompt may still recall a listed note in full (`npm run bench:recall`).
    const chosen = choosePromptRecall(candidates, asked, (ref) =>
      store.injections.wasShownInFull(moment.session.id, ref),
    );
    if (chosen.length === 0) return undefined;
    const full = chosen.map((hit): Recalled => {
      const note = store.notes.byId(hit.ref);
      return {
        ...hit,
        type: hit.kind === "summary" ? "summary" : hit.kind === "prompt" ? "answer" : hit.type,
        body: note?.narrative ?? hit.snippet,
        origin: note && originOf(store, note),
      };
    });
    const context = formatPromptRecall(full);
    for (const { kind, ref, matched, score, isTitleOnly } of chosen)
      recordInjection(
        moment,
        kind,
        ref,
        `prompt: ${matched.slice(0, 8).join(", ")}`,
        score,
        Math.ceil(estimateTokens(context) / chosen.length),
        nowMs,
        isTitleOnly ? promptTitles : moment.event,
      );
    return { context };
  }

  /** An answer is shown under the beginning of its prompt. */
  function titleOfPrompt(eventId: string): string {
    return clip((store.turns.findHumanPrompt(eventId)?.text ?? "").replace(/\s+/g, " ").trim(), maxTitle);
  }

  /** An informative summary or answer of another session, unless a note of its turn or session is already shown. */
  function isNewSummary(sessionId: string, { kind, snippet, turnId, ...summary }: Found): boolean {
    const text = kind !== "prompt" || turnId === undefined ? snippet : store.turns.answerOf(turnId);
    const notes =
      turnId === undefined
        ? store.notes.ofSession(summary.sessionId ?? "", maxSessionNotes)
        : store.notes.ofTurn(turnId);
    return (
      summary.sessionId !== sessionId &&
      (text?.length ?? 0) >= minSummary &&
      !notes.some(({ id }) => store.injections.wasShownInFull(sessionId, id))
    );
  }

  /** Current, and by a person unless machines are allowed. */
  function isUsable(note: Note | undefined): boolean {
    return note?.supersededBy === null && (settings.machines || !note.byMachine);
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
    const known = store.notes
      .ofFile([project.id], path, 8)
      .filter(
        (note) =>
          isUsable(note) &&
          note.sessionId !== session.id &&
          !store.injections.wasShownInFull(session.id, note.id),
      )
      .slice(0, 3);
    if (known.length === 0) return undefined;
    const context = formatFileRecall(
      path,
      known.map((row) => ({ ...row, ref: row.id, body: row.narrative, origin: originOf(store, row) })),
    );
    store.injections.put({
      sessionId: session.id,
      kind: "file",
      ref: path,
      point: moment.event,
      reason: "first use of this file",
      score: null,
      tokens: estimateTokens(context),
      eventId: moment.eventId,
      at: nowMs,
    });
    for (const { id } of known) recordInjection(moment, "observation", id, `file ${path}`, null, 0, nowMs);
    return { context };
  }

  function recordInjection(
    moment: HookMoment,
    kind: string,
    ref: string,
    reason: string,
    score: number | null,
    tokens: number,
    at: number,
    point: string = moment.event,
  ): void {
    const { eventId } = moment;
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
    preview: (project, limits, cwd) =>
      makeStartContext(store, {
        project,
        worktree: cwd === null ? null : makeFileNames(project.path, cwd).worktree,
        limits: {
          observations: limits.observations ?? settings.observations,
          summaries: limits.summaries ?? settings.summaries,
          tokens: limits.tokens ?? settings.tokens,
        },
        maxCharacters: defaultHost.replies.contextLimit("session.started"),
        clock: localTime,
        withMachines: settings.machines,
      }),
  };
}
