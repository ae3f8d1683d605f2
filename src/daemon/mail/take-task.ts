import { readTaskFields } from "../../domain/mail/message.ts";
import { readTaskState } from "../../domain/mail/task.ts";
import type { BusEvent } from "../../protocol/bus-events.ts";
import type { Clock } from "../../shared/clock.ts";
import { AppError } from "../../shared/errors.ts";
import type { MessageRow } from "../../store/messages.ts";
import type { Store } from "../../store/open-store.ts";
import type { RoomRow } from "../../store/rooms.ts";
import { openTaskBook } from "./task-book.ts";

/**
 * Applies a task event that another machine or client sent to the project's room. A known task changes, unless the
 * event is older than ours or the change is not possible; a new one with a title is added. Runs inside the caller's
 * transaction and returns the events to announce.
 */
export function takeTask(
  { store, clock }: { store: Store; clock: Clock },
  room: RoomRow,
  { extra, sender }: Pick<MessageRow, "sender"> & { extra: Record<string, unknown> | null },
): BusEvent[] {
  const fields = readTaskFields(extra);
  const project =
    room.kind === "project" ? store.projects.byId(room.key.replace(/^project:/, "")) : undefined;
  if (!fields || !project) return [];
  const facts: BusEvent[] = [];
  const tasks = openTaskBook(store, { publish: (event) => void facts.push(event) }, clock);
  const { id, rev, title } = fields;
  const change = {
    state: readTaskState(fields.status ?? ""),
    owner: fields.owner ?? undefined,
    progress: fields.progress ?? undefined,
    result: fields.result ?? undefined,
    files: fields.files ?? undefined,
  };
  const known = store.tasks.byId(id);
  if (!known) {
    if (title !== null) tasks.create(project, sender, title, { ...change, id });
    return facts;
  }
  if (known.projectId !== project.id || (rev !== null && rev <= known.rev)) return [];
  try {
    tasks.change(id, { ...change, title: title ?? undefined });
  } catch (error) {
    // For example, a finished task cannot be worked on again: our state is kept.
    if (!(error instanceof AppError)) throw error;
  }
  return facts;
}
