import { isAbsolute } from "node:path";
import type { BlameJobs } from "./blame.ts";
import type { SearchJobs } from "./search-jobs.ts";
import { listConcepts } from "../../domain/memory/distil/concepts.ts";
import { listSentences } from "../../domain/memory/distil/sentences.ts";
import { putCurrentFirst } from "../../domain/memory/current-first.ts";
import { parseQuery, parseTyping } from "../../domain/memory/query.ts";
import { scoreCosine } from "../../domain/memory/rank.ts";
import { estimateTokens } from "../../domain/memory/tokens.ts";
import { redactText } from "../../redact/redact-text.ts";
import { labelHost } from "../../hosts/marks.ts";
import type { Handlers } from "../../http/handlers.ts";
import type { memoryEndpoints } from "../../protocol/endpoints/memory.ts";
import type { NoteCreate, NoteView, ProjectView, SearchResult } from "../../protocol/memory.ts";
import type { Clock } from "../../shared/clock.ts";
import { clip } from "../../shared/text.ts";
import type { SearchFilter } from "../../store/memory-match.ts";
import { toMemoryKind, toStoredKind } from "../../store/memory-text.ts";
import type { Found } from "../../store/memory-search.ts";
import type { Note } from "../../store/notes.ts";
import type { Store } from "../../store/open-store.ts";
import type { ProjectRow } from "../../store/projects.ts";
import type { Bus } from "../runtime/bus.ts";
import type { JobWorker } from "../runtime/job-worker.ts";
import { blameFile, type BlameFileJobs } from "./blame-file.ts";
import { blameLine } from "./blame.ts";
import { makeFileNames } from "./file-names.ts";
import { makeProjectFinder } from "../identity/find-project.ts";
import { announceNotes, indexNote, keepNote } from "./keep-note.ts";
import { makeMemoryItems } from "./memory-items.ts";
import { findCurrent, listChain, supersedeByHand } from "./supersede.ts";
import type { EmbedQuery } from "./embed-query.ts";
import type { Recall } from "./recall.ts";
import { findById } from "../runtime/find-by-id.ts";

interface MemoryHandlersDeps {
  store: Store;
  bus: Bus;
  clock: Clock;
  worker: JobWorker<SearchJobs & BlameJobs & BlameFileJobs>;
  recall: Recall;
  embedQuery: EmbedQuery;
}

/** A person or an agent waits for the results; after this, search uses the built-in table. */
const embedMs = 1_500;
/** Minimum length of an id suffix: the context shows at least this much of a note's id. */
const minShortId = 4;
const maxItems = 20;

interface MemoryApi {
  handlers: Handlers<typeof memoryEndpoints>;
  /** By its id or an unambiguous suffix. */
  getNote(id: string): NoteView;
}

interface ListRequest {
  project?: string | undefined;
  host?: string | undefined;
  limit: number;
}

