import { homedir } from "node:os";
import { splitPairKey } from "../../domain/mail/address.ts";
import type { Lease } from "../../domain/mail/lease.ts";
import { listNextStates } from "../../domain/mail/task.ts";
import type { LeaseView, MessageView, RoomView, TaskView } from "../../protocol/mail.ts";
import type { MessageRow } from "../../store/messages.ts";
import type { Store } from "../../store/open-store.ts";
import type { RoomRow } from "../../store/rooms.ts";
import type { TaskRow } from "../../store/tasks.ts";
import type { AgentViews } from "../ask/agent-views.ts";
import type { Accounts } from "../matrix/accounts.ts";
import type { ReadMarks } from "./read-marks.ts";
import { formatMinute } from "./status-messages.ts";

/** Rows in the form of the API: ids become names. */
interface MailViews {
  viewRoom(row: RoomRow): RoomView;
  viewMessage(row: MessageRow): MessageView;
  viewTask(row: TaskRow): TaskView;
  viewLease(lease: Lease): LeaseView;
}

const lineLetters = 200;

export function makeMailViews(
  store: Store,
  accounts: Accounts,
  marks: ReadMarks,
  agents: AgentViews,
  owner: string,
): MailViews {
  const projectName = (id: string): string => store.projects.byId(id)?.name ?? "";
  const agentName = (id: string): string => store.agents.byId(id)?.name ?? "";

  function isAbsent(address: string): boolean {
    const agent = store.agents.byName(address);
    return agent !== undefined && agents.view(agent).status === "gone";
  }

  /** The other user in a direct chat; null if the person is not in it. */
  function partnerOf({ kind, key }: RoomRow): string | null {
    const sides = splitPairKey(key);
    if (kind !== "direct" || !sides.includes(accounts.ownerId)) return null;
    const other = sides.find((side) => side !== accounts.ownerId) ?? "";
    return accounts.findAgent(other)?.name ?? other;
  }

  function detailOf(row: RoomRow): string | null {
    if (!store.rooms.sharesName(row)) return null;
    const project = row.kind === "project" && store.projects.byId(row.key.replace(/^project:/, ""));
    if (!project) return `created ${formatMinute(row.createdAt).slice(0, 16)}`;
    return project.path.replace(/\/\.git$/, "").replace(`${homedir()}/`, "~/");
  }

  return {
    viewRoom(row) {
      const { id, kind, name, keepDays } = row;
      const [last] = store.messages.ofRoom(id, 1, Number.MAX_SAFE_INTEGER);
      const partner = partnerOf(row);
      const isYours = kind !== "direct" || partner !== null;
      const fresh = store.messages.countNew(id, marks.get(id), { id: accounts.ownerId, name: owner });
      const unread = isYours ? fresh[kind === "direct" ? "all" : "addressed"] : 0;
      return {
        id,
        kind,
        name,
        detail: detailOf(row),
        keepDays,
        lastMessageAt: last?.createdAt ?? null,
        partner,
        isYours,
        last: last ? { from: last.sender, text: last.body.slice(0, lineLetters) } : null,
        isMuted: store.rooms.isMuted(id),
        unread,
        chatter: isYours ? fresh.all - unread : 0,
      };
    },
    viewMessage(row) {
      const { id, roomId, address, sender, isAgent, kind, body, replyTo, state, error, createdAt } = row;
      const room = roomId === null ? null : (store.rooms.byId(roomId)?.name ?? roomId);
      const isMine = row.agentId === null && (row.userId === accounts.ownerId || state !== "received");
      return {
        id,
        room,
        to: address,
        isAbsent: isAbsent(address),
        from: sender,
        isAgent,
        isMine,
        kind,
        text: body,
        replyTo,
        state,
        error,
        at: createdAt,
        deliveries: store.deliveries
          .ofMessage(id)
          .map((delivery) => ({ agent: agentName(delivery.agentId), state: delivery.state })),
      };
    },
    viewTask({ id, projectId, title, requester, owner, state, rev, progress, result, files, ...times }) {
      const { createdAt, updatedAt } = times;
      return {
        id,
        project: projectName(projectId),
        title,
        requester,
        owner,
        status: state,
        rev,
        next: [...listNextStates(state)],
        progress,
        result,
        files,
        createdAt,
        updatedAt,
      };
    },
    viewLease({ projectId, holder, isExclusive, ...lease }) {
      return {
        ...lease,
        project: projectName(projectId),
        holder: agentName(holder) || holder,
        exclusive: isExclusive,
      };
    },
  };
}
