import type { ItemsView, MemoryItem, NoteView } from "../../protocol/memory.ts";
import { AppError } from "../../shared/errors.ts";
import { clip } from "../../shared/text.ts";
import { readIndexed, toMemoryKind } from "../../store/memory-text.ts";
import type { Note } from "../../store/notes.ts";
import type { Store } from "../../store/open-store.ts";

type Missing = ItemsView["missing"][number]["reason"];

/** An item, and where it belongs. */
interface LocatedItem {
  item: MemoryItem;
  projectId: string;
}

interface MemoryItems {
  /** By ids or unambiguous suffixes, in this order. */
  list(ids: readonly string[]): ItemsView;
  /** Throws if none or several match. */
  get(id: string): LocatedItem;
}

/** Minimum length of an id suffix: the context shows at least this much of a note's id. */
const minSuffix = 4;
const maxTitle = 100;

/** Reads sessions and everything that search finds, by id. */
export function makeMemoryItems(store: Store, viewNote: (note: Note) => NoteView): MemoryItems {
  function find(id: string): LocatedItem | Missing {
    const indexed = id.length >= minSuffix ? store.index.bySuffix(id) : [];
    const [row, another] = indexed;
    const sessions = row?.id === id || row?.kind === "observation" ? [] : matchSessions(id);
    if (another || Number(row !== undefined) + sessions.length > 1) return "ambiguous";
    const [session] = sessions;
    return (row ? openRow(row) : session === undefined ? undefined : openSession(session)) ?? "unknown";
  }

  function matchSessions(id: string): string[] {
    if (store.sessions.byId(id)) return [id];
    return id.length >= minSuffix ? store.sessions.bySuffix(id, 2) : [];
  }

  function openRow({ kind, id }: ReturnType<Store["index"]["bySuffix"]>[number]): LocatedItem | undefined {
    const row = readIndexed(store.db, kind, id);
    if (!row) return undefined;
    const { projectId, title, body, type, sessionId: session, createdAt } = row;
    const note = kind === "observation" ? store.notes.byId(id) : undefined;
    const item = {
      id,
      kind: toMemoryKind(kind),
      type,
      title: title || clip(body, maxTitle),
      text: note?.narrative ?? body.trim(),
      project: store.projects.byId(projectId)?.name ?? "",
      session,
      createdAt,
      note: note ? viewNote(note) : null,
    };
    return { item, projectId };
  }

  /** A session is read as the list of its turns. */
  function openSession(id: string): LocatedItem | undefined {
    const session = store.sessions.byId(id);
    if (!session) return undefined;
    const project = store.projects.byPath(session.project);
    const turns = store.summaries
      .ofTurns(id)
      .map(({ request, completed }) => [`- ${clip(request, 200)}`, completed].filter(Boolean).join("\n  "));
    const item = {
      id,
      kind: "session" as const,
      type: null,
      title: session.title ?? clip(store.turns.firstHumanPrompt(id) ?? id, maxTitle),
      text: turns.join("\n"),
      project: project?.name ?? "",
      session: id,
      createdAt: session.startedAt,
      note: null,
    };
    return { item, projectId: project?.id ?? "" };
  }

  return {
    list(ids) {
      const found = ids.map((id) => ({ id, result: find(id) }));
      return {
        items: found.flatMap(({ result }) => (typeof result === "string" ? [] : [result.item])),
        missing: found.flatMap(({ id, result }) =>
          typeof result === "string" ? [{ id, reason: result }] : [],
        ),
      };
    },
    get(id) {
      const found = find(id);
      if (found === "unknown")
        throw new AppError("observation_not_found", `There is nothing with the id ${id}.`);
      if (found === "ambiguous")
        throw new AppError("invalid_argument", `Several ids end with ${id}: use more of it.`);
      return found;
    },
  };
}
