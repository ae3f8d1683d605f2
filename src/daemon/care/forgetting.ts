import { rmSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Home } from "../../config/home.ts";
import { makePathPattern, makePhrasePattern } from "../../domain/memory/forget-pattern.ts";
import { forgetKinds, type ForgetReport, type ForgetRequest } from "../../protocol/care.ts";
import type { Clock } from "../../shared/clock.ts";
import { AppError } from "../../shared/errors.ts";
import { type Log, scrubFile } from "../../shared/log.ts";
import { forgetProjectFrame, makeForgetters } from "../../store/forget-rows.ts";
import type { Store } from "../../store/open-store.ts";
import type { ProjectRow } from "../../store/projects.ts";
import type { Document, ForgetTarget } from "../../store/select-forgotten.ts";
import type { Selection } from "../../store/word-places.ts";
import type { Bus } from "../bus.ts";
import type { JobWorker } from "../job-worker.ts";
import { makeProjectFinder } from "../memory/find-project.ts";
import type { Found } from "./find-forgotten.ts";
import { inSlices, untilDone } from "./in-slices.ts";

/** Removes every trace of something from this home, and sees to it that it does not come back. There is no undo. */
export interface Forgetting {
  forget(request: ForgetRequest): Promise<ForgetReport>;
}

export interface ForgettingDeps {
  store: Store;
  home: Home;
  bus: Bus;
  log: Log;
  clock: Clock;
  worker: JobWorker;
  waitingHooks(): number;
  /** Takes in what waits in the spool: it may tell of it, too. */
  sweep(): Promise<number>;
  /** Takes it out of what was written into folders. */
  refreshFolders(): Promise<void>;
}

/** For this long the words are turned away wherever they come from: the session that asked repeats them. */
const turnAwayMs = 3_600_000;
const mostPasses = 5;

