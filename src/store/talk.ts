import type { TalkView } from "../protocol/today.ts";
import type { Database } from "../sqlite/sqlite.ts";

const maxPairs = 100;

/** The number of messages between each sender and recipient. In a shared room the recipient is the room. */
export function readTalk(db: Database, { from, to }: { from: number; to: number }): TalkView {
  return {
    pairs: db
      .all<Omit<TalkView["pairs"][number], "isRoom"> & { isRoom: number }>(
        `SELECT m.sender, CASE WHEN r.kind = 'direct' THEN a.name ELSE r.name END AS recipient, r.kind <> 'direct' AS isRoom,
           r.id AS room, count(DISTINCT m.id) AS messages, max(m.created_at) AS lastAt
         FROM rooms r JOIN messages m ON m.room_id = r.id AND m.created_at >= ? AND m.created_at < ? AND m.kind <> 'lease'
           LEFT JOIN deliveries d ON r.kind = 'direct' AND d.message_id = m.id LEFT JOIN agents a ON a.id = d.agent_id
         GROUP BY r.id, m.sender, recipient ORDER BY messages DESC, lastAt DESC LIMIT ${maxPairs}`,
        from,
        to,
      )
      .map((pair) => ({ ...pair, isRoom: pair.isRoom === 1 })),
  };
}
