import { isAbsolute } from "node:path";
import type { BlameJobs } from "./blame.ts";
import type { SearchJobs } from "./search-jobs.ts";
import { listConcepts } from "../../domain/memory/distil/concepts.ts";
import { listSentences } from "../../domain/memory/distil/sentences.ts";
import { putCurrentFirst } from "../../domain/memory/current-first.ts";
import { parseQuery, parseTyping } from "../../domain/memory/query.ts";
import { judgeMeaning } from "../../domain/memory/rank.ts";
import { estimateTokens } from "../../domain/memory/tokens.ts";
import { redactText } from "../../redact/redact-text.ts";
import type { MemoryBackend } from "../../http/memory-backend.ts";
import type { ObservationView, ProjectView, SearchResult } from "../../protocol/memory.ts";
import type { Clock } from "../../shared/clock.ts";
import { AppError } from "../../shared/errors.ts";
import { clip } from "../../shared/text.ts";
import type { SearchFilter } from "../../store/memory-match.ts";
import type { Found } from "../../store/memory-search.ts";
import type { Observation } from "../../store/observations.ts";
import type { Store } from "../../store/open-store.ts";
import type { ProjectRow } from "../../store/projects.ts";
import type { Bus } from "../runtime/bus.ts";
import type { JobWorker } from "../runtime/job-worker.ts";
import { blameLine } from "./blame.ts";
import { makeFileNames } from "./file-names.ts";
import { makeProjectFinder } from "../identity/find-project.ts";
import { hashOf, indexObservation, keepObservation } from "./keep.ts";
import { currentOf, listChain, supersedeByHand } from "./supersede.ts";
import type { Recall } from "./recall.ts";

export interface MemoryApiDeps {
  store: Store;
  bus: Bus;
  clock: Clock;
  worker: JobWorker<SearchJobs & BlameJobs>;
  recall: Recall;
}

/** The context names notes by at least this much of their ids. */
const minShortId = 4;

