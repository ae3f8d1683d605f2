import { type MatrixAddress, MatrixError, requestMatrix } from "./request.ts";
import { readEvents, type SyncResponse } from "./sync-response.ts";
import { openPendingWrites, type PendingWrites } from "./pending-writes.ts";

interface NewRoom {
  name: string;
  topic?: string;
  /** The local part of an alias: `#NAME:server`. */
  alias?: string;
  invite?: string[];
  isDirect?: boolean;
  /** Anybody on the server may join. */
  isPublic?: boolean;
  /** Types of state that every member may set. */
  openState?: readonly string[];
  /** Users with full power besides us, the creator. */
  admins?: readonly string[];
  /** Some servers encrypt every new room with a private preset: ask for a public one, with an invitation needed. */
  avoidsEncryption?: boolean;
}

export interface StateEvent {
  type: string;
  stateKey: string;
  sender: string;
  content: Record<string, unknown>;
}

export type PresenceState = "online" | "unavailable" | "offline";

/** The homeserver calls that we need; they work with any homeserver. All throw `MatrixError`. */
export interface MatrixClient {
  readonly userId: string;
  sync(options: {
    since: string | undefined;
    waitMs: number;
    timeoutMs: number;
    /** The presence that others see while we sync. */
    presence: PresenceState;
    signal: AbortSignal;
  }): Promise<SyncResponse>;
  /** Newest first, between two positions from earlier responses. */
  messagesBefore(
    roomId: string,
    range: { from: string; to: string | undefined; limit: number },
  ): Promise<{ events: unknown[]; end: string | undefined }>;
  /** Idempotent: the same key yields the same event. */
  send(roomId: string, type: string, content: object, key: string): Promise<string>;
  /** Uploads a text as a file; returns its content URI. */
  upload(name: string, text: string): Promise<string>;
  setState(roomId: string, type: string, stateKey: string, content: object): Promise<void>;
  /** Undefined if there is no such state. */
  getState(roomId: string, type: string, stateKey: string): Promise<Record<string, unknown> | undefined>;
  /** All current state of a room. */
  listState(roomId: string): Promise<StateEvent[]>;
  createRoom(room: NewRoom): Promise<string>;
  join(roomIdOrAlias: string): Promise<string>;
  leave(roomId: string): Promise<void>;
  /** Inviting an existing member is not an error. */
  invite(roomId: string, userId: string): Promise<void>;
  /** Whether the server knows such a user. */
  hasUser(userId: string): Promise<boolean>;
  findAlias(alias: string): Promise<string | undefined>;
  joinedRooms(): Promise<string[]>;
  joinedMembers(roomId: string): Promise<string[]>;
  /** Sets the read marker: clients count unread messages from it and show where new ones begin. */
  markRead(roomId: string, eventId: string): Promise<void>;
  /** When the event was sent; undefined if it is not visible. */
  timeOfEvent(roomId: string, eventId: string): Promise<number | undefined>;
  setPresence(presence: PresenceState, message: string): Promise<void>;
  setDisplayName(name: string): Promise<void>;
  getAccountData(type: string): Promise<Record<string, unknown> | undefined>;
  setAccountData(type: string, content: object): Promise<void>;
}

const inviteOnly = [{ type: "m.room.join_rules", state_key: "", content: { join_rule: "invite" } }];

/** The timeline limit covers messages sent while we were offline: it is large enough that gaps are rare. */
const syncFilter = JSON.stringify({
  room: { timeline: { limit: 50 }, state: { lazy_load_members: true } },
  presence: { not_types: ["*"] },
});

