import type { MatrixClient } from "../../matrix-client/client.ts";
import { MatrixError } from "../../matrix-client/request.ts";

/** Account data that maps people to rooms, stored on the server: it survives restarts and is visible only to us. */
const ownType = "com.rookery.private_rooms";

/** Finds the room with exactly these people, or creates it and invites them. Questions are visible to no one else. */
export async function findPrivateRoom(client: MatrixClient, people: readonly string[]): Promise<string> {
  const key = people.toSorted().join(" ");
  const rooms = ((await client.getAccountData(ownType)) ?? {}) as Record<string, string>;
  const known = rooms[key];
  if (known && (await isOurs(client, known, people))) return known;
  const [only] = people;
  const isDirect = people.length === 1;
  const id = await client.createRoom({ name: "Rookery", invite: [...people], isDirect });
  await client.setAccountData(ownType, { ...rooms, [key]: id });
  if (isDirect && only) {
    const direct = ((await client.getAccountData("m.direct")) ?? {}) as Record<string, string[]>;
    await client.setAccountData("m.direct", { ...direct, [only]: [...(direct[only] ?? []), id] });
  }
  return id;
}

/** Whether we are still in the room and everyone else is in it or invited. */
async function isOurs(client: MatrixClient, roomId: string, people: readonly string[]): Promise<boolean> {
  try {
    const members = await Promise.all(
      people.map((userId) => client.getState(roomId, "m.room.member", userId)),
    );
    return members.every((member) => member?.membership === "join" || member?.membership === "invite");
  } catch (error) {
    if (error instanceof MatrixError && error.retryAfterMs === undefined && error.status !== 401)
      return false;
    throw error;
  }
}