/** Memory, as the routes, the CLI and the MCP tools see it. */
export function makeMemoryApi({ store, bus, clock, worker, recall }: MemoryApiDeps): MemoryBackend {
  const { projectsNamed, projectOf, projectForSaving } = makeProjectFinder(store, clock);

  function view(row: Observation): ObservationView {
    const {
      id,
      type,
      title,
      facts,
      concepts,
      filesRead,
      filesModified,
      worktree,
      promptNumber,
      sourceEvents,
      tokens,
      provenance,
      createdAt,
    } = row;
    const project = store.projects.byId(row.projectId)?.name ?? "";
    return {
      id,
      type,
      title,
      text: row.narrative,
      facts,
      concepts,
      filesRead,
      filesModified,
      project,
      worktree,
      session: row.sessionId,
      promptNumber,
      sourceEvents,
      tokens,
      provenance,
      createdAt,
      supersededBy: row.supersededBy,
      supersededBecause: row.supersededBecause,
      pinnedAt: row.pinnedAt,
      supersedes: store.observations.supersededBy(row.id).map(({ id: older }) => older),
    };
  }

  /** A whole id, or the end of one that fits only one. */
  function find(id: string): Observation {
    const exact = store.observations.byId(id);
    if (exact) return exact;
    const [first, second] = id.length >= minShortId ? store.observations.byShortId(id) : [];
    if (!first) throw new AppError("observation_not_found", `There is no observation ${id}.`);
    if (second)
      throw new AppError("invalid_argument", `${id} fits several observations: use more of the id.`);
    return first;
  }

  function titleOf(kind: string, ref: string): string {
    if (kind === "observation") return store.observations.byId(ref)?.title ?? "(forgotten)";
    return kind === "summary" ? (store.summaries.byId(ref)?.request ?? "(forgotten)") : ref;
  }

  /** The note that holds instead of this one, as if it had been found. */
  function successorOf(hit: Found): Found | undefined {
    const row = hit.kind === "observation" ? store.observations.byId(hit.ref) : undefined;
    if (!row?.supersededBy) return undefined;
    const { id: ref, title, type, narrative, sessionId, createdAt } = currentOf(store, row);
    if (ref === row.id) return undefined;
    return { ...hit, ref, title, type, sessionId, createdAt, matched: [], snippet: clip(narrative, 200) };
  }

  return {
    async search({ q, typing, kind, project, type, file, folder, session, from, to, limit }) {
      // Isolated projects are found only by those who name them.
      const projects = project
        ? [projectOf(project)]
        : store.projects.all().filter(({ mode }) => mode !== "isolated");
      const isEverything = !project && projects.length === store.projects.all().length;
      const filter: SearchFilter = {
        ...(isEverything ? {} : { projectIds: projects.map(({ id }) => id) }),
        ...(kind ? { kinds: [kind] } : {}),
        ...(type ? { types: [type] } : {}),
        ...(session ? { sessionId: session } : {}),
        ...(file ? { file } : {}),
        ...(folder ? { folder } : {}),
        ...(from === undefined ? {} : { from }),
        ...(to === undefined ? {} : { to }),
      };
      if (!isEverything && projects.length === 0) return [];
      const found = await worker.call.find(
        { query: typing === "1" ? parseTyping(q) : parseQuery(q), filter, limit, isPatient: true },
        { timeoutMs: 5_000 },
      );
      return putCurrentFirst(found, successorOf).map(({ hit, isOutdated }): SearchResult => {
        const name = store.projects.byId(hit.projectId)?.name ?? "";
        const { kind, title, type, createdAt, snippet } = hit;
        return {
          id: hit.ref,
          kind,
          title: title || clip(snippet, 100),
          type,
          project: name,
          session: hit.sessionId,
          createdAt,
          score: round(hit.score),
          snippet,
          why: explainHit(hit),
          supersededBy: isOutdated ? (successorOf(hit)?.ref ?? null) : null,
        };
      });
    },
    timeline(around, count) {
      const at = find(around);
      const { before, after } = store.observations.around(at, count);
      const chain = listChain(store, at).map(view);
      return { around: at.id, before: before.map(view), at: view(at), after: after.map(view), chain };
    },
    save({ project, session, type, title, text, files, createdAt }) {
      const row = projectForSaving(project);
      // Redacted whole, then cut: a secret that is cut is no longer known for one.
      const narrative = redactText(text).text;
      const name =
        title === undefined ? clip(listSentences(narrative)[0] ?? narrative, 100) : redactText(title).text;
      const filesModified = files.map((file) => redactText(file).text);
      const known = {
        facts: [],
        concepts: listConcepts(narrative),
        filesRead: [],
        filesModified,
        sourceEvents: [],
      };
      const note = { ...known, type, title: name, narrative, provenance: "manual" };
      const place = {
        projectId: row.id,
        files: makeFileNames(row.path, store.sessions.byId(session ?? "")?.cwd ?? null),
        sessionId: session ?? null,
        turnId: null,
        promptNumber: null,
        at: createdAt ?? clock(),
      };
      const kept = store.db.transaction(() => keepObservation(store, note, place));
      // Saying the same thing again is no mistake: it is there.
      if (!kept) return view(store.observations.byHash(row.id, hashOf(name, narrative)) as Observation);
      const { id, sessionId, title: keptTitle, type: kind } = kept;
      bus.publish({ type: "observation.stored", id, sessionId, title: keptTitle, kind });
      return view(kept);
    },
    pinned: (project) =>
      project
        ? projectsNamed(project).flatMap(({ id }) => store.observations.pinned(id).map(view))
        : store.observations.pinned().map(view),
    list: (project, limit) =>
      store.observations
        .recent(project ? projectsNamed(project).map(({ id }) => id) : undefined, limit)
        .map(view),
    get: (id) => view(find(id)),
    edit(id, patch) {
      const row = find(id);
      const narrative = patch.text === undefined ? row.narrative : redactText(patch.text).text;
      const title = patch.title === undefined ? row.title : redactText(patch.title).text;
      const tokens = estimateTokens([title, narrative, ...row.facts].join("\n"));
      const changed = { ...row, type: patch.type ?? row.type, title, narrative, tokens, updatedAt: clock() };
      store.db.transaction(() => {
        store.observations.update(changed);
        indexObservation(store, changed);
        if (patch.supersededBy === null) store.observations.supersede(row.id, null, null, clock());
        else if (patch.supersededBy !== undefined)
          supersedeByHand(store, changed, find(patch.supersededBy), clock());
        if (patch.pinned !== undefined) store.observations.pin(row.id, patch.pinned ? clock() : null);
      });
      return view(find(row.id));
    },
    context({ project, ...limits }) {
      const cwd = isAbsolute(project) ? project : null;
      return recall.preview(projectOf(project), limits, cwd);
    },
    injections: (session) =>
      store.injections
        .ofSession(session)
        .map(({ sessionId, kind, ref, point, reason, score, tokens, at }) => {
          const title = titleOf(kind, ref);
          return { session: sessionId, kind, id: ref, title, point, reason, score, tokens, at };
        }),
    blame: (request) => blameLine(store, worker, projectOf(request.project), request),
    projects: () => store.projects.all().map(viewProject),
    setProject(id, { mode, leases }) {
      const row = projectOf(id);
      if (mode) store.projects.setMode(row.id, mode);
      if (leases) store.projects.setLeases(row.id, leases);
      return viewProject({ ...row, mode: mode ?? row.mode, leases: leases ?? row.leases });
    },
    day(from) {
      const summaries = store.summaries.recent(undefined, 500, from).toReversed();
      const bySession = Map.groupBy(summaries, ({ sessionId }) => sessionId);
      const sessions = [...bySession].map(([id, turns]) => {
        const session = store.sessions.byId(id);
        const agent = session && store.agents.byId(session.agentId);
        const project = store.projects.byId(turns[0]?.projectId ?? "")?.name ?? "";
        return {
          id,
          agent: agent?.name ?? "",
          project,
          branch: session?.branch ?? null,
          status: session?.status ?? "ended",
          turns: turns.map(({ request, completed, nextSteps, createdAt }) => ({
            request,
            completed,
            nextSteps,
            at: createdAt,
          })),
        };
      });
      return { from, sessions };
    },
  };

  function viewProject({ id, name, path, mode, leases }: ProjectRow): ProjectView {
    return { id, name, path, mode, leases, observations: store.observations.countOfProject(id) };
  }
}

/** "pool, timeout; meaning 0.62; neighbours": which parts matched. */
function explainHit({ isInexact, matched, meaning = 0, borrowed, score }: Found): string {
  const parts = [
    matched.join(", "),
    judgeMeaning(meaning) >= 0.5 ? `meaning ${meaning.toFixed(2)}` : "",
    borrowed >= 0.15 * score && borrowed > 0 ? "neighbours" : "",
  ];
  return (isInexact ? "no exact match; nearest: " : "") + parts.filter(Boolean).join("; ");
}

function round(score: number): number {
  return Math.round(score * 1000) / 1000;
}
