import type { Lease } from "../../domain/mail/lease.ts";
import type { LeaseView, MessageView, RoomView, TaskView } from "../../protocol/mail.ts";
import type { MessageRow } from "../../store/messages.ts";
import type { Store } from "../../store/open-store.ts";
import type { RoomRow } from "../../store/rooms.ts";
import type { TaskRow } from "../../store/tasks.ts";

/** Rows as the API shows them: ids become names. */
export interface MailViews {
  room(row: RoomRow): RoomView;
  message(row: MessageRow): MessageView;
  task(row: TaskRow): TaskView;
  lease(lease: Lease): LeaseView;
}

export function makeMailViews(store: Store): MailViews {
  const projectName = (id: string): string => store.projects.byId(id)?.name ?? "";
  return {
    room({ id, kind, name, keepDays }) {
      const [last] = store.messages.ofRoom(id, 1, Number.MAX_SAFE_INTEGER);
      return { id, kind, name, keepDays, lastMessageAt: last?.createdAt ?? null };
    },
    message(row) {
      const { id, roomId, address, sender, isAgent, kind, body, replyTo, state, error, createdAt } = row;
      const room = roomId === null ? null : (store.rooms.byId(roomId)?.name ?? roomId);
      return {
        ...{ id, room, to: address, from: sender, isAgent, kind, text: body },
        ...{ replyTo, state, error, at: createdAt },
      };
    },
    task({ id, projectId, title, requester, owner, state, rev, progress, result, files, ...times }) {
      const { createdAt, updatedAt } = times;
      return {
        ...{ id, project: projectName(projectId), title, requester, owner, status: state, rev },
        ...{ progress, result, files, createdAt, updatedAt },
      };
    },
    lease({ projectId, holder, isExclusive, ...lease }) {
      const name = store.agents.byId(holder)?.name ?? "";
      return { ...lease, project: projectName(projectId), holder: name, exclusive: isExclusive };
    },
  };
}
