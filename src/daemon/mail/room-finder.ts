import { hash } from "node:crypto";
import type { MatrixClient, StateEvent } from "../../matrix-client/client.ts";
import { MatrixError } from "../../matrix-client/request.ts";
import { type Address, makePairKey } from "../../domain/mail/address.ts";
import { isMachine } from "../../domain/mail/machine.ts";
import { agentStateType, leaseField } from "../../domain/mail/message.ts";
import { AppError } from "../../shared/errors.ts";
import { findNearest } from "../../shared/find-nearest.ts";
import type { AgentRow } from "../../store/agents.ts";
import type { ProjectRow } from "../../store/projects.ts";
import type { RoomRow } from "../../store/rooms.ts";
import type { Accounts } from "../matrix/accounts.ts";
import type { DaemonContext } from "../runtime/context.ts";

/** Finds the room for an address, and creates it if there is none. */
export interface RoomFinder {
  /** For an agent of another machine, also how to address it. */
  find(address: Address, sender: { client: MatrixClient; project: ProjectRow | undefined }): Promise<Place>;
  /** The room of a project, with this account and the owner in it. */
  joinProject(project: ProjectRow, client: MatrixClient): Promise<RoomRow>;
  create(name: string, creator: MatrixClient, members: readonly string[]): Promise<RoomRow>;
  /** Throws at once for an address that cannot exist, and suggests the nearest one. */
  check(address: Address, sender: AgentRow | undefined): void;
  /**
   * Forgets a room that we cannot send to, so that it is found or created again. A room that the user created is kept.
   */
  forget(roomId: string): void;
}

interface Place {
  room: RoomRow;
  remote?: RemoteAgent;
}

/** An agent of another machine. */
export interface RemoteAgent {
  /** `name@machine`, with the machine's id. */
  name: string;
  userId: string;
  /** Whether the account belongs to this agent alone. */
  isOwnAccount: boolean;
}

/** State that every member of our rooms may set. */
const openState = [agentStateType, leaseField];

interface RoomFinderDeps extends Pick<DaemonContext, "store" | "clock"> {
  accounts: Accounts;
  /** The identity that all checkouts of a project share; undefined for a project without a remote. */
  readKey(project: ProjectRow): Promise<string | undefined>;
  /** Called when a room was found or created for the first time. */
  onKnown(roomId: string): void;
  /** Called when the server does not allow what rooms need. */
  onLimit(text: string): void;
}