/** Aborting `ending` cancels all current and future calls. */
export function makeMatrixClient(
  address: MatrixAddress,
  userId: string,
  ending: AbortSignal,
  writes: PendingWrites = openPendingWrites(),
): MatrixClient {
  const call = <T>(method: "GET" | "POST" | "PUT", path: string, body?: unknown): Promise<T> => {
    const request = { method, path, signals: [ending], ...(body === undefined ? {} : { body }) };
    const answer = requestMatrix<T>(address, request);
    return method === "GET" ? answer : writes.track(answer);
  };
  const me = encodeURIComponent(userId);
  const room = (roomId: string): string => `/v3/rooms/${encodeURIComponent(roomId)}`;

  return {
    userId,
    sync: ({ since, waitMs, timeoutMs, presence, signal }) =>
      requestMatrix<SyncResponse>(address, {
        method: "GET",
        path: "/v3/sync",
        query: {
          filter: syncFilter,
          timeout: String(waitMs),
          set_presence: presence,
          ...(since === undefined ? {} : { since }),
        },
        timeoutMs,
        signals: [signal, ending],
      }),
    async messagesBefore(roomId, { from, to, limit }) {
      const page = await requestMatrix<{ chunk: unknown[]; end?: string }>(address, {
        method: "GET",
        path: `${room(roomId)}/messages`,
        query: { dir: "b", from, limit: String(limit), ...(to === undefined ? {} : { to }) },
        signals: [ending],
      });
      return { events: page.chunk, end: page.end };
    },
    async send(roomId, type, content, key) {
      const path = `${room(roomId)}/send/${encodeURIComponent(type)}/${encodeURIComponent(key)}`;
      return (await call<{ event_id: string }>("PUT", path, content)).event_id;
    },
    async upload(name, text) {
      const answer = requestMatrix<{ content_uri: string }>(address, {
        method: "POST",
        path: "/_matrix/media/v3/upload",
        query: { filename: name },
        body: new TextEncoder().encode(text),
        signals: [ending],
      });
      return (await writes.track(answer)).content_uri;
    },
    async setState(roomId, type, stateKey, content) {
      const path = `${room(roomId)}/state/${encodeURIComponent(type)}/${encodeURIComponent(stateKey)}`;
      await call("PUT", path, content);
    },
    getState: (roomId, type, stateKey) =>
      undefinedIfMissing(
        call("GET", `${room(roomId)}/state/${encodeURIComponent(type)}/${encodeURIComponent(stateKey)}`),
      ),
    async listState(roomId) {
      const state = await call<unknown>("GET", `${room(roomId)}/state`);
      return readEvents(state).map(({ type, state_key, sender, content }) => ({
        type,
        stateKey: state_key ?? "",
        sender,
        content,
      }));
    },
    async createRoom({
      name,
      topic,
      alias,
      invite,
      isDirect,
      isPublic,
      openState,
      admins,
      avoidsEncryption,
    }) {
      const events = Object.fromEntries((openState ?? []).map((type) => [type, 0]));
      const body = {
        name,
        ...(topic ? { topic } : {}),
        ...(alias ? { room_alias_name: alias } : {}),
        invite: invite ?? [],
        is_direct: isDirect ?? false,
        preset:
          isPublic || avoidsEncryption ? "public_chat" : isDirect ? "trusted_private_chat" : "private_chat",
        ...(avoidsEncryption && !isPublic ? { initial_state: inviteOnly } : {}),
        power_level_content_override: {
          events,
          invite: 0,
          ...(admins ? { users: Object.fromEntries([userId, ...admins].map((user) => [user, 100])) } : {}),
        },
      };
      return (await call<{ room_id: string }>("POST", "/v3/createRoom", body)).room_id;
    },
    async join(roomIdOrAlias) {
      const path = `/v3/join/${encodeURIComponent(roomIdOrAlias)}`;
      return (await call<{ room_id: string }>("POST", path, {})).room_id;
    },
    async leave(roomId) {
      await call("POST", `${room(roomId)}/leave`, {});
    },
    async invite(roomId, invited) {
      try {
        await call("POST", `${room(roomId)}/invite`, { user_id: invited });
      } catch (error) {
        const members =
          error instanceof MatrixError && error.status === 403 ? await this.joinedMembers(roomId) : [];
        if (!members.includes(invited)) throw error;
      }
    },
    hasUser: async (user) =>
      (await undefinedIfMissing(call<object>("GET", `/v3/profile/${encodeURIComponent(user)}`))) !==
      undefined,
    async findAlias(alias) {
      const found = await undefinedIfMissing(
        call<{ room_id: string }>("GET", `/v3/directory/room/${encodeURIComponent(alias)}`),
      );
      return found?.room_id;
    },
    async joinedRooms() {
      return (await call<{ joined_rooms: string[] }>("GET", "/v3/joined_rooms")).joined_rooms;
    },
    async joinedMembers(roomId) {
      return Object.keys((await call<{ joined: object }>("GET", `${room(roomId)}/joined_members`)).joined);
    },
    async markRead(roomId, eventId) {
      await call("POST", `${room(roomId)}/read_markers`, { "m.read": eventId, "m.fully_read": eventId });
    },
    async timeOfEvent(roomId, eventId) {
      const path = `${room(roomId)}/event/${encodeURIComponent(eventId)}`;
      const event = call<{ origin_server_ts?: unknown }>("GET", path);
      const time = (await undefinedIfMissing(event, [403, 404]))?.origin_server_ts;
      return Number.isSafeInteger(time) ? (time as number) : undefined;
    },
    async setPresence(presence, message) {
      await call("PUT", `/v3/presence/${me}/status`, { presence, status_msg: message });
    },
    async setDisplayName(name) {
      await call("PUT", `/v3/profile/${me}/displayname`, { displayname: name });
    },
    getAccountData: (type) =>
      undefinedIfMissing(call("GET", `/v3/user/${me}/account_data/${encodeURIComponent(type)}`)),
    async setAccountData(type, content) {
      await call("PUT", `/v3/user/${me}/account_data/${encodeURIComponent(type)}`, content);
    },
  };
}

async function undefinedIfMissing<T>(
  answer: Promise<T>,
  absent: readonly number[] = [404],
): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof MatrixError && absent.includes(error.status)) return undefined;
    throw error;
  }
}
