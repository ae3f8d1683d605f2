import { refuse } from "../errors.ts";
import type { StateView, StoredEvent } from "../rules/event.ts";
import { findRoomVersion, type RoomVersion } from "../rules/room-version.ts";
import type { EventLog } from "./event-log.ts";
import type { BatchedDatabase } from "./batched-database.ts";

/** A room in memory, with its state and its newest events, which /sync is served from. */
export interface Room {
  readonly n: number;
  readonly id: string;
  readonly version: RoomVersion;
  isPublic: boolean;
  readonly state: ReadonlyMap<string, StoredEvent>;
  readonly view: StateView;
  /** The approximate size of the state. */
  readonly stateBytes: number;
  readonly joined: ReadonlySet<string>;
  /** The newest events, oldest first. Contains every event after `recentFrom`. */
  readonly recent: readonly StoredEvent[];
  readonly recentFrom: number;
  readonly last: StoredEvent | undefined;
  /** True if the history visibility was ever `invited` or `joined`. */
  readonly hasHiddenHistory: boolean;
  /** Ids of events that other events relate to. */
  readonly parents: Set<string>;
  /** The events after a position, oldest first; undefined if they are not all in memory. */
  recentSince(after: number): readonly StoredEvent[] | undefined;
  /** Adds an event to the state and the recent events. */
  add(event: StoredEvent): void;
  find(id: string): StoredEvent | undefined;
  stateEvents(type: string): StoredEvent[];
}

export interface Rooms {
  create(id: string, version: RoomVersion, at: number, isPublic: boolean): Room;
  find(id: string): Room | undefined;
  /** `M_NOT_FOUND` for an unknown room. */
  get(id: string): Room;
  setPublic(room: Room, isPublic: boolean): void;
  publicIds(): string[];
  count(): number;
  /** The approximate size of the rooms in memory. */
  heldBytes(): number;
}

/** Above one of the limits the list is trimmed to `keptRecent` events and half of the bytes. */
const maxRecent = 400;
const keptRecent = 200;
const maxRecentBytes = 2_000_000;
/** Above this, all rooms are dropped from memory; rooms in use are read again. */
const maxHeldBytes = 96_000_000;

export function stateKeyOf(type: string, stateKey: string): string {
  return `${type}\0${stateKey}`;
}

export function openRooms(db: BatchedDatabase, log: EventLog): Rooms {
  const known = new Map<string, Room>();
  let heldBytes = 0;
  db.onInvalidate(drop);
  let nextN = (db.get<{ n: number | null }>("SELECT max(n) AS n FROM rooms")?.n ?? 0) + 1;

  function drop(): void {
    known.clear();
    heldBytes = 0;
  }

  /** Not at once: a handler that is running may add to a room that it holds, and no other copy may be read before. */
  function hold(bytes: number): void {
    if (heldBytes <= maxHeldBytes && heldBytes + bytes > maxHeldBytes) setImmediate(drop);
    heldBytes = Math.max(0, heldBytes + bytes);
  }

  function find(id: string): Room | undefined {
    const room = known.get(id);
    if (room) return room;
    const row = db.get<{ n: number; version: string; isPublic: number }>(
      "SELECT n, version, is_public AS isPublic FROM rooms WHERE id = ?",
      id,
    );
    const version = row && findRoomVersion(row.version);
    if (!version) return undefined;
    const loaded = loadRoom({ n: row.n, id, version, isPublic: row.isPublic === 1 }, { log, db, hold });
    known.set(id, loaded);
    return loaded;
  }

  return {
    find,
    get: (id) => find(id) ?? refuse("M_NOT_FOUND", `There is no room ${id}.`),
    create(id, version, at, isPublic) {
      const n = nextN++;
      db.write(
        "INSERT INTO rooms (n, id, version, is_public, created_at) VALUES (?, ?, ?, ?, ?)",
        n,
        id,
        version.id,
        isPublic,
        at,
      );
      const room = makeRoom({ n, id, version, isPublic }, hold);
      known.set(id, room);
      return room;
    },
    setPublic(room, isPublic) {
      room.isPublic = isPublic;
      db.write("UPDATE rooms SET is_public = ? WHERE n = ?", isPublic, room.n);
    },
    publicIds: () => db.all<{ id: string }>("SELECT id FROM rooms WHERE is_public = 1").map(({ id }) => id),
    count: () => db.get<{ n: number }>("SELECT count(*) AS n FROM rooms")?.n ?? 0,
    heldBytes: () => heldBytes,
  };
}

