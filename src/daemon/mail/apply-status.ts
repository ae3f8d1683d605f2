import { maxLeaseMs } from "../../domain/mail/lease.ts";
import { readLeaseFields, readTaskFields } from "../../domain/mail/message.ts";
import { type Machine, toLocalName } from "../../domain/mail/machine.ts";
import { readTaskState } from "../../domain/mail/task.ts";
import type { BusEvent } from "../../protocol/bus-events.ts";
import type { Clock } from "../../shared/clock.ts";
import { AppError } from "../../shared/errors.ts";
import type { MessageRow } from "../../store/messages.ts";
import type { Store } from "../../store/open-store.ts";
import type { ProjectRow } from "../../store/projects.ts";
import type { RoomRow } from "../../store/rooms.ts";
import { redactText } from "../../redact/redact-text.ts";
import { openTaskBook } from "./task-book.ts";

const maxMissedRevisions = 1_000;

interface StatusEvent extends Pick<MessageRow, "sender" | "userId"> {
  extra: Record<string, unknown> | null;
}

/** Undefined for a room that belongs to no project. */
export function projectOf(store: Store, { kind, key }: RoomRow): ProjectRow | undefined {
  return kind === "project" ? store.projects.byId(key.replace(/^project:/, "")) : undefined;
}

/**
 * Applies a task event that another machine or client sent to the project's room. A known task changes, unless the
 * event is older than ours or the change is not possible; a new one with a title is added. Runs inside the caller's
 * transaction and returns the events to announce.
 */
export function applyTaskEvent(
  { store, clock, machine }: { store: Store; clock: Clock; machine: Machine },
  room: RoomRow,
  { extra, sender }: StatusEvent,
): BusEvent[] {
  const fields = readTaskFields(extra);
  const project = projectOf(store, room);
  if (!fields || !project) return [];
  const busEvents: BusEvent[] = [];
  const tasks = openTaskBook(store, { publish: (event) => void busEvents.push(event) }, clock);
  const { id, rev, title } = fields;
  const change = {
    state: readTaskState(fields.status ?? ""),
    owner: fields.owner === null ? undefined : toLocalName(machine, fields.owner),
    progress: fields.progress ?? undefined,
    result: fields.result ?? undefined,
    files: fields.files ?? undefined,
  };
  const known = store.tasks.byId(id);
  // The same revision on every machine, so that they agree on the newest; but no room can use them up.
  const newRev = Math.min(rev ?? 0, (known?.rev ?? 0) + maxMissedRevisions);
  if (!known) {
    if (title !== null) tasks.create(project, sender, title, { ...change, id, newRev });
    return busEvents;
  }
  if (known.projectId !== project.id || (rev !== null && rev <= known.rev)) return [];
  try {
    tasks.change(id, { ...change, title: title ?? undefined, newRev });
  } catch (error) {
    // For example, a finished task cannot be worked on again: our state is kept.
    if (!(error instanceof AppError)) throw error;
  }
  return busEvents;
}

/**
 * Applies a lease event that another machine or client sent to the project's room. Only the account that holds a lease
 * can extend it; the owner of this machine can also end it. Runs inside the caller's transaction and returns the events
 * to announce.
 */
export function applyLeaseEvent(
  { store, clock, ownerId }: { store: Store; clock: Clock; ownerId: string },
  room: RoomRow,
  { extra, sender, userId }: StatusEvent,
): BusEvent[] {
  const fields = readLeaseFields(extra);
  const project = projectOf(store, room);
  if (!fields || !project || userId === null) return [];
  const { id, isExclusive } = fields;
  const holder = fields.holder === null ? sender : `${fields.holder} (${userId})`;
  const expiresAt = Math.min(fields.expiresAt, clock() + maxLeaseMs);
  const isOver = expiresAt <= clock();
  const known = store.leases.byId(id);
  if (known) {
    if (known.holder !== holder && !(isOver && userId === ownerId)) return [];
    if (isOver) store.leases.remove(id);
    else store.leases.extend(id, expiresAt);
  } else {
    if (isOver) return [];
    const globs = fields.globs.map((glob) => redactText(glob).text);
    const lease = { id, projectId: project.id, holder, globs, isExclusive, expiresAt, taskId: null };
    store.leases.insert(lease, clock());
  }
  const { globs, holder: heldBy } = store.leases.byId(id) ?? { globs: fields.globs, holder };
  const name = store.agents.byId(heldBy)?.name ?? heldBy;
  return [{ type: "lease.changed", leaseId: id, holder: name, globs, isReleased: isOver }];
}
