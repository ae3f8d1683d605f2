import type { IncomingMessage } from "../../domain/mail/message.ts";
import type { AgentRow } from "../../store/agents.ts";
import type { MessageRow } from "../../store/messages.ts";
import type { Store } from "../../store/open-store.ts";
import type { RoomRow } from "../../store/rooms.ts";
import type { Accounts } from "../matrix/accounts.ts";

export interface Addressed {
  store: Store;
  accounts: Accounts;
  /** Those behind the account that was told. */
  agents: readonly AgentRow[];
  room: RoomRow;
  read: IncomingMessage;
  message: MessageRow;
}

/**
 * Which agents a message is for: those it names, by mention, by `@name` or by answering them; in a room of two the other
 * one; all in the room if it names nobody. Never the one who wrote it.
 */
export function findRecipients(addressed: Addressed): AgentRow[] {
  const { store, accounts, room, read, message } = addressed;
  const others = addressed.agents.filter(({ id }) => id !== message.agentId);
  if (room.kind === "direct" && !accounts.isShared) return others;
  const answered = message.replyTo === null ? undefined : store.messages.byId(message.replyTo)?.agentId;
  const mentions = new Set(read.mentions);
  const isNamed = ({ id, name }: AgentRow): boolean =>
    read.names.includes(name) ||
    (accounts.isShared ? id === answered : mentions.has(accounts.userIdOf(name)));
  // An @ in a text may be just that: a name counts if somebody has it.
  const isForSome =
    others.some(isNamed) ||
    read.names.some((name) => store.agents.byName(name) !== undefined) ||
    (accounts.isShared ? false : mentions.size > 0);
  if (isForSome) return others.filter(isNamed);
  // What changes about tasks and leases can be looked up: it wakes nobody it does not name.
  if (read.kind !== "text") return [];
  return others.filter(
    (agent) => message.createdAt >= agent.createdAt && (!accounts.isShared || isOfRoom(store, room, agent)),
  );
}

/** Behind one account all are in every room: there it is the project that says whose room it is. */
function isOfRoom(store: Store, { key }: RoomRow, agent: AgentRow): boolean {
  return key === `project:${store.projects.byPath(agent.project)?.id}`;
}
