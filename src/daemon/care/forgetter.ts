import { makePathPattern, makePhrasePattern } from "../../domain/memory/forget-pattern.ts";
import type { ErasureRequest } from "../../homeserver/contract.ts";
import { forgetKinds, type ForgetReport, type ForgetRequest } from "../../protocol/care.ts";
import { AppError } from "../../shared/errors.ts";
import { parseJson } from "../../shared/json.ts";
import { eraseBytes } from "../../sqlite/erase-bytes.ts";
import { makeForgetters } from "../../store/forget-rows.ts";
import type { ForgettingRow } from "../../store/forgettings.ts";
import type { ForgetTarget } from "../../store/select-forgotten.ts";
import type { Selection } from "../../store/selection.ts";
import type { JobWorker } from "../runtime/job-worker.ts";
import { makePace } from "../runtime/pace.ts";
import { folderOf } from "../identity/project.ts";
import { keepStaleSessions } from "../memory/keep-session.ts";
import type { ForgottenRows } from "./find-forgotten.ts";
import { makeTargetReader } from "./forget-target.ts";
import type { HomeFiles } from "./home-files.ts";
import { runInSlices, type SliceDeps } from "../runtime/run-in-slices.ts";
import type { MatrixEraser } from "../matrix/matrix-eraser.ts";
import { mergeErasures, planErasure } from "./plan-erasure.ts";
import { readRemains, removeRemains } from "./project-remains.ts";
import { makeRechecks } from "./rechecks.ts";
import type { Store } from "../../store/open-store.ts";
import type { DaemonContext } from "../runtime/context.ts";

export interface ForgetJobs {
  findForgotten(target: ForgetTarget): Promise<ForgottenRows>;
}

/** Deletes every trace of something from this home and prevents it from coming back. There is no undo. */
export interface Forgetter {
  forget(request: ForgetRequest): Promise<ForgetReport>;
  /** Like `forget`, for a resolved target. */
  forgetTarget(target: ForgetTarget): Promise<ForgetReport>;
  /** Continues deletions that were interrupted or could not be completed. */
  finishInterrupted(): Promise<void>;
  /**
   * Deletes occurrences of the words that arrived during their deletion. Returns false when there is nothing to check.
   */
  recheck(): Promise<boolean>;
  /** Runs other work while nothing is being deleted. */
  runExclusive<T>(work: () => Promise<T>): Promise<T>;
}

interface ForgettingDeps extends SliceDeps, Pick<DaemonContext, "bus" | "log" | "clock"> {
  worker: JobWorker<ForgetJobs>;
  files: HomeFiles;
  matrix: MatrixEraser;
  /** Stores spooled events first, because they may contain the text. */
  sweep(): Promise<number>;
  /** Removes the text from sections in folders. */
  refreshFolders(): Promise<void>;
  /** Deletes the backup of the database; the next one is made from the remaining data. */
  dropBackup(): void;
}

/** For this long the words are rejected from every source, because the session that asked repeats them. */
const rejectMs = 3_600_000;
const maxPasses = 5;

