import type { MatrixClient, PresenceState } from "../../matrix-client/client.ts";
import { fillGap } from "../../matrix-client/fill-gap.ts";
import { followSync } from "../../matrix-client/follow-sync.ts";
import { MatrixError } from "../../matrix-client/request.ts";
import { listRooms, type SyncResponse, type SyncedRoom } from "../../matrix-client/sync-response.ts";
import { backoffMs } from "../../shared/backoff.ts";
import type { Log } from "../../shared/log.ts";
import type { AgentRow } from "../../store/agents.ts";
import type { Accounts } from "../matrix/accounts.ts";
import { receiveMail, type SyncUpdate, type RoomUpdate } from "./incoming.ts";
import type { DaemonContext } from "../runtime/context.ts";

/** An account whose homeserver sync we follow: one long poll each. */
interface Follower {
  /** Our key for it. */
  key: string;
  name: string;
  signIn(): Promise<MatrixClient>;
  /** The agents behind the account now; none for the person's own. */
  agents(): readonly AgentRow[];
  /** Whether this account receives the person's read receipts. */
  watchesPerson: boolean;
  presence(): PresenceState;
}

interface Followers {
  /** Does nothing for an account that is already followed. */
  add(follower: Follower): void;
  remove(key: string): void;
  /** The followed accounts, with their error if there is one. */
  health(): { agent: string; trouble: string }[];
  stop(): Promise<void>;
}

interface FollowersDeps extends Pick<DaemonContext, "store" | "bus" | "log" | "clock"> {
  accounts: Accounts;
  owner: string;
  /** Called when an invitation or a room cannot be used. */
  onLimit(text: string): void;
}

const signInAgain = { firstMs: 1_000, maxMs: 30_000 };

