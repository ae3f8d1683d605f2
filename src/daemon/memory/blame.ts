import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { setImmediate } from "node:timers/promises";
import { judgeEdit, readNotebookLine, type WantedLine } from "../../domain/memory/line-origin.ts";
import { hostFor } from "../../hosts/hosts.ts";
import type { BlameMatch, BlameRequest, BlameView } from "../../protocol/blame.ts";
import { AppError } from "../../shared/errors.ts";
import { parseJson } from "../../shared/json.ts";
import { type Edit, readEdits, readPayload, readSessionsOf } from "../../store/edits.ts";
import type { Store } from "../../store/open-store.ts";
import type { ProjectRow } from "../../store/projects.ts";
import type { Database } from "../../sqlite/sqlite.ts";
import type { JobWorker } from "../runtime/job-worker.ts";
import { folderOf, locateProject, realPath } from "../identity/project.ts";

export interface BlameJobs {
  blame(job: BlameJob): Promise<Origin | undefined>;
}

/** Input of the worker's job, which may read megabytes of payloads. */
interface BlameJob {
  projects: string[];
  /** The checkout that contains the file, and its path inside. */
  root: string;
  path: string;
  wanted: WantedLine;
}

export interface Origin {
  match: BlameMatch;
  turnId: string | null;
  sessionId: string;
  subagentId: string | null;
  tool: string | null;
  at: number;
}

/** The turn and the reason behind a line of a file. */
export async function blameLine(
  store: Store,
  worker: JobWorker<BlameJobs>,
  project: ProjectRow,
  request: BlameRequest,
): Promise<BlameView> {
  const file = resolve(folderOf(project.path), request.file);
  const { root, path } = placeInCheckout(file);
  const projects = [...new Set([locateProject(dirname(file)).key, project.path])];
  const { text, before, after } = request;
  const job: BlameJob = { projects, root, path, wanted: { text, before, after } };
  const origin = (await worker.call.blame(job, { timeoutMs: 10_000 })) ?? findNote(store, projects, path);
  if (!origin) throw new AppError("origin_not_found", `There is no recorded edit of ${path}.`);
  return viewOrigin(store, origin, path);
}

/**
 * Searches session by session, latest first, until none can hold a newer edit that added the line. Yields in between: a
 * prompt may be waiting for the worker.
 */
export async function findOrigin(db: Database, job: BlameJob): Promise<Origin | undefined> {
  const { projects, root, path } = job;
  const wanted = path.endsWith(".ipynb")
    ? { ...job.wanted, text: readNotebookLine(job.wanted.text) }
    : job.wanted;
  const best: Partial<Record<BlameMatch, Edit>> = {};
  for (const { id, host, lastEventAt } of readSessionsOf(db, projects)) {
    const { tools } = hostFor(host);
    const isNewer = (match: BlameMatch, at: number): boolean => at > (best[match]?.at ?? -1);
    if (!isNewer("added", lastEventAt)) break;
    await setImmediate();
    for (const edit of readEdits(db, id, basename(path))) {
      if (!isNewer("added", edit.at)) break;
      if (!isSameFile(edit.path, root, path)) continue;
      const fields = parseJson(readPayload(db, edit.seq)) as Record<string, unknown>;
      const changes = tools.changesOf(edit.tool, fields.tool_input, fields.tool_response);
      const match = judgeEdit(changes, wanted) ?? "file";
      if (isNewer(match, edit.at)) best[match] = edit;
    }
  }
  for (const match of ["added", "kept", "file"] as const) {
    const edit = best[match];
    if (edit) return { ...edit, match };
  }
  return undefined;
}

/** Searches notes instead: imported sessions have no events. */
function findNote(store: Store, projects: string[], path: string): Origin | undefined {
  const ids = projects.flatMap((project) => store.projects.byPath(project)?.id ?? []);
  const note = store.notes
    .ofFile(ids, path, 50)
    .find(({ filesModified, sessionId }) => sessionId !== null && filesModified.includes(path));
  if (!note?.sessionId) return undefined;
  const { turnId, sessionId, createdAt } = note;
  return { match: "note", turnId, sessionId, subagentId: null, tool: null, at: createdAt };
}

/** The same path in any checkout of the project, even a deleted one; not the same name in a subfolder. */
export function isSameFile(stored: string | null, root: string, path: string): boolean {
  const candidate = stored?.replaceAll("\\", "/") ?? "";
  if (candidate === path) return true;
  if (!candidate.endsWith(`/${path}`)) return false;
  const itsRoot = candidate.slice(0, -path.length - 1) || "/";
  return (
    itsRoot === root ||
    !existsSync(itsRoot) ||
    existsSync(join(itsRoot, ".git")) ||
    realPath(itsRoot) === root
  );
}

export function placeInCheckout(file: string): { root: string; path: string } {
  const folder = realPath(dirname(file));
  for (let root = folder; ; root = dirname(root)) {
    const isTop = dirname(root) === root;
    if (!isTop && !existsSync(join(root, ".git"))) continue;
    const from = isTop ? folder : root;
    const path = join(folder, basename(file)).slice(from.length).replaceAll("\\", "/").replace(/^\//, "");
    return { root: from.replaceAll("\\", "/"), path };
  }
}

export function viewOrigin(
  store: Store,
  { match, turnId, sessionId, subagentId, tool, at }: Origin,
  file: string,
): BlameView {
  const session = store.sessions.byId(sessionId);
  const agent = session && store.agents.byId(session.agentId);
  const notes = turnId ? store.notes.ofTurn(turnId) : [];
  const isAbout = (files: string[]): number => (files.includes(file) ? 0 : 1);
  const summary = turnId ? store.summaries.ofTurn(turnId) : undefined;
  return {
    file,
    match,
    isGuess: match !== "added",
    tool,
    at,
    session: sessionId,
    project: agent?.projectName ?? "",
    agent: agent?.name ?? "",
    bySubagent: subagentId !== null,
    prompt: turnId ? promptOf(store, turnId) : null,
    notes: notes
      .toSorted((a, b) => isAbout(a.filesModified) - isAbout(b.filesModified))
      .map(({ id, type, title, narrative }) => ({ id, type, title, text: narrative })),
    summary: summary
      ? {
          request: summary.request,
          completed: summary.completed,
          learned: summary.learned,
          nextSteps: summary.nextSteps,
        }
      : null,
  };
}

/** The person's prompt, or a machine's if there is no other. */
function promptOf(store: Store, turnId: string): string | null {
  const prompts = store.turns.promptsOf(turnId);
  const human = prompts.filter(({ isMachine }) => !isMachine);
  return (human.length > 0 ? human : prompts).map(({ text }) => text).join("\n") || null;
}