export function openForgetter(deps: ForgettingDeps): Forgetter {
  const { store, bus, log, clock, worker, files, matrix } = deps;
  const readTarget = makeTargetReader(store, clock);
  const forgetters = makeForgetters(store.db, store.index);
  let running: Promise<unknown> = Promise.resolve();
  /** By pattern. In memory only: the words themselves must not be stored. */
  const rechecks = makeRechecks();

  /** Runs one deletion at a time: each checks what is left, and two would interfere. */
  function runExclusive<T>(work: () => Promise<T>): Promise<T> {
    const result = running.then(work);
    running = result.catch(() => undefined); // The caller gets the error; the next deletion runs anyway.
    return result;
  }

  const find = (target: ForgetTarget): Promise<ForgottenRows> => worker.call.findForgotten(target);

  async function preview(target: ForgetTarget): Promise<ForgetReport> {
    const startedAt = clock();
    const found = await find(target);
    const report: ForgetReport = {
      ...makeReport(true),
      ...countRows(store, found.selection),
      titles: found.titles,
    };
    const savePlan = planErasure(store, target, found.selection);
    report.homeserver = (await matrix.erase({ ...savePlan, isRehearsal: true }).catch(ignoreMissing)) ?? null;
    if (target.by === "words") report.files = await files.find(target.pattern);
    return { ...report, tookMs: clock() - startedAt };
  }

  /** The deletion is recorded first, so that it is completed even after a crash. */
  async function run(target: ForgetTarget): Promise<ForgetReport> {
    const startedAt = clock();
    const report = makeReport(false);
    const isEverywhere = target.by !== "words" || target.project === undefined;
    const source = isEverywhere ? sourceOf(target) : undefined;
    const row = store.forgettings.begin(target, startedAt);
    await runSteps(row, report);
    if (source !== undefined) {
      report.remaining = await files.find(source);
      rechecks.add(source, target);
    }
    const { removed, turns, logLines, homeserver } = report;
    log.info("forgotten", {
      by: target.by,
      removed,
      turns,
      files: report.files.length,
      logLines,
      homeserver,
    });
    return { ...report, tookMs: clock() - startedAt };
  }

  async function runSteps(row: ForgettingRow, report: ForgetReport): Promise<void> {
    if (row.target) await removeRows(row, row.target, report);
    const isErased = await eraseInRooms(row, report);
    if (!row.target && !isErased) return; // Nothing else is left to do.
    deps.dropBackup();
    if (row.target) {
      // Remove rows that arrived during the search, and messages that a room sent again.
      if (row.target.by === "words" || row.target.by === "file")
        await removeOutsideStore(row, row.target, report);
      store.forgettings.markRowsRemoved(row.id);
      await keepStaleSessions(store, makePace(deps.waitingHooks));
    }
    const { isComplete } = await eraseBytes(store.upkeep, makePace(deps.waitingHooks).yieldToHooks);
    if (!isComplete) log.warn("bytes of the forgotten text may be left: the database is being read");
    if (isErased && isComplete) store.forgettings.end(row.id);
    bus.drop(({ type }) => quoting.has(type));
  }

  async function removeRows(row: ForgettingRow, target: ForgetTarget, report: ForgetReport): Promise<void> {
    await deps.sweep();
    const found = await find(target);
    Object.assign(report, countRows(store, found.selection));
    const source = sourceOf(target);
    const project = target.by === "span" ? target.project : undefined;
    const before = project && readRemains(store, project);
    writeTombstones(row, target, found);
    await remove(found.selection);
    await deps.refreshFolders();
    if (project && before)
      store.db.transaction(() => {
        const isWhole = target.by === "span" && target.isWhole;
        const farewell = removeRemains(store, project, { before, isWhole, userIdOf: matrix.userIdOf });
        plan(row, mergeErasures(farewell, readPlan(row)));
      });
    if (source === undefined) return;
    const { media, ...scrubbed } = await files.scrub(source);
    Object.assign(report, scrubbed);
    if (target.by === "words") plan(row, { ...readPlan(row), media });
  }

  /** Runs first, so that nothing can be stored again while the rest is deleted. */
  function writeTombstones(
    row: ForgettingRow,
    target: ForgetTarget,
    { names, selection }: ForgottenRows,
  ): void {
    const at = clock();
    store.db.transaction(() => {
      store.tombstones.add(names, at);
      if (target.by === "span")
        store.tombstones.addSpan({ project: target.project?.path, from: target.from, to: target.to }, at);
      plan(row, mergeErasures(readPlan(row), planErasure(store, target, selection)));
    });
    if (target.by === "words" && !target.project)
      store.tombstones.rejectPhrase(new RegExp(target.pattern, "iu"), at + rejectMs);
  }

  function plan(row: ForgettingRow, erasure: ErasureRequest | null): void {
    row.erasure = erasure && JSON.stringify(erasure);
    store.forgettings.setErasure(row.id, row.erasure);
  }

  async function remove(selection: Selection): Promise<void> {
    for (const kind of Object.keys(forgetters) as (keyof typeof forgetters)[])
      await runInSlices(deps, selection[kind], forgetters[kind]);
  }

  async function removeOutsideStore(
    row: ForgettingRow,
    target: ForgetTarget,
    report: ForgetReport,
  ): Promise<void> {
    for (let pass = 1; pass < maxPasses; pass++) {
      const found = await find(target);
      if (forgetKinds.every((kind) => rowsOf(found.selection, kind).size === 0)) return;
      writeTombstones(row, target, found);
      await remove(found.selection);
      await eraseInRooms(row, report);
      for (const kind of forgetKinds) report.removed[kind] += rowsOf(found.selection, kind).size;
    }
  }

  /** Returns false while the homeserver cannot be reached; it is retried later. */
  async function eraseInRooms(row: ForgettingRow, report: ForgetReport): Promise<boolean> {
    if (row.erasure === null) return true;
    try {
      const erased = await matrix.erase(readPlan(row));
      plan(row, null);
      if (!erased) return true;
      const { events, media, rows } = report.homeserver ?? { events: 0, media: 0, rows: 0 };
      report.homeserver = {
        events: events + erased.events,
        media: media + erased.media,
        rows: rows + erased.rows,
      };
      return true;
    } catch (error) {
      log.warn("the homeserver has not deleted it yet", { error });
      return false;
    }
  }

  async function recheck(): Promise<boolean> {
    for (const [source, target] of rechecks.list()) {
      const left = await files.find(source);
      const next = rechecks.judge(source, left.length);
      if (next === "delete") await run(target);
      else if (next === "give up") log.warn("forgotten words are left", { files: left });
    }
    return rechecks.count() > 0;
  }

  /** The pattern to search for in files; undefined if only database rows can match. */
  function sourceOf(target: ForgetTarget): string | undefined {
    if (target.by === "words" || target.by === "file") return target.pattern;
    if (target.by !== "span" || !target.project) return undefined;
    const { path } = target.project;
    const agents = store.agents.ofProject(path).map(({ name }) => `"agent":"${makePhrasePattern(name)}"`);
    return [makePathPattern(folderOf(path)), ...agents].join("|");
  }

  const forgetTarget = (target: ForgetTarget): Promise<ForgetReport> => runExclusive(() => run(target));
  return {
    forget: (request) =>
      request.dryRun
        ? runExclusive(() => preview(readTarget(request)))
        : runExclusive(() => run(readTarget(request))),
    forgetTarget,
    runExclusive,
    recheck: () => runExclusive(recheck),
    finishInterrupted: () =>
      runExclusive(async () => {
        for (const row of store.forgettings.all()) await runSteps(row, makeReport(false));
      }),
  };
}