export function openFollowers(deps: FollowersDeps): Followers {
  const { store, bus, log, accounts } = deps;
  const running = new Map<
    string,
    { name: string; trouble: string; abort: AbortController; ended: Promise<void> }
  >();

  async function listen(
    follower: Follower,
    signal: AbortSignal,
    onHealth: (trouble: string) => void,
  ): Promise<void> {
    let failures = 0;
    let logged = "";
    while (!signal.aborted) {
      let client: MatrixClient | undefined;
      try {
        client = await follower.signIn();
        const since = store.rooms.cursor(client.userId);
        const onAnswer = (answer: SyncResponse): Promise<void> => {
          failures = 0;
          logged = "";
          return handleSync(follower, client as MatrixClient, answer, signal);
        };
        const { presence } = follower;
        await followSync({ client, since, onAnswer, onHealth, presence, jitter: Math.random, signal });
      } catch (error) {
        if (signal.aborted) return;
        const { message } = error as Error;
        onHealth(message);
        // An invalid token, or a homeserver that is not up yet.
        if (client && error instanceof MatrixError && error.status === 401) accounts.forget(client);
        else if (message !== logged) log.warn("mail is not followed", { agent: follower.name, error });
        logged = message;
        failures += 1;
        await sleep(backoffMs(failures, signInAgain), signal);
      }
    }
  }

  async function handleSync(
    follower: Follower,
    client: MatrixClient,
    answer: SyncResponse,
    signal: AbortSignal,
  ): Promise<void> {
    const { userId } = client;
    const since = store.rooms.cursor(userId);
    const { joined, invited } = listRooms(answer);
    const direct = new Map<string, string>();
    for (const { roomId, inviter, isDirect } of invited) {
      if (!(await accept(client, roomId, inviter))) continue;
      if (isDirect && inviter) direct.set(roomId, inviter);
    }
    const rooms: RoomUpdate[] = [];
    for (const room of joined) rooms.push(await readRoom(client, room, since));
    // Rooms are stored before any message in them is read.
    for (const [roomId, directWith] of direct)
      rooms.push({ roomId, events: [], name: undefined, directWith });
    const read = follower.watchesPerson ? await readReceipts(client, joined) : [];
    if (signal.aborted) return; // The next sync returns it again.
    const update = { since: answer.next_batch, rooms, read };
    const busEvents = receiveMail(deps, { userId, agents: follower.agents() }, update);
    for (const event of busEvents) bus.publish(event);
  }

  async function readRoom(
    client: MatrixClient,
    room: SyncedRoom,
    since: string | undefined,
  ): Promise<RoomUpdate> {
    const { roomId, name } = room;
    const isDirect = store.rooms.byId(roomId)?.kind === "direct";
    // In a group room, messages from before our first sync are not for us.
    const isOurs = since !== undefined || isDirect;
    const gap =
      room.gapBefore && isOurs
        ? await fillGap(client, roomId, room.gapBefore, since)
        : { events: [], isComplete: true };
    if (!gap.isComplete) log.warn("a gap in a room is too long to be filled", { room: roomId });
    const events = [...gap.events, ...room.events];
    await refuseEncryption(client, room, log);
    return { roomId, events, name, directWith: undefined };
  }

  /** Receipts may name an event that we do not keep: clients mark the latest one, whatever it is. */
  async function readReceipts(client: MatrixClient, rooms: SyncedRoom[]): Promise<SyncUpdate["read"]> {
    const read: SyncUpdate["read"] = [];
    for (const { roomId, receipts, events } of rooms)
      for (const { userId, eventId } of receipts) {
        if (userId !== accounts.ownerId) continue;
        const at =
          store.messages.byEvent(eventId)?.createdAt ??
          events.find(({ event_id }) => event_id === eventId)?.origin_server_ts ??
          (await client.timeOfEvent(roomId, eventId));
        if (at !== undefined) read.push({ roomId, at });
      }
    return read;
  }

  async function accept(client: MatrixClient, roomId: string, inviter: string | undefined): Promise<boolean> {
    if (!accounts.mayInvite(inviter)) {
      deps.onLimit(`${inviter ?? "Someone"} invited us to a room: accept with matrix.invitedBy.`);
      log.warn("an invitation was not accepted: matrix.invitedBy does not list its sender", {
        room: roomId,
        inviter,
      });
      return false;
    }
    try {
      await client.join(roomId);
      return true;
    } catch (error) {
      if (!(error instanceof MatrixError) || error.retryAfterMs !== undefined) throw error; // The next sync returns it again.
      log.warn("an invitation could not be accepted", { room: roomId, inviter, error });
      return false;
    }
  }

  return {
    add(follower) {
      if (running.has(follower.key)) return;
      const abort = new AbortController();
      const entry = { name: follower.name, trouble: "", abort, ended: Promise.resolve() };
      running.set(follower.key, entry);
      entry.ended = listen(follower, abort.signal, (trouble) => {
        entry.trouble = trouble;
      });
    },
    remove(key) {
      running.get(key)?.abort.abort();
      running.delete(key);
    },
    health: () => [...running.values()].map(({ name, trouble }) => ({ agent: name, trouble })),
    async stop() {
      const all = [...running.values()];
      running.clear();
      for (const { abort } of all) abort.abort();
      await Promise.all(all.map(({ ended }) => ended));
    },
  };
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}

const notice =
  "This room is encrypted, and I cannot read encrypted messages. Please write to me in a room without encryption " +
  "(encryption cannot be turned off in an existing room).";

/** Replies once per encrypted room that we cannot read it. */
async function refuseEncryption(client: MatrixClient, room: SyncedRoom, log: Log): Promise<void> {
  const { roomId } = room;
  if (!room.isEncrypted || !room.events.some((event) => event.sender !== client.userId)) return;
  const content = { msgtype: "m.notice", body: notice };
  try {
    await client.send(roomId, "m.room.message", content, `encrypted-${roomId}`);
    log.warn("an encrypted room cannot be read", { room: roomId });
  } catch (error) {
    if (!(error instanceof MatrixError) || error.retryAfterMs !== undefined) throw error;
    log.warn("an encrypted room cannot be read, nor written to", { room: roomId, error });
  }
}
