import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { makeFolderLines } from "../../domain/memory/folder-section.ts";
import type { FolderFilesView, FoldersReport, FoldersRequest } from "../../protocol/care.ts";
import { localTime } from "../../shared/clock.ts";
import { AppError } from "../../shared/errors.ts";
import type { ProjectRow } from "../../store/projects.ts";
import { findOrCreateProject } from "../identity/project-registry.ts";
import type { Git } from "../identity/git.ts";
import { locateCheckout, locateProject, realPath } from "../identity/project.ts";
import { collectRows } from "./collect-rows.ts";
import { listFolderFiles } from "./list-folder-files.ts";
import { writeSection } from "./write-section.ts";
import { readGitFolder } from "../identity/git-folder.ts";
import type { DaemonContext } from "../runtime/context.ts";

/** Keeps sections about a folder's files in its `CLAUDE.md`, in projects where the user enabled it. */
interface Folders {
  run(request: FoldersRequest): Promise<FoldersReport>;
  list(): FolderFilesView;
  /** Rewrites the sections after notes were forgotten, whether or not folders are enabled. */
  refresh(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

interface FoldersDeps extends Pick<DaemonContext, "store" | "bus" | "log" | "clock"> {
  git: Git;
  /** Maximum number of notes in a section. */
  maxNotes: number;
}

/** The notes of a turn arrive together: one write covers them all. */
const settleMs = 2_000;

export function openFolders({ store, bus, log, clock, git, maxNotes }: FoldersDeps): Folders {
  const timers = new Map<string, NodeJS.Timeout>();
  let running: Promise<unknown> = Promise.resolve();
  let unsubscribe = (): void => {};

  /** Runs one job at a time: two writers of one file would overwrite each other. */
  function queue<T>(work: () => Promise<T>): Promise<T> {
    const result = running.then(work);
    running = result.catch(() => undefined); // The caller gets the error; the next run is not affected.
    return result;
  }

  /** Writes current notes and removes outdated sections. If folders are off, only changes files that have a section. */
  async function sync(
    project: ProjectRow,
    root: string,
    { isOn, dryRun }: { isOn: boolean; dryRun: boolean },
  ): Promise<FoldersReport> {
    const tracked = await listTracked(git, root);
    const contains = (file: string): boolean => tracked?.has(file) ?? isOwnFile(root, file);
    const rows = collectRows(store, project.id, { root, contains });
    const ours = store.folderFiles.ofProject(project.id).filter((file) => file.root === root);
    const known = new Set(ours.map(({ path }) => path));
    const folders = new Set([...(isOn ? rows.keys() : []), ...known]);
    const report = makeReport(project, dryRun, isOn);
    for (const folder of folders) {
      const about = rows.get(folder);
      write(report, project, root, folder, about && makeFolderLines(about, localTime, maxNotes));
    }
    return report;
  }

  function write(
    report: FoldersReport,
    project: ProjectRow,
    root: string,
    folder: string,
    lines: string[] | undefined,
  ): void {
    const written = writeSection(root, folder, lines, report.dryRun);
    const file = join(root, folder, "CLAUDE.md");
    if (written.did === "unchanged") report.unchanged += 1;
    else report.changes.push({ file, ...written });
    if (report.dryRun || written.did === "left alone") return;
    if (lines) store.folderFiles.put(project.id, { root, path: folder });
    else store.folderFiles.remove({ root, path: folder });
  }

  /** Removes every known section in all checkouts, and any other section in tracked folders of this one. */
  async function removeSections(project: ProjectRow, root: string, dryRun: boolean): Promise<FoldersReport> {
    const report = makeReport(project, dryRun, false);
    const tracked = await listTracked(git, root);
    const here = [...(tracked ?? [])].flatMap((file) => file.split("/").slice(0, -1).join("/") || []);
    const all = new Map(
      [...store.folderFiles.ofProject(project.id), ...here.map((path) => ({ root, path }))].map((file) => [
        JSON.stringify([file.root, file.path]),
        file,
      ]),
    );
    for (const file of all.values()) write(report, project, file.root, file.path, undefined);
    return report;
  }

  /** `isOn`: after the action. */
  function makeReport({ name }: ProjectRow, dryRun: boolean, isOn: boolean): FoldersReport {
    return { project: name, isOn, dryRun, changes: [], unchanged: 0 };
  }

  async function runAction({ action, folder, dryRun }: FoldersRequest): Promise<FoldersReport> {
    const root = locateRoot(folder);
    if (root === dirname(root) || root === realPath(homedir()))
      throw new AppError("invalid_argument", `${root} is not a project. Run this in a project's folder.`);
    const project = findOrCreateProject(store, locateProject(root).key, clock());
    const isOn = action === "on" || store.projects.hasFolders(project.id);
    if (!dryRun && action !== "sync") store.projects.setFolders(project.id, action === "on");
    if (action === "clean") return removeSections(project, root, dryRun);
    if (action === "off") return makeReport(project, dryRun, false);
    return sync(project, root, { isOn, dryRun });
  }

  function scheduleRefresh(sessionId: string | null): void {
    const session = sessionId === null ? undefined : store.sessions.byId(sessionId);
    const project = session && store.projects.byPath(session.project);
    const root = session?.cwd && existsSync(session.cwd) ? locateRoot(session.cwd) : undefined;
    if (!project || project.mode === "off" || root === undefined || timers.has(root)) return;
    if (!store.projects.hasFolders(project.id)) return;
    const timer = setTimeout(() => {
      timers.delete(root);
      queue(() => sync(project, root, { isOn: true, dryRun: false })).catch((error: unknown) =>
        log.error("folders not written", { root, error }),
      );
    }, settleMs);
    timers.set(root, timer.unref());
  }

  async function refreshAll(): Promise<void> {
    for (const project of store.folderFiles.projects().flatMap((id) => store.projects.byId(id) ?? []))
      for (const root of new Set(store.folderFiles.ofProject(project.id).map((file) => file.root)))
        try {
          await sync(project, root, { isOn: false, dryRun: false });
        } catch (error) {
          // Most likely the worktree was deleted.
          log.warn("folders not written", { root, error });
        }
  }

  return {
    run: (request) => queue(() => runAction(request)),
    list: () => listFolderFiles(store.folderFiles, store.projects),
    refresh: () => queue(refreshAll),
    start() {
      unsubscribe = bus.subscribe(({ event }) => {
        if (event.type === "observation.stored") scheduleRefresh(event.sessionId);
      });
    },
    async stop() {
      unsubscribe();
      for (const timer of timers.values()) clearTimeout(timer);
      await running;
    },
  };
}

/** The checkout; without git, the folder itself, which is then the project. */
function locateRoot(folder: string): string {
  return locateCheckout(folder) ?? realPath(folder);
}

/** Without git, every existing file, except in hidden folders and those of package managers. */
function isOwnFile(root: string, file: string): boolean {
  const folders = file.split("/").slice(0, -1);
  const isForeign = folders.some((name) => name.startsWith(".") || name === "node_modules");
  return !isForeign && !isAbsolute(file) && existsSync(join(root, file));
}

/**
 * The files that git tracks in a checkout, relative to its root, with `/`. Names may contain any character except NUL.
 * Undefined without git.
 */
async function listTracked(git: Git, root: string): Promise<Set<string> | undefined> {
  if (locateCheckout(root) === undefined) return undefined;
  if (readGitFolder(root) === "unverified")
    throw new AppError(
      "invalid_argument",
      `${root}/.git names a repository that does not point back to it. If you moved this worktree, run: git worktree repair`,
    );
  const output = await git(root, ["ls-files", "-z"]);
  return new Set(output.split("\0").filter(Boolean));
}
