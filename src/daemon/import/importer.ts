import { relative } from "node:path";
import type { Handlers } from "../../http/handlers.ts";
import type { importEndpoints } from "../../protocol/endpoints/care.ts";
import type { ImportRequest, ImportState } from "../../protocol/import.ts";
import { AppError, toAppError } from "../../shared/errors.ts";
import type { DaemonContext } from "../runtime/context.ts";
import { openJobWorker } from "../runtime/job-worker.ts";
import { locateProject, type Project } from "../identity/project.ts";
import type { ClaudeMemRow } from "../../store/claude-mem-reader.ts";
import {
  countExpiring,
  findTranscripts,
  type FoundTranscript,
  type TranscriptBeginning,
} from "../transcripts/find-transcripts.ts";
import { keepStaleSessions } from "../memory/keep-session.ts";
import { makePace } from "../runtime/pace.ts";
import { importClaudeMem } from "./import-claude-mem.ts";
import { importJsonl } from "./import-jsonl.ts";
import { importFiles } from "./import-files.ts";
import type { ImportJobs } from "./import-jobs.ts";

/** Imports earlier sessions and other stores: one import at a time, in the background. */
export interface Importer {
  handlers: Handlers<typeof importEndpoints>;
  /** Cancels a running import and waits for its end. */
  stop(): Promise<void>;
}

/** The worker reads a lot, so it gets more space for short-lived objects. */
const youngGenerationMb = 32;
const workerIdleMs = 5_000;
/** Transcripts whose beginnings are read in one job. */
const perJob = 32;

const idle: ImportState = {
  state: "idle",
  source: null,
  dryRun: false,
  startedAt: null,
  endedAt: null,
  files: 0,
  filesDone: 0,
  filesKnown: 0,
  filesLeftOut: 0,
  bytes: 0,
  bytesDone: 0,
  sessions: 0,
  turns: 0,
  turnsKnown: 0,
  notes: 0,
  summaries: 0,
  prompts: 0,
  damaged: 0,
  expiring: 0,
  cleanupDays: 30,
  error: null,
};

export function openImporter(context: DaemonContext): Importer {
  const { home, config, store, clock, log } = context;
  const { exclude } = config.capture;
  const script = new URL("./import-worker.js", import.meta.url);
  const worker = openJobWorker<ImportJobs>(script, { exclude }, workerIdleMs, youngGenerationMb);
  const deps = { ...context, worker };
  let current: ImportState = idle;
  let running: Promise<void> = Promise.resolve();
  let isCancelled = false;

  async function run(request: ImportRequest, state: ImportState): Promise<void> {
    try {
      if (request.source === "transcripts") await importTranscripts(request, state);
      else if (request.source === "jsonl") await importJsonl(deps, request, state, () => isCancelled);
      else await importFromClaudeMem(request, state);
      if (!request.dryRun) await keepStaleSessions(store, makePace(deps.waitingHooks));
      state.state = isCancelled ? "cancelled" : "done";
    } catch (thrown) {
      const error = toAppError(thrown);
      log.error("import failed", { error });
      state.state = "failed";
      state.error = error.message;
    }
    state.endedAt = clock();
    log.info("import ended", { ...state });
  }

  async function importTranscripts(request: ImportRequest, state: ImportState): Promise<void> {
    const found = await findTranscripts(request.path);
    Object.assign(state, countExpiring(request.path, found, clock()));
    state.files = found.length;
    const wanted = await choose(found, request, state);
    state.filesDone = 0;
    state.files = wanted.length;
    state.bytes = wanted.reduce((sum, { size }) => sum + size, 0);
    if (request.dryRun) return;
    await importFiles(deps, wanted, request.since, state, () => isCancelled);
  }

  async function importFromClaudeMem(request: ImportRequest, state: ImportState): Promise<void> {
    const { path, project, since } = request;
    state.files = 1;
    const isWantedRow = (row: ClaudeMemRow): boolean =>
      row.at >= since && (project === undefined || row.project === project);
    await importClaudeMem(deps, path, isWantedRow, state, () => isCancelled);
  }

  /** Selects transcripts that are new, in the right project, and the user's own. */
  async function choose(
    found: readonly FoundTranscript[],
    { project, since }: ImportRequest,
    state: ImportState,
  ): Promise<FoundTranscript[]> {
    const wanted: FoundTranscript[] = [];
    const places = new Map<string, Project>();
    for (let next = 0; next < found.length && !isCancelled; next += perJob) {
      const files = found.slice(next, next + perJob);
      const fresh = files.filter((file) => !isKnown(file, since));
      state.filesKnown += files.length - fresh.length;
      const recent = fresh.filter(({ mtime }) => mtime >= since);
      const beginnings =
        recent.length === 0
          ? []
          : await worker.call.readBeginnings(recent.map(({ host, path }) => ({ host, path })));
      const chosen = recent.filter((file, n) =>
        isWanted(file, beginnings[n] as TranscriptBeginning, project, places),
      );
      state.filesLeftOut += fresh.length - chosen.length;
      state.filesDone += files.length;
      wanted.push(...chosen);
    }
    return wanted;
  }

  function isKnown({ path, size, mtime }: FoundTranscript, since: number): boolean {
    const before = store.imports.byPath(path);
    return before?.size === size && before.mtime === mtime && before.since <= since;
  }

  function isWanted(
    file: FoundTranscript,
    { cwd: begunIn, isSubagent }: TranscriptBeginning,
    project: string | undefined,
    places: Map<string, Project>,
  ): boolean {
    if (isSubagent) return false;
    const cwd = begunIn ?? file.cwd;
    file.cwd = cwd;
    if (cwd === null) return project === undefined;
    // Sessions in our own home are ours, not the user's.
    if (!relative(home.root, cwd).startsWith("..")) return false;
    const place = places.get(cwd) ?? locateProject(cwd);
    places.set(cwd, place);
    if (store.projects.byPath(place.key)?.mode === "off") return false;
    // The whole file is within a forgotten time range of this project: not even the fact that it was read is recorded.
    if (store.tombstones.covers(place.key, file.mtime)) return false;
    return project === undefined || isNamed(place, project);
  }

  function isNamed({ key, name }: Project, asked: string): boolean {
    return name === asked || key === asked || key === locateProject(asked).key;
  }

  function start(request: ImportRequest): ImportState {
    if (current.state === "running") throw new AppError("import_running", "An import is running.");
    isCancelled = false;
    const { source, dryRun } = request;
    const state: ImportState = { ...idle, state: "running", source, dryRun, startedAt: clock() };
    current = state;
    running = run(request, state);
    return state;
  }

  async function cancel(): Promise<void> {
    isCancelled = true;
    await running;
  }

  return {
    handlers: {
      startImport: ({ body }) => start(body),
      async getImport({ query: { folder } }) {
        const found = folder === undefined ? null : (await findTranscripts(folder)).length;
        return { ...current, imported: store.imports.total(folder), found };
      },
      async cancelImport() {
        await cancel();
        return current;
      },
    },
    async stop() {
      await cancel();
      await worker.close();
    },
  };
}
