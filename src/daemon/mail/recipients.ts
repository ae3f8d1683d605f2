import type { IncomingMessage } from "../../domain/mail/message.ts";
import { parseQualifiedName, toLocalName } from "../../domain/mail/machine.ts";
import type { AgentRow } from "../../store/agents.ts";
import type { MessageRow } from "../../store/messages.ts";
import type { Store } from "../../store/open-store.ts";
import type { RoomRow } from "../../store/rooms.ts";
import type { Accounts } from "../matrix/accounts.ts";

interface AddressedMessage {
  store: Store;
  accounts: Accounts;
  /** The agents behind the receiving account. */
  agents: readonly AgentRow[];
  room: RoomRow;
  read: IncomingMessage;
  message: MessageRow;
  nowMs: number;
}

/**
 * The agents a message is for: those it names by mention, by `@name` or by replying to them; in a direct chat the other
 * member; everyone in the room if it names none. Never its sender.
 */
export function findRecipients(addressed: AddressedMessage): AgentRow[] {
  const { store, accounts, room, read, message, nowMs } = addressed;
  const others = addressed.agents.filter(({ id }) => id !== message.agentId);
  if (room.kind === "direct" && !accounts.isShared) return others;
  const answered = message.replyTo === null ? undefined : store.messages.byId(message.replyTo);
  const mentions = new Set(read.mentions);
  // Names in the address of another machine's agent are agents of that machine, even if one here has the same name.
  const isRemoteAgent = read.claimedAgent !== null && message.agentId === null;
  const given = isRemoteAgent ? read.ownNames.filter((name) => !parseQualifiedName(name)) : [];
  const local = read.names
    .filter((name) => !given.includes(name))
    .map((name) => toLocalName(accounts.machine, name));
  const names = local.filter((name) => !parseQualifiedName(name));
  const isForOthers =
    given.length > 0 ||
    names.length < local.length ||
    (answered?.isAgent === true && answered.agentId === null);
  const isNamed = ({ id, name }: AgentRow): boolean =>
    names.includes(name) ||
    (accounts.isShared ? id === answered?.agentId : mentions.has(accounts.userIdOf(name)));
  // An @ in a text is not always a mention: a name only counts if an agent has it.
  const isForSome =
    others.some(isNamed) ||
    isForOthers ||
    names.some((name) => store.agents.byName(name) !== undefined) ||
    (accounts.isShared ? false : mentions.size > 0);
  if (isForSome) return others.filter(isNamed);
  // Task and lease changes can be looked up, so they only wake agents they name.
  if (read.kind !== "text") return [];
  // An agent that is newer than now was created before the clock was set back.
  const wasThere = ({ createdAt }: AgentRow): boolean => message.createdAt >= createdAt || createdAt > nowMs;
  return others.filter((agent) => wasThere(agent) && (!accounts.isShared || isOfRoom(store, room, agent)));
}

/** With a shared account all agents are in every room, so the project decides. */
function isOfRoom(store: Store, { key }: RoomRow, agent: AgentRow): boolean {
  return key === `project:${store.projects.byPath(agent.project)?.id}`;
}
