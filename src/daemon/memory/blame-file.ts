import { basename, dirname, resolve } from "node:path";
import { realpathSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { indexEdit, judgeIndexed, listLineKeys } from "../../domain/memory/line-origin.ts";
import { hostFor } from "../../hosts/hosts.ts";
import type { BlameFileView, EditedFilesView } from "../../protocol/blame.ts";
import { redactText } from "../../redact/redact-text.ts";
import { AppError } from "../../shared/errors.ts";
import { parseJson } from "../../shared/json.ts";
import { readSmallFile } from "../../shared/regular-file.ts";
import { readEditCounts, readEdits, readPayload, readSessionsOf } from "../../store/edits.ts";
import type { Store } from "../../store/open-store.ts";
import type { ProjectRow } from "../../store/projects.ts";
import type { Database } from "../../sqlite/sqlite.ts";
import { folderOf, locateProject } from "../identity/project.ts";
import type { JobWorker } from "../runtime/job-worker.ts";
import { isSameFile, type Origin, placeInCheckout, viewOrigin } from "./blame.ts";

export interface BlameFileJobs {
  blameFile(job: BlameFileJob): Promise<FileOrigins>;
  editedFiles(projects: string[]): Promise<EditedFilesView["files"]>;
}

interface BlameFileJob {
  projects: string[];
  file: string;
  root: string;
  path: string;
}

/** `missing`: no session has edited the file; `unreadable`: it is gone, too large or not text. */
type FileOrigins =
  | { state: "missing" }
  | { state: "unreadable" }
  | { state: "found"; lines: BlameFileView["lines"]; origins: Origin[]; isCut: boolean };

const maxBytes = 1_000_000;
const maxLines = 4_000;
const maxEdits = 1_000;

/**
 * The lines of a file with their origins. Only files of the project that a session has edited can be read, so that the
 * API does not open the rest of the disk.
 */
export async function blameFile(
  store: Store,
  worker: JobWorker<BlameFileJobs>,
  project: ProjectRow,
  name: string,
): Promise<BlameFileView> {
  const file = resolve(folderOf(project.path), name);
  const { root, path } = placeInCheckout(file);
  const notFound = (): AppError =>
    new AppError("origin_not_found", `No session of ${project.name} has edited ${path}.`);
  if (!isOfProject(file, project)) throw notFound();
  const job: BlameFileJob = { projects: [project.path], file, root, path };
  const found = await worker.call.blameFile(job, { timeoutMs: 10_000 });
  if (found.state === "missing") throw notFound();
  if (found.state === "unreadable")
    throw new AppError("file_not_found", `${path} no longer exists, or it is too large or not a text.`);
  const { lines, origins, isCut } = found;
  return { file: path, lines, origins: origins.map((origin) => viewOrigin(store, origin, path)), isCut };
}

/** The file itself, not only its name: a link may lead out of the project. */
function isOfProject(file: string, { path }: ProjectRow): boolean {
  try {
    return locateProject(dirname(realpathSync(file))).key === path;
  } catch {
    return locateProject(dirname(file)).key === path; // It was deleted.
  }
}

/** Searches the edits newest first, until every line has one that added it. Yields in between. */
export async function findFileOrigins(db: Database, job: BlameFileJob): Promise<FileOrigins> {
  const { projects, file, root, path } = job;
  const edits = [];
  for (const { id, host } of readSessionsOf(db, projects)) {
    const own = readEdits(db, id, basename(path)).filter((edit) => isSameFile(edit.path, root, path));
    edits.push(...own.map((edit) => ({ edit, tools: hostFor(host).tools })));
    await setImmediate();
  }
  if (edits.length === 0) return { state: "missing" };
  const raw = readSmallFile(file, maxBytes);
  if (raw === undefined || raw.includes("\0")) return { state: "unreadable" };
  // Stored edits are redacted, so the file is compared in the same form.
  const all = redactText(raw).text.replace(/\n$/, "").split(/\r?\n/);
  const texts = all.slice(0, maxLines);
  const keys = texts.map((_, at) => listLineKeys(texts, at));
  const added = new Map<number, Origin>();
  const kept = new Map<number, Origin>();
  for (const { edit, tools } of edits.toSorted((a, b) => b.edit.at - a.edit.at).slice(0, maxEdits)) {
    if (added.size === texts.length) break;
    const fields = parseJson(readPayload(db, edit.seq)) as Record<string, unknown>;
    const changes = indexEdit(tools.changesOf(edit.tool, fields.tool_input, fields.tool_response));
    for (const [at, own] of keys.entries()) {
      if (added.has(at) || own.length === 0) continue;
      const match = judgeIndexed(changes, own);
      const { turnId, sessionId, subagentId, tool } = edit;
      const origin = { turnId, sessionId, subagentId, tool, at: edit.at };
      if (match === "added") added.set(at, { ...origin, match });
      else if (match === "kept" && !kept.has(at)) kept.set(at, { ...origin, match });
    }
    await setImmediate();
  }
  const origins: Origin[] = [];
  const numbers = new Map<string, number>();
  const lines = texts.map((text, at) => {
    const origin = added.get(at) ?? kept.get(at);
    if (!origin) return { text, origin: null, isGuess: false };
    const key = `${origin.turnId ?? origin.sessionId} ${origin.match}`;
    const number = numbers.get(key) ?? origins.push(origin) - 1;
    numbers.set(key, number);
    return { text, origin: number, isGuess: origin.match !== "added" };
  });
  return { state: "found", lines, origins, isCut: all.length > texts.length };
}

const maxSessions = 500;
const maxFiles = 1_000;

/** The files that the latest sessions of these projects edited, last edit first. Yields in between. */
export async function listEditedFiles(db: Database, projects: string[]): Promise<EditedFilesView["files"]> {
  const files = new Map<string, EditedFilesView["files"][number]>();
  for (const { id } of readSessionsOf(db, projects).slice(0, maxSessions)) {
    for (const { path, edits, lastAt } of readEditCounts(db, id)) {
      const known = files.get(path) ?? { path, edits: 0, sessions: 0, lastAt: 0 };
      const newest = Math.max(known.lastAt, lastAt);
      files.set(path, { path, edits: known.edits + edits, sessions: known.sessions + 1, lastAt: newest });
    }
    await setImmediate();
  }
  return [...files.values()].toSorted((a, b) => b.lastAt - a.lastAt).slice(0, maxFiles);
}
