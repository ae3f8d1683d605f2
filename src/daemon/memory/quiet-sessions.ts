import { statSync } from "node:fs";
import { ageMs } from "../../shared/clock.ts";
import type { Store } from "../../store/open-store.ts";

/** A running turn writes to its transcript more often than this, except during a long tool call. */
const quietMs = 60_000;

/**
 * Lists the sessions whose open turn may have been interrupted: Esc fires no event, but the host writes it to the
 * transcript. Each is listed once per quiet time.
 */
export function makeQuietSessionFinder(store: Store): (nowMs: number) => string[] {
  /** Modification time of the transcript when its session was last listed. */
  const listedAt = new Map<string, number>();
  return (nowMs) => {
    const open = store.sessions.active().filter(({ id }) => store.turns.findOpen(id) !== undefined);
    const quiet = open.flatMap(({ id, transcriptPath }) => {
      const writtenAt = transcriptPath === null ? undefined : readTime(transcriptPath);
      return writtenAt !== undefined && ageMs(writtenAt, nowMs) >= quietMs ? [{ id, writtenAt }] : [];
    });
    const fresh = quiet.filter(({ id, writtenAt }) => listedAt.get(id) !== writtenAt);
    listedAt.clear();
    for (const { id, writtenAt } of quiet) listedAt.set(id, writtenAt);
    return fresh.map(({ id }) => id);
  };
}

function readTime(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}
