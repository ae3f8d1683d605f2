import { computed, signal } from "@preact/signals";
import type { RoomView } from "../../protocol/mail.ts";
import { token } from "./access.ts";
import { call } from "./api.ts";
import { listen } from "./live.ts";
import { throttle } from "./throttle.ts";

/** The rooms of this daemon; undefined until known. */
export const rooms = signal<RoomView[] | undefined>(undefined);
/** Why they cannot be told: mail may be switched off. */
export const mailTrouble = signal<Error | undefined>(undefined);
/** Known on every page, like the open questions. */
export const unread = computed(() => rooms.value?.reduce((sum, room) => sum + room.unread, 0) ?? 0);

async function load(): Promise<void> {
  if (token.value === null) return;
  try {
    rooms.value = (await call("GET /api/rooms", {})).rooms;
    mailTrouble.value = undefined;
  } catch (error) {
    mailTrouble.value = error as Error;
  }
}

export const reloadRooms = throttle(() => void load(), 250);

export function startMail(): void {
  listen(({ type }) => {
    // A project's room is made when its first session begins.
    if (type === "caught-up" || /^(?:message|room|session)\./.test(type)) reloadRooms();
  });
  token.subscribe(reloadRooms);
}

/** By the id of a room, or the name of an agent that one shares a room with. */
export function findRoom(key: string): RoomView | undefined {
  return rooms.value?.find(({ id, partner }) => id === key || partner === key);
}

export async function markRead({ id }: RoomView): Promise<void> {
  await call("POST /api/rooms/:room/read", { params: { room: id } });
}
