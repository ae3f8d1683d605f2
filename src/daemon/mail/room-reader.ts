import { makePairKey, splitPairKey } from "../../domain/mail/address.ts";
import type { MemberView } from "../../protocol/mail.ts";
import { AppError } from "../../shared/errors.ts";
import type { MessageRow } from "../../store/messages.ts";
import type { RoomRow } from "../../store/rooms.ts";
import { type Accounts, botName } from "../matrix/accounts.ts";
import type { ReadMarks } from "./read-marks.ts";
import type { DaemonContext } from "../runtime/context.ts";

/** Read access to rooms. */
interface RoomReader {
  /** Finds a room by its id or name, or by the name of the agent that the person shares it with. */
  find(name: string): RoomRow;
  /** Messages, newest first, including the person's messages that are not sent yet. */
  listMessages(name: string, limit: number, before: number): MessageRow[];
  /** The homeserver is updated first if the person's account there is ours, because their clients use it too. */
  markRead(room: RoomRow): Promise<void>;
  listMembers(room: RoomRow): Promise<MemberView[]>;
}

interface RoomReadingDeps extends Pick<DaemonContext, "store" | "bus"> {
  accounts: Accounts;
  marks: ReadMarks;
  owner: string;
}

export function makeRoomReader({ store, bus, accounts, marks, owner }: RoomReadingDeps): RoomReader {
  function findRoom(name: string): RoomRow | undefined {
    const bare = name.replace(/^#/, "");
    return (
      store.rooms.byId(name) ??
      (store.agents.byName(name) &&
        store.rooms.byKey(makePairKey(accounts.ownerId, accounts.userIdOf(name)))) ??
      store.rooms.byKey(`group:${bare}`) ??
      findByName(bare).find(({ kind }) => kind !== "direct") ??
      findByName(bare)[0]
    );
  }

  function findByName(name: string): RoomRow[] {
    return store.rooms.all().filter((known) => known.name === name);
  }

  function find(name: string): RoomRow {
    const room = findRoom(name);
    if (!room) throw new AppError("room_not_found", `There is no room ${name}.`);
    return room;
  }

  /** All addresses by which a sender can name a room. */
  function addressesOf({ id, kind, name, key }: RoomRow): string[] {
    if (kind !== "direct") return [id, name, `#${name}`];
    const others = splitPairKey(key).filter((side) => side !== accounts.ownerId);
    return [id, ...others, ...others.map(nameOf)];
  }

  function nameOf(userId: string): string {
    return userId === accounts.ownerId ? owner : (accounts.findAgent(userId)?.name ?? userId);
  }

  function view(userId: string): MemberView {
    const agent = accounts.findAgent(userId);
    return { name: nameOf(userId), isAgent: agent !== undefined, isYou: userId === accounts.ownerId };
  }

  return {
    find,
    listMessages(name, limit, before) {
      // An agent can be written to before it has a room.
      const room = store.agents.byName(name) ? findRoom(name) : find(name);
      const said = room ? store.messages.ofRoom(room.id, limit, before) : [];
      const waiting = store.messages.listWithoutRoom(room ? addressesOf(room) : [name], limit, before);
      return [...said, ...waiting].toSorted((a, b) => b.createdAt - a.createdAt).slice(0, limit);
    },
    async markRead({ id }) {
      const newest = store.messages.findNewestSent(id);
      if (!newest || newest.createdAt <= marks.get(id)) return;
      if (!accounts.isOutside) await (await accounts.clientOfOwner()).markRead(id, newest.eventId);
      if (marks.set(id, newest.createdAt)) bus.publish({ type: "room.read", roomId: id });
    },
    async listMembers({ id, kind, key }) {
      if (kind === "direct") return splitPairKey(key).map(view);
      const members = await (await accounts.clientOfOwner()).joinedMembers(id);
      if (!accounts.isShared) return members.filter((user) => user !== accounts.userIdOf(botName)).map(view);
      // Agents behind a shared account are in no member list of the homeserver.
      const project = store.projects.byId(key.replace(/^project:/, ""));
      const agents = project ? store.agents.ofProject(project.path) : [];
      return [...agents.map(({ name }) => ({ name, isAgent: true, isYou: false })), ...members.map(view)];
    },
  };
}