/** Announced events that quote titles and could be replayed to a resuming client. */
const quoting = new Set(["observation.stored", "question.opened", "question.settled", "task.changed"]);

function readPlan({ erasure }: ForgettingRow): ErasureRequest {
  return erasure === null ? {} : (parseJson(erasure) as ErasureRequest);
}

function ignoreMissing(error: unknown): undefined {
  if (!(error instanceof AppError) || error.kind !== "unavailable") throw error;
}

/** An empty report. */
function makeReport(dryRun: boolean): ForgetReport {
  const none = Object.fromEntries(forgetKinds.map((kind) => [kind, 0]));
  return {
    dryRun,
    titles: [],
    turns: 0,
    removed: none as ForgetReport["removed"],
    waiting: 0,
    homeserver: null,
    hub: null,
    logLines: 0,
    files: [],
    remaining: [],
    tookMs: 0,
  };
}

/** The rows of one kind; the store calls notes observations. */
function rowsOf(selection: Selection, kind: (typeof forgetKinds)[number]): Selection["titles"] {
  return selection[kind === "notes" ? "observations" : kind];
}

/** How many rows of each kind will be removed. Open questions are not removed yet. */
function countRows(store: Store, selection: Selection): Pick<ForgetReport, "turns" | "removed" | "waiting"> {
  const sizes = Object.fromEntries(forgetKinds.map((kind) => [kind, rowsOf(selection, kind).size]));
  const removed = sizes as ForgetReport["removed"];
  const open = [...selection.questions].filter((id) => store.questions.byId(id)?.state === "open");
  removed.questions -= open.length;
  return { turns: selection.turns.size, removed, waiting: open.length };
}
