import { computed, signal } from "@preact/signals";
import type { RoomView } from "../../protocol/mail.ts";
import { token } from "./access.ts";
import { call } from "./api.ts";
import { listen } from "./live.ts";
import { throttle } from "./throttle.ts";

/** The rooms of this daemon; undefined until loaded. */
export const rooms = signal<RoomView[] | undefined>(undefined);
/** Why the rooms could not be loaded, for example because mail is switched off. */
export const mailError = signal<Error | undefined>(undefined);
/** Unread messages for the person, without those of muted rooms; shown in the navigation on every page. */
export const unread = computed(
  () => rooms.value?.reduce((sum, room) => sum + (room.isMuted ? 0 : room.unread), 0) ?? 0,
);

async function load(): Promise<void> {
  if (token.value === null) return;
  try {
    rooms.value = (await call("GET /api/rooms", {})).rooms;
    mailError.value = undefined;
  } catch (error) {
    mailError.value = error as Error;
  }
}

export const reloadRooms = throttle(() => void load(), 250);

export function startMail(): void {
  listen(({ type }) => {
    // A project's room is created when its first session starts.
    if (type === "reconnected" || /^(?:message|room|session)\./.test(type)) reloadRooms();
  });
  token.subscribe(reloadRooms);
}

/** Finds a room by its id, or by the agent of a direct room. */
export function findRoom(key: string): RoomView | undefined {
  return rooms.value?.find(({ id, partner }) => id === key || partner === key);
}

export async function setMuted({ id }: RoomView, muted: boolean): Promise<void> {
  await call("PATCH /api/rooms/:room", { params: { room: id }, body: { muted } });
  reloadRooms();
}

export async function markRead({ id }: RoomView): Promise<void> {
  await call("POST /api/rooms/:room/read", { params: { room: id } });
}
