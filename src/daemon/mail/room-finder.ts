import type { MatrixClient } from "../../channels/matrix/client.ts";
import type { Address } from "../../domain/mail/address.ts";
import { pairKey } from "../../domain/mail/address.ts";
import { agentStateType, leaseField } from "../../domain/mail/message.ts";
import type { Clock } from "../../shared/clock.ts";
import { AppError } from "../../shared/errors.ts";
import type { AgentRow } from "../../store/agents.ts";
import type { Store } from "../../store/open-store.ts";
import type { ProjectRow } from "../../store/projects.ts";
import type { RoomRow } from "../../store/rooms.ts";
import type { Accounts } from "./accounts.ts";

/** Finds the room that an address means, and makes it where there is none. */
export interface RoomFinder {
  find(address: Address, sender: { client: MatrixClient; project: ProjectRow | undefined }): Promise<RoomRow>;
  /** The room of a project, with this agent and the owner in it. */
  joinProject(project: ProjectRow, client: MatrixClient): Promise<RoomRow>;
  create(name: string, creator: MatrixClient, members: readonly string[]): Promise<RoomRow>;
}

/** What every member of a room of ours may set. */
const openState = [agentStateType, leaseField];

export function makeRoomFinder(store: Store, accounts: Accounts, clock: Clock): RoomFinder {
  function keep(room: Omit<RoomRow, "keepDays" | "createdAt">): RoomRow {
    store.rooms.put({ ...room, keepDays: null, createdAt: clock() });
    return store.rooms.byId(room.id) as RoomRow;
  }

  /** Two that look at once make one: whoever loses the alias takes the winner's room. */
  async function findOrCreate(
    client: MatrixClient,
    alias: string,
    room: Pick<RoomRow, "kind" | "key" | "name">,
    topic: string,
  ): Promise<RoomRow> {
    const known = store.rooms.byKey(room.key);
    if (known) return known;
    const whole = `#${alias}:${serverOf(client.userId)}`;
    const found = await client.findAlias(whole);
    if (found) return keep({ ...room, id: found });
    try {
      const id = await client.createRoom({ name: room.name, topic, alias, isPublic: true, openState });
      return keep({ ...room, id });
    } catch (error) {
      const winner = await client.findAlias(whole);
      if (!winner) throw error;
      return keep({ ...room, id: winner });
    }
  }

  async function joinProject(project: ProjectRow, client: MatrixClient): Promise<RoomRow> {
    const alias = `${slug(project.name)}-${project.id.slice(-6)}`;
    const facts = { kind: "project", key: `project:${project.id}`, name: project.name } as const;
    const room = await findOrCreate(client, alias, facts, `Agents and people at work on ${project.name}`);
    await client.join(room.id);
    const owner = await accounts.ofOwner();
    if (owner.userId !== client.userId) await owner.join(room.id);
    return room;
  }

  /** The room of two. The other side is invited; an agent accepts when it next listens. */
  async function findDirect(client: MatrixClient, other: string): Promise<RoomRow> {
    const key = pairKey(client.userId, other);
    const known = store.rooms.byKey(key);
    if (known) return known;
    const name = `${localpartOf(client.userId)} and ${localpartOf(other)}`;
    const id = await client.createRoom({ name, invite: [other], isDirect: true });
    const room = keep({ id, kind: "direct", key, name });
    await noteDirect(client, other, id);
    const agent = accounts.agentBehind(other);
    if (agent) {
      const theirs = await accounts.ofAgent(agent);
      await theirs.join(id);
      await noteDirect(theirs, client.userId, id);
    }
    return room;
  }

  async function findNamed(client: MatrixClient, name: string): Promise<RoomRow> {
    const bare = name.replace(/^#/, "").replace(/:.*$/, "");
    const known = store.rooms.byId(name) ?? store.rooms.byKey(`group:${bare}`) ?? projectRoomNamed(bare);
    if (!known) throw new AppError("room_not_found", `There is no agent and no room ${name}.`);
    await client.join(known.id);
    return known;
  }

  function projectRoomNamed(name: string): RoomRow | undefined {
    const matches = store.rooms.all().filter((room) => room.kind === "project" && room.name === name);
    return matches.length === 1 ? matches[0] : undefined;
  }

  return {
    joinProject,
    async find(address, { client, project }) {
      if (address.kind === "agent") {
        const agent = store.agents.byName(address.name) as AgentRow;
        return findDirect(client, (await accounts.ofAgent(agent)).userId);
      }
      if (address.kind === "user") return findDirect(client, address.userId);
      if (address.kind === "room") return findNamed(client, address.name);
      if (!project)
        throw new AppError("room_not_found", "Nobody's project is meant here: name an agent or a room.");
      return joinProject(project, client);
    },
    async create(name, creator, members) {
      const bare = slug(name);
      const facts = { kind: "group", key: `group:${bare}`, name: bare } as const;
      const room = await findOrCreate(creator, bare, facts, "");
      await creator.join(room.id);
      for (const member of members) await creator.invite(room.id, member);
      return room;
    },
  };
}

/** Clients show rooms of two as people, not as rooms, by this list. */
async function noteDirect(client: MatrixClient, other: string, roomId: string): Promise<void> {
  const direct = ((await client.getAccountData("m.direct")) ?? {}) as Record<string, string[]>;
  const rooms = direct[other] ?? [];
  if (!rooms.includes(roomId))
    await client.setAccountData("m.direct", { ...direct, [other]: [...rooms, roomId] });
}

function slug(name: string): string {
  const plain = name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return plain.slice(0, 60) || "room";
}

function localpartOf(userId: string): string {
  return userId.slice(1, userId.indexOf(":"));
}

function serverOf(userId: string): string {
  return userId.slice(userId.indexOf(":") + 1);
}