type RoomHead = Pick<Room, "n" | "id" | "version" | "isPublic">;

/** Counts bytes that are now in memory; fewer if negative. */
type Hold = (bytes: number) => void;

function loadRoom(
  head: RoomHead,
  { log, db, hold }: { log: EventLog; db: BatchedDatabase; hold: Hold },
): Room {
  const all = Number.MAX_SAFE_INTEGER;
  const recent = log.range(head.n, { after: 0, upTo: all, direction: "b", limit: keptRecent }).toReversed();
  const oldest = recent[0];
  const hidden = log.stateHistory(head.n, "m.room.history_visibility", "").some(hidesHistory);
  const parents = db.all<{ parent: string }>(
    "SELECT DISTINCT parent FROM events WHERE room = ? AND parent IS NOT NULL",
    head.n,
  );
  return makeRoom(head, hold, {
    state: log.stateAt(head.n, all),
    recent,
    recentFrom: oldest && oldest.depth > 1 ? oldest.stream - 1 : 0,
    hasHiddenHistory: hidden,
    parents: parents.map(({ parent }) => parent),
  });
}

interface LoadedRoom {
  state: StoredEvent[];
  recent: StoredEvent[];
  recentFrom: number;
  hasHiddenHistory: boolean;
  parents: string[];
}

function makeRoom(head: RoomHead, hold: Hold, loaded?: LoadedRoom): Room {
  const state = new Map<string, StoredEvent>();
  const joined = new Set<string>();
  const recent = loaded?.recent ?? [];
  let recentFrom = loaded?.recentFrom ?? 0;
  let recentBytes = sumBytes(recent);
  let stateBytes = 0;
  hold(recentBytes);
  let hasHiddenHistory = loaded?.hasHiddenHistory ?? false;

  function applyState(event: StoredEvent): void {
    const { type, stateKey } = event;
    if (stateKey === undefined) return;
    const key = stateKeyOf(type, stateKey);
    const added = event.bytes - (state.get(key)?.bytes ?? 0);
    stateBytes += added;
    hold(added);
    state.set(key, event);
    if (type !== "m.room.member") return;
    if (event.content.membership === "join") joined.add(stateKey);
    else joined.delete(stateKey);
  }
  for (const event of loaded?.state ?? []) applyState(event);
  if (recentBytes > maxRecentBytes) trim();

  function trim(): void {
    let kept = 0;
    let bytes = 0;
    // The newest event is always kept.
    for (; kept < Math.min(recent.length, keptRecent); kept++) {
      const next = recent[recent.length - 1 - kept]?.bytes ?? 0;
      if (kept > 0 && bytes + next > maxRecentBytes / 2) break;
      bytes += next;
    }
    recent.splice(0, recent.length - kept);
    hold(bytes - recentBytes);
    recentBytes = bytes;
    recentFrom = (recent[0]?.stream ?? 1) - 1;
  }

  return {
    ...head,
    state,
    view: (type, stateKey = "") => state.get(stateKeyOf(type, stateKey)),
    get stateBytes() {
      return stateBytes;
    },
    joined,
    recent,
    get recentFrom() {
      return recentFrom;
    },
    get last() {
      return recent.at(-1);
    },
    get hasHiddenHistory() {
      return hasHiddenHistory;
    },
    parents: new Set(loaded?.parents),
    recentSince(after) {
      if (after < recentFrom) return undefined;
      return recent.slice(recent.findLastIndex(({ stream }) => stream <= after) + 1);
    },
    add(event) {
      applyState(event);
      if (event.type === "m.room.history_visibility" && hidesHistory(event)) hasHiddenHistory = true;
      recent.push(event);
      recentBytes += event.bytes;
      hold(event.bytes);
      if (recent.length > maxRecent || recentBytes > maxRecentBytes) trim();
    },
    find: (id) => recent.findLast((event) => event.id === id),
    stateEvents: (type) => [...state.values()].filter((event) => event.type === type),
  };
}

function sumBytes(events: readonly StoredEvent[]): number {
  return events.reduce((sum, { bytes }) => sum + bytes, 0);
}

function hidesHistory({ content }: StoredEvent): boolean {
  return content.history_visibility === "invited" || content.history_visibility === "joined";
}
