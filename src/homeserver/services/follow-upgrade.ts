import { isObject } from "../json.ts";
import type { AccountData } from "./account-data.ts";
import type { PushRules } from "./push-rules.ts";
import type { Room } from "./rooms.ts";

/** When a user joins an upgraded room, copies their push rule, tags and direct-chat mark from the old one. */
export type FollowUpgrade = (room: Room, userId: string) => void;

export function makeFollowUpgrade(accountData: AccountData, pushRules: PushRules): FollowUpgrade {
  return (room, userId) => {
    const predecessor = room.view("m.room.create")?.content.predecessor;
    const oldId = isObject(predecessor) ? predecessor.room_id : undefined;
    if (typeof oldId !== "string") return;
    const rule = pushRules.get(userId).room.find(({ rule_id: id }) => id === oldId);
    if (rule)
      pushRules.put(userId, "room", { ...rule, rule_id: room.id }, { before: undefined, after: undefined });
    const tags = accountData.get(userId, oldId, "m.tag");
    if (tags) accountData.set(userId, room.id, "m.tag", tags);
    const direct = accountData.get(userId, "", "m.direct");
    if (!direct || !Object.values(direct).some((ids) => Array.isArray(ids) && ids.includes(oldId))) return;
    const followed = Object.entries(direct).map(([other, ids]) => [
      other,
      Array.isArray(ids) && ids.includes(oldId) ? [...ids, room.id] : ids,
    ]);
    accountData.set(userId, "", "m.direct", Object.fromEntries(followed));
  };
}