export function makeRoomFinder(deps: RoomFinderDeps): RoomFinder {
  const { store, accounts, clock } = deps;
  const searches = new Map<string, Promise<RoomRow>>();
  /** Known memberships: `user room`. */
  const seated = new Set<string>();

  function keep(room: Omit<RoomRow, "keepDays" | "createdAt">): RoomRow {
    store.rooms.put({ ...room, keepDays: null, createdAt: clock() });
    deps.onKnown(room.id);
    return store.rooms.byId(room.id) as RoomRow;
  }

  /** Concurrent searches for one room share one result. */
  function search(key: string, work: () => Promise<RoomRow>): Promise<RoomRow> {
    const known = store.rooms.byKey(key);
    if (known) return Promise.resolve(known);
    const running = searches.get(key) ?? work().finally(() => searches.delete(key));
    searches.set(key, running);
    return running;
  }

  async function join(client: MatrixClient, roomId: string): Promise<void> {
    const seat = `${client.userId} ${roomId}`;
    if (seated.has(seat)) return;
    try {
      await client.join(roomId);
    } catch (error) {
      const isRefused = error instanceof MatrixError && error.status === 403;
      if (!isRefused || !accounts.isOutside || client.userId === accounts.speakerId()) throw error;
      const host = await accounts.clientOfOwner();
      await join(host, roomId);
      await host.invite(roomId, client.userId);
      await client.join(roomId);
    }
    seated.add(seat);
  }

  /** If two homes create it at once, the one that loses the alias uses the winner's room. */
  function findOrCreate(
    client: MatrixClient,
    alias: string,
    room: Pick<RoomRow, "kind" | "key" | "name">,
    topic: string,
  ): Promise<RoomRow> {
    return search(room.key, async () => {
      const fullAlias = `#${alias}:${serverOf(client.userId)}`;
      const found = await client.findAlias(fullAlias);
      if (found) return keep({ ...room, id: found });
      // On our own homeserver the owner approved every user; elsewhere people are invited.
      const access = accounts.isOutside
        ? { invite: accounts.ownerId ? [accounts.ownerId] : [], avoidsEncryption: true }
        : { isPublic: true, admins: [accounts.ownerId] };
      const creator = accounts.isOutside ? await accounts.clientOfOwner() : client;
      try {
        const id = await creator.createRoom({ name: room.name, topic, alias, openState, ...access });
        await checkEncryption(creator, id);
        return keep({ ...room, id });
      } catch (error) {
        const winner = await client.findAlias(fullAlias);
        if (!winner) throw error;
        return keep({ ...room, id: winner });
      }
    });
  }

  async function joinProject(project: ProjectRow, client: MatrixClient): Promise<RoomRow> {
    const alias = await makeAlias(project, client);
    const facts = { kind: "project", key: `project:${project.id}`, name: project.name } as const;
    const room = await findOrCreate(client, alias, facts, `Agents and people working on ${project.name}`);
    await join(client, room.id);
    await join(await accounts.clientOfOwner(), room.id);
    return room;
  }

  /** The same for every checkout of a repository, on every machine; unrelated projects of one name have different ones. */
  async function makeAlias(project: ProjectRow, client: MatrixClient): Promise<string> {
    const own = `${slug(project.name)}-${project.id.slice(-6)}`;
    const key = store.rooms.byKey(`project:${project.id}`) ? undefined : await deps.readKey(project);
    if (key === undefined) return own;
    const repository = slug(key.slice(key.lastIndexOf("/") + 1));
    const shared = `rookery-${repository}-${hash("sha256", key).slice(0, 8)}`;
    // A second clone on this machine is a project of its own.
    const found = await client.findAlias(`#${shared}:${serverOf(client.userId)}`);
    return found !== undefined && store.rooms.byId(found)?.kind === "project" ? own : shared;
  }

  async function checkEncryption(client: MatrixClient, roomId: string): Promise<void> {
    if (!accounts.isOutside || !(await client.getState(roomId, "m.room.encryption", ""))) return;
    deps.onLimit(
      "It encrypts every new room, so agents cannot read their own rooms. Ask its administrator to exempt them.",
    );
  }

  /** Finds an agent of another machine by the state that each agent keeps in its project's room. */
  async function findRemote(
    { name, machine, userId }: Extract<Address, { kind: "remote" }>,
    client: MatrixClient,
    project: ProjectRow | undefined,
  ): Promise<Place> {
    const own = project && (await joinProject(project, client));
    const rooms = new Map([...(own ? [own] : []), ...store.rooms.all()].map((room) => [room.id, room]));
    for (const room of rooms.values()) {
      if (room.kind === "direct") continue;
      const found = new Map<string, RemoteAgent>();
      for (const { type, stateKey, sender, content } of await listState(client, room.id)) {
        const { agent, machine_id: id, host } = content;
        const isHere =
          type === agentStateType && agent === name && typeof id === "string" && typeof host === "string";
        if (!isHere || !isMachine({ id, name: host }, machine) || (userId && userId !== sender)) continue;
        if (accounts.machine.id !== id)
          found.set(id, { name: `${name}@${id}`, userId: sender, isOwnAccount: stateKey === sender });
      }
      const [remote, ...others] = found.values();
      if (remote && others.length === 0) return { room, remote };
      if (remote)
        throw new AppError(
          "room_not_found",
          `Several machines are called ${machine}: set matrix.machine to another name on one of them.`,
        );
    }
    throw new AppError(
      "room_not_found",
      `No agent ${name} of a machine ${machine} is in a room that you share.`,
    );
  }

  async function listState(client: MatrixClient, roomId: string): Promise<StateEvent[]> {
    try {
      return await client.listState(roomId);
    } catch (error) {
      if (error instanceof MatrixError && error.status === 403) return []; // No longer a member.
      throw error;
    }
  }

  /** The direct chat with a user. A person is invited; an agent of ours joins at once. */
  function findDirect(client: MatrixClient, other: string): Promise<RoomRow> {
    const key = makePairKey(client.userId, other);
    return search(key, async () => {
      // Our homeserver does not federate: a user it does not know cannot be reached.
      if (!accounts.isOutside && !(await client.hasUser(other)))
        throw new AppError("room_not_found", `There is no user ${other} on this homeserver.`);
      const name = `${localpartOf(client.userId)} and ${localpartOf(other)}`;
      const id = await client.createRoom({
        name,
        invite: [other],
        isDirect: true,
        avoidsEncryption: accounts.isOutside,
      });
      const room = keep({ id, kind: "direct", key, name });
      await markDirect(client, other, id);
      const agent = accounts.findAgent(other);
      const theirs = agent ? await accounts.clientOfAgent(agent) : undefined;
      const mine =
        other === accounts.ownerId && !accounts.isOutside ? await accounts.clientOfOwner() : undefined;
      for (const account of [theirs, mine]) {
        if (!account) continue;
        await account.join(id);
        await markDirect(account, client.userId, id);
      }
      return room;
    });
  }

  async function findNamed(client: MatrixClient, name: string): Promise<RoomRow> {
    const room = requireRoom(name);
    await join(client, room.id);
    return room;
  }

  function requireRoom(name: string): RoomRow {
    const bare = name.replace(/^#/, "").replace(/:.*$/, "");
    const known = store.rooms.byId(name) ?? store.rooms.byKey(`group:${bare}`) ?? findProjectRoom(bare);
    if (known) return known;
    const names = [...store.agents.all(), ...store.rooms.all()].map((each) => each.name);
    const guess = findNearest(bare, names);
    throw new AppError(
      "room_not_found",
      `There is no agent and no room ${bare}.${guess ? ` Did you mean ${guess}?` : ""}`,
    );
  }

  function findProjectRoom(name: string): RoomRow | undefined {
    const matches = store.rooms.all().filter((room) => room.kind === "project" && room.name === name);
    return matches.length === 1 ? matches[0] : undefined;
  }

  async function findAgent(client: MatrixClient, name: string): Promise<RoomRow> {
    const agent = store.agents.byName(name) as AgentRow;
    // Agents behind one account share the project's room; the message names its recipient.
    const project = accounts.isShared ? store.projects.byPath(agent.project) : undefined;
    if (project) return joinProject(project, client);
    return findDirect(client, (await accounts.clientOfAgent(agent)).userId);
  }

  return {
    joinProject,
    check(address, sender) {
      if (address.kind === "room") requireRoom(address.name);
      if (address.kind === "project" && !sender) throw makeNameRequired();
      if (address.kind === "agent" && address.name === sender?.name)
        throw new AppError("invalid_payload", "You cannot message yourself.");
    },
    async find(address, { client, project }) {
      if (address.kind === "remote") return findRemote(address, client, project);
      if (address.kind === "agent") return { room: await findAgent(client, address.name) };
      if (address.kind === "user") return { room: await findDirect(client, address.userId) };
      if (address.kind === "room") return { room: await findNamed(client, address.name) };
      if (!project) throw makeNameRequired();
      return { room: await joinProject(project, client) };
    },
    async create(name, creator, members) {
      const bare = slug(name);
      const facts = { kind: "group", key: `group:${bare}`, name: bare } as const;
      const room = await findOrCreate(creator, bare, facts, "");
      await join(creator, room.id);
      for (const member of members) if (member !== creator.userId) await creator.invite(room.id, member);
      return room;
    },
    forget(roomId) {
      for (const seat of seated) if (seat.endsWith(` ${roomId}`)) seated.delete(seat);
      const room = store.rooms.byId(roomId);
      if (room && room.kind !== "group") store.rooms.remove(roomId);
    },
  };
}

function makeNameRequired(): AppError {
  return new AppError(
    "room_not_found",
    "This address needs a project, but you are not in a project: name an agent or a room.",
  );
}

/** Clients show rooms on this list as people. */
async function markDirect(client: MatrixClient, other: string, roomId: string): Promise<void> {
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