export function openForgetting(deps: ForgettingDeps): Forgetting {
  const { store, home, bus, log, clock, worker } = deps;
  const { projectOf } = makeProjectFinder(store, clock);
  const forgetters = makeForgetters(store.db, store.index);
  let running: Promise<unknown> = Promise.resolve();

  function resolveTarget({ ids, query, file, project, from, to }: ForgetRequest): ForgetTarget {
    const where = project === undefined ? undefined : projectOf(project);
    if (ids) return { by: "documents", documents: ids.map(findDocument) };
    if (query !== undefined)
      return { by: "words", pattern: makePhrasePattern(query), ...(where ? { project: where } : {}) };
    if (file !== undefined && where) {
      const path = withinProject(file, where);
      return { by: "file", path, pattern: makePathPattern(path), project: where };
    }
    const span = { from: from ?? 0, to: Math.min(to ?? Number.MAX_SAFE_INTEGER, clock()) };
    return { by: "span", ...span, ...(where ? { project: where } : {}) };
  }

  /** A whole id, or the end of one that fits only one. */
  function findDocument(id: string): Document {
    const found = store.db.all<Document>(
      "SELECT kind, ref AS id FROM memory_rows WHERE ref = ?1 OR substr(ref, -length(?1)) = ?1 LIMIT 3",
      id,
    );
    const exact = found.find((document) => document.id === id);
    if (exact) return exact;
    if (!found[0]) throw new AppError("observation_not_found", `There is no observation ${id}.`);
    if (found[1]) throw new AppError("invalid_argument", `${id} fits several: use more of the id.`);
    return found[0];
  }

  async function forget(request: ForgetRequest): Promise<ForgetReport> {
    const startedAt = clock();
    const target = resolveTarget(request);
    if (!request.dryRun) await deps.sweep();
    const found = await worker.run<Found>("findForgotten", target);
    const report = makeReport(found, request.dryRun);
    if (request.dryRun) {
      if (target.by === "words") report.files = await filesWith(target.pattern);
      return { ...report, tookMs: clock() - startedAt };
    }
    const source = sourceOf(target);
    const readFiles = target.by === "span" && target.project ? filesOf(target.project) : [];
    remember(target, found);
    await remove(found.selection);
    if (target.by === "words" || target.by === "file") await removeRest(target, report);
    await deps.refreshFolders();
    if (target.by === "span" && target.project) removeFrame(target.project, readFiles);
    if (source !== undefined) await scrubFiles(source, report);
    await erase([...(source === undefined ? [] : [source]), ...found.words.map(makePhrasePattern)], report);
    const isEverywhere = target.by !== "words" || target.project === undefined;
    if (source !== undefined && isEverywhere) report.remaining = await filesWith(source);
    bus.drop((event) => event.type === "observation.stored");
    const { removed, turns, files, logLines, vacuumed } = report;
    log.info("forgotten", { by: target.by, removed, turns, files: files.length, logLines, vacuumed });
    return { ...report, titles: [], tookMs: clock() - startedAt };
  }

  /** First: from here on nothing of it can come in again while the rest is being removed. */
  function remember(target: ForgetTarget, { names }: Found): void {
    const at = clock();
    store.db.transaction(() => {
      store.tombstones.add(names, at);
      if (target.by === "span")
        store.tombstones.addSpan({ project: target.project?.path, from: target.from, to: target.to }, at);
    });
    if (target.by === "words" && !target.project)
      store.tombstones.turnAway(new RegExp(target.pattern, "iu"), at + turnAwayMs);
  }

  async function remove(selection: Selection): Promise<void> {
    for (const kind of Object.keys(forgetters) as (keyof typeof forgetters)[])
      await inSlices(deps, selection[kind], forgetters[kind]);
  }

  /** What came in while we looked. */
  async function removeRest(target: ForgetTarget, report: ForgetReport): Promise<void> {
    for (let pass = 1; pass < mostPasses; pass++) {
      const found = await worker.run<Found>("findForgotten", target);
      if (forgetKinds.every((kind) => found.selection[kind].size === 0)) return;
      remember(target, found);
      await remove(found.selection);
      for (const kind of forgetKinds) report.removed[kind] += found.selection[kind].size;
    }
  }

  function filesOf({ path }: { path: string }): string[] {
    return store.db
      .all<{ path: string }>(
        "SELECT transcript_path AS path FROM sessions WHERE project = ? AND transcript_path IS NOT NULL",
        path,
      )
      .map((session) => session.path);
  }

  function removeFrame(project: { id: string; path: string }, readFiles: readonly string[]): void {
    store.db.transaction(() => {
      forgetProjectFrame(store.db, project);
      for (const path of readFiles) store.imports.remove(path);
    });
  }

  /** What to look for in files that are no tables; undefined where nothing but the rows can tell. */
  function sourceOf(target: ForgetTarget): string | undefined {
    if (target.by === "words" || target.by === "file") return target.pattern;
    if (target.by !== "span" || !target.project) return undefined;
    const { path } = target.project;
    const agents = store.agents.ofProject(path).map(({ name }) => `"agent":"${makePhrasePattern(name)}"`);
    return [makePathPattern(folderOf(path)), ...agents].join("|");
  }

  const filesWith = (source: string): Promise<string[]> =>
    worker.run<string[]>("findFilesWith", { root: home.root, source });

  async function scrubFiles(source: string, report: ForgetReport): Promise<void> {
    const pattern = new RegExp(source, "iu");
    report.logLines = log.scrub(pattern) + scrubFile(home.bootLog, pattern);
    const own = [home.rejected, home.reply].map((folder) => `${basename(folder)}${sep}`);
    for (const file of await filesWith(source)) {
      // A database that was set aside as damaged cannot be searched through row by row.
      const isOurs = own.some((folder) => file.startsWith(folder)) || file.includes(".db.damaged-");
      if (!isOurs) continue;
      rmSync(join(home.root, file), { force: true });
      report.files.push(file);
    }
  }

  /** The rows are gone; now the bytes. */
  async function erase(sources: readonly string[], report: ForgetReport): Promise<void> {
    await untilDone(deps, (isFirst) => store.upkeep.mergeIndex(isFirst));
    await checkpoint();
    if (sources.length === 0) return;
    const job = { database: home.database, source: sources.join("|") };
    if (!(await worker.run<boolean>("hasResidue", job))) return;
    store.upkeep.vacuum();
    report.vacuumed = true;
    await checkpoint();
  }

  /** A reader may be in the way for a moment. */
  async function checkpoint(): Promise<void> {
    for (let attempt = 0; attempt < 50; attempt++) {
      if (store.upkeep.checkpoint()) return;
      await pause(100);
    }
    log.warn("the database's log could not be emptied: a reader holds it");
  }

  return {
    forget(request) {
      const result = running.then(() => forget(request));
      running = result.catch(() => undefined); // Its caller hears of it; the next one is not concerned.
      return result;
    },
  };
}

function makeReport({ selection, titles }: Found, dryRun: boolean): ForgetReport {
  const counts = Object.fromEntries(forgetKinds.map((kind) => [kind, selection[kind].size]));
  return {
    ...{ dryRun, titles, turns: selection.turns.size, removed: counts as ForgetReport["removed"] },
    ...{ logLines: 0, files: [], remaining: [], vacuumed: false, tookMs: 0 },
  };
}

function folderOf(projectPath: string): string {
  return basename(projectPath) === ".git" ? dirname(projectPath) : projectPath;
}

function withinProject(file: string, { path }: ProjectRow): string {
  if (!isAbsolute(file)) return file.replace(/^\.[\\/]/, "");
  const inside = relative(folderOf(path), file);
  return inside.startsWith("..") ? file : inside.split(sep).join("/");
}