/** Handlers of the memory endpoints. */
export function makeMemoryApi({
  store,
  bus,
  clock,
  worker,
  recall,
  embedQuery,
}: MemoryHandlersDeps): MemoryApi {
  const { findAll, findOne, findOrCreate } = makeProjectFinder(store, clock);

  function view(row: Note): NoteView {
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
    const session = row.sessionId === null ? undefined : store.sessions.byId(row.sessionId);
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
      hostLabel: labelHost(session?.host ?? null),
      promptNumber,
      sourceEvents,
      tokens,
      provenance,
      createdAt,
      supersededBy: row.supersededBy,
      supersededBecause: row.supersededBecause,
      pinnedAt: row.pinnedAt,
      supersedes: store.notes.supersededBy(row.id).map(({ id: older }) => older),
      author: row.author,
      disputedBy: store.notes.disputedBy(row.id),
    };
  }

  /** By its id or an unambiguous suffix. */
  const find = (id: string): Note =>
    findById(store.notes, id, { noun: "note", missing: "observation_not_found", minLength: minShortId });

  function titleOf(kind: string, ref: string): string {
    if (kind === "observation") return store.notes.byId(ref)?.title ?? "(forgotten)";
    return kind === "summary" ? (store.summaries.byId(ref)?.request ?? "(forgotten)") : ref;
  }

  /** The note that replaced this one, in the form of a search hit. */
  function successorOf(hit: Found): Found | undefined {
    const row = hit.kind === "observation" ? store.notes.byId(hit.ref) : undefined;
    if (!row?.supersededBy) return undefined;
    const { id: ref, narrative, ...current } = findCurrent(store, row);
    if (ref === row.id) return undefined;
    const { title, type, tokens, sessionId, createdAt } = current;
    const snippet = clip(narrative, 200);
    return { ...hit, ref, title, type, tokens, sessionId, createdAt, matched: [], snippet };
  }

  function save({ project, session, type, title, text, files, createdAt }: NoteCreate): NoteView {
    const row = findOrCreate(project);
    // Redacted first, then cut: half a secret is no longer recognised as one.
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
    // Saving the same note again is not an error: it is stored already.
    const kept = store.db.transaction(() => keepNote(store, { note, place }));
    if (kept.isNew) announceNotes(bus, [kept.note]);
    return view(kept.note);
  }

  function list({ project, host, limit }: ListRequest): NoteView[] {
    const projectIds = project ? findAll(project).map(({ id }) => id) : undefined;
    return store.notes.listRecent(projectIds, limit, host).map(view);
  }

  const items = makeMemoryItems(store, view);
  const handlers: MemoryApi["handlers"] = {
    async search({ query }) {
      const { q, typing, kind, project, type, file, folder, session, host, from, to, limit } = query;
      // Isolated projects are searched only if the request names them.
      const projects = project
        ? [findOne(project)]
        : store.projects.all().filter(({ mode }) => mode !== "isolated");
      const isEverything = !project && projects.length === store.projects.all().length;
      const filter: SearchFilter = {
        ...(isEverything ? {} : { projectIds: projects.map(({ id }) => id) }),
        ...(kind ? { kinds: [toStoredKind(kind)] } : {}),
        ...(type ? { types: [type] } : {}),
        ...(session ? { sessionId: session } : {}),
        ...(host ? { host } : {}),
        ...(file ? { file } : {}),
        ...(folder ? { folder } : {}),
        ...(from === undefined ? {} : { from }),
        ...(to === undefined ? {} : { to }),
      };
      if (!isEverything && projects.length === 0) return { results: [] };
      const isTyping = typing === "1";
      const parsed = isTyping ? parseTyping(q) : parseQuery(q);
      // Queries are not embedded while the user is still typing.
      const wanted = isTyping ? undefined : await embedQuery(parsed.text, filter.projectIds, embedMs);
      const found = await worker.call.find(
        { query: parsed, filter, limit, wanted, mayWait: true },
        { timeoutMs: 5_000 },
      );
      const results = putCurrentFirst(found, successorOf).map(({ hit, isOutdated }): SearchResult => {
        const name = store.projects.byId(hit.projectId)?.name ?? "";
        const { title, type, tokens, createdAt, snippet } = hit;
        return {
          id: hit.ref,
          kind: toMemoryKind(hit.kind),
          title: title || clip(snippet, 100),
          type,
          project: name,
          session: hit.sessionId,
          createdAt,
          tokens,
          score: round(hit.score),
          snippet,
          matched: hit.matched,
          why: explainHit(hit),
          supersededBy: isOutdated ? (successorOf(hit)?.ref ?? null) : null,
          author: hit.kind === "observation" ? (store.notes.byId(hit.ref)?.author ?? null) : null,
        };
      });
      return { results };
    },
    getItems: ({ query: { ids } }) => items.list(ids.split(",").slice(0, maxItems)),
    getTimeline({ query: { around, limit } }) {
      const { item, projectId } = items.get(around);
      const { before, after } = store.notes.listAround({ ...item, projectId }, limit);
      const chain = item.note ? listChain(store, find(item.id)).map(view) : [];
      return { around: item.id, before: before.map(view), at: item, after: after.map(view), chain };
    },
    saveNote: ({ body }) => save(body),
    listNotes: ({ query }) => ({ notes: list(query) }),
    listObservations: ({ query }) => ({ observations: list(query) }),
    listPinnedNotes({ query: { project } }) {
      const ids = project ? findAll(project).map(({ id }) => id) : [undefined];
      return { notes: ids.flatMap((id) => store.notes.pinned(id).map(view)) };
    },
    getNote: ({ params: { id } }) => view(find(id)),
    changeNote({ params: { id }, body: patch }) {
      const row = find(id);
      const narrative = patch.text === undefined ? row.narrative : redactText(patch.text).text;
      const title = patch.title === undefined ? row.title : redactText(patch.title).text;
      const tokens = estimateTokens([title, narrative, ...row.facts].join("\n"));
      const type = patch.type ?? row.type;
      const isRewritten = type !== row.type || title !== row.title || narrative !== row.narrative;
      // A rewritten note is no longer in the words of the user's prompt.
      const provenance = isRewritten ? "manual" : row.provenance;
      const changed = { ...row, type, title, narrative, provenance, tokens, updatedAt: clock() };
      store.db.transaction(() => {
        store.notes.update(changed);
        indexNote(store, changed);
        if (patch.supersededBy === null) store.notes.supersede(row.id, null, null, clock());
        else if (patch.supersededBy !== undefined)
          supersedeByHand(store, changed, find(patch.supersededBy), clock());
        if (patch.pinned !== undefined) store.notes.pin(row.id, patch.pinned ? clock() : null);
      });
      return view(find(row.id));
    },
    getContext({ query: { project, notes, observations, summaries, tokens } }) {
      const limits = { observations: notes ?? observations, summaries, tokens };
      return recall.preview(findOne(project), limits, isAbsolute(project) ? project : null);
    },
    listInjections: ({ query: { session } }) => ({
      injections: store.injections
        .ofSession(session)
        .map(({ sessionId, kind, ref, point, reason, score, tokens, at }) => {
          const about = { kind: kind === "observation" ? "note" : kind, id: ref, title: titleOf(kind, ref) };
          return { session: sessionId, ...about, point, reason, score, tokens, at };
        }),
    }),
    blameLine: ({ query }) => blameLine(store, worker, findOne(query.project), query),
    blameFile: ({ query: { project, file } }) => blameFile(store, worker, findOne(project), file),
    async listEditedFiles({ query: { project } }) {
      const files = await worker.call.editedFiles([findOne(project).path], { timeoutMs: 10_000 });
      return { files };
    },
    listProjects: () => ({ projects: store.projects.all().map(viewProject) }),
    changeProject({ params, body: { mode, leases } }) {
      const row = findOne(params.id);
      if (mode) store.projects.setMode(row.id, mode);
      if (leases) store.projects.setLeases(row.id, leases);
      return viewProject({ ...row, mode: mode ?? row.mode, leases: leases ?? row.leases });
    },
    getDay({ query: { from, host } }) {
      const summaries = store.summaries.recent(undefined, 500, from).toReversed();
      const bySession = Map.groupBy(summaries, ({ sessionId }) => sessionId);
      const sessions = [...bySession].map(([id, turns]) => {
        const session = store.sessions.byId(id);
        const agent = session && store.agents.byId(session.agentId);
        const project = store.projects.byId(turns[0]?.projectId ?? "")?.name ?? "";
        return {
          id,
          host: session?.host ?? "",
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
      return { from, sessions: sessions.filter((each) => host === undefined || each.host === host) };
    },
  };
  return { handlers, getNote: (id) => view(find(id)) };

  function viewProject({ id, name, path, mode, leases }: ProjectRow): ProjectView {
    return { id, name, path, mode, leases, notes: store.notes.countOfProject(id) };
  }
}

/** `matches "pool", "timeout"; similar text`: the reasons for a hit. */
function explainHit({ isInexact, matched, cosine = 0, borrowed, score }: Found): string {
  const parts = [
    matched.length > 0 ? `matches ${matched.map((word) => `"${word}"`).join(", ")}` : "",
    scoreCosine(cosine) >= 0.5 ? "similar text" : "",
    borrowed >= 0.15 * score && borrowed > 0 ? "same session as other matches" : "",
  ];
  const why = parts.filter(Boolean).join("; ") || "newest";
  return (isInexact ? "no exact match; nearest: " : "") + why;
}

function round(score: number): number {
  return Math.round(score * 1000) / 1000;
}
