import type { Notice } from "./card.ts";

/** About two hours, with pauses of up to a minute, so that an outage of an hour does not park any message. */
export const maxTries = 120;
export const sendBackoff = { firstMs: 1_000, maxMs: 60_000 };
/** Notices that waited this long are merged into one message. */
const staleMs = 600_000;
/** Identical notices within this time are sent once. */
export const repeatMs = 600_000;

/** Approvals are reported whatever the settings and the presence are: an agent can change both. */
export function isAlwaysSent({ kind }: Pick<Notice, "kind">): boolean {
  return kind === "approved";
}

/**
 * Decides what to do with a held notice. A person who was active after it was created has seen it in the terminal; a person
 * who left just before gets it once we know that they are away.
 */
export function judgeHeldNotice(
  heldSince: number,
  person: { isHere: boolean; lastSignAt: number | null },
  isQuiet: boolean,
): "seen" | "hold" | "send" {
  if (person.lastSignAt !== null && person.lastSignAt > heldSince) return "seen";
  return person.isHere || isQuiet ? "hold" : "send";
}

/** Waiting notices to merge into one message; empty if there are fewer than two. */
export function findMergeable<T extends { createdAt: number }>(waiting: readonly T[], nowMs: number): T[] {
  const stale = waiting.filter(({ createdAt }) => nowMs - createdAt > staleMs);
  return stale.length < 2 ? [] : stale;
}

const maxLines = 10;
const levels = ["info", "warning", "error"] as const;

/** Merges notices into one: the most severe level, and a line for each of the newest. Expects at least one, oldest first. */
export function mergeNotices(notices: readonly Notice[]): Notice {
  const last = notices.at(-1) as Notice;
  const lines = notices.slice(-maxLines).map(({ headline }) => `• ${headline}`);
  if (notices.length > maxLines) lines.unshift(`… ${notices.length - maxLines} earlier ones`);
  const level = levels[Math.max(...notices.map((notice) => levels.indexOf(notice.level)))] ?? "info";
  return { ...last, level, headline: `${notices.length} notifications`, body: lines.join("\n") };
}

/** A repeated notice of the same kind and session: shows only the newest, with the count. */
export function repeatNotice(newest: Notice, times: number): Notice {
  return { ...newest, headline: `${newest.headline} (${times} times)` };
}
