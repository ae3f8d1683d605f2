import type { MatrixClient } from "../../matrix-client/client.ts";
import { MatrixError } from "../../matrix-client/request.ts";

/** Where we keep which room is whose, on the server itself: so it is known after a restart, and to nobody else. */
const ownType = "com.rookery.private_rooms";

/** The one room with exactly these people: found, or made and they are asked in. Nobody else gets to see a question. */
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

/** We are still in it, and so is everybody else it is for (or they have not answered the invitation yet). */
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
