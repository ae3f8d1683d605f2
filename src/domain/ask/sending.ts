import type { Notice } from "./card.ts";

/** With pauses of up to a minute these are about two hours: an outage of an hour parks nothing. */
export const maxTries = 120;
export const sendBackoff = { firstMs: 1_000, maxMs: 60_000 };
/** News this old that is still waiting is no news: together it makes one message. */
const staleMs = 600_000;
/** The same words again within this time are said once. */
export const repeatMs = 600_000;

/**
 * What to do with news that is held back. Whoever gave a sign after it happened has seen it in the terminal; whoever
 * left just before it happened is told once we know that they left.
 */
export function judgeHeld(
  heldSince: number,
  person: { isHere: boolean; lastSignAt: number | null },
  isQuiet: boolean,
): "seen" | "hold" | "send" {
  if (person.lastSignAt !== null && person.lastSignAt > heldSince) return "seen";
  return person.isHere || isQuiet ? "hold" : "send";
}

/** Which of the waiting news are to become one message; fewer than two are left as they are. */
export function findStale<T extends { createdAt: number }>(waiting: readonly T[], nowMs: number): T[] {
  const stale = waiting.filter(({ createdAt }) => nowMs - createdAt > staleMs);
  return stale.length < 2 ? [] : stale;
}

const maxLines = 10;
const levels = ["info", "warning", "error"] as const;

/** Many notices as one: the gravest level, a line for each of the newest. Expects oldest first, at least one. */
export function mergeNotices(notices: readonly Notice[]): Notice {
  const last = notices.at(-1) as Notice;
  const lines = notices.slice(-maxLines).map(({ headline }) => `• ${headline}`);
  if (notices.length > maxLines) lines.unshift(`… ${notices.length - maxLines} earlier ones`);
  const level = levels[Math.max(...notices.map((notice) => levels.indexOf(notice.level)))] ?? "info";
  return { ...last, level, headline: `${notices.length} things happened meanwhile`, body: lines.join("\n") };
}

/** The same kind of news of the same session again: only the newest is shown, and how often. */
export function repeatNotice(newest: Notice, times: number): Notice {
  return { ...newest, headline: `${newest.headline} (${times} times)` };
}
