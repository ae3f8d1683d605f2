import type { BatchedDatabase } from "./batched-database.ts";
import type { Media } from "./media.ts";

/** Ids of this server's media files that a text refers to. */
function findAttached(text: string, serverName: string): string[] {
  const ids = [...text.matchAll(/mxc:\/\/([^/"\\]+)\/([A-Za-z]+)/g)]
    .filter(([, server]) => server === serverName)
    .map(([, , id = ""]) => id);
  return [...new Set(ids)];
}

/** Removes the media files that only these events refer to. Returns the number of removed files. */
export async function removeAttached(
  { db, media, serverName }: { db: BatchedDatabase; media: Media; serverName: string },
  events: readonly { stream: number; content: string }[],
): Promise<number> {
  const streams = JSON.stringify(events.map(({ stream }) => stream));
  const attached = new Set(events.flatMap(({ content }) => findAttached(content, serverName)));
  let removed = 0;
  for (const id of attached) {
    const isUsed = db.get(
      `SELECT 1 FROM events WHERE instr(content, ?1) > 0 AND stream NOT IN (SELECT value FROM json_each(?2)) UNION ALL
       SELECT 1 FROM users WHERE instr(avatar_url, ?1) > 0 LIMIT 1`,
      id,
      streams,
    );
    if (isUsed || !media.find(id)) continue;
    await media.remove(id);
    removed++;
  }
  return removed;
}
