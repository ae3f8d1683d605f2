import { ageMs } from "../../shared/clock.ts";

/** Facts about the person's presence; null means never. */
export interface PresenceFacts {
  lastKeyAt: number | null;
  lastPromptAt: number | null;
  lastViewerAt: number | null;
  /** Whether a running session names a presence file that exists. */
  hasPresenceFile: boolean;
  override: PresenceOverride | null;
}

export interface PresenceOverride {
  state: "here" | "away";
  at: number;
}

export interface PresenceJudgement {
  isHere: boolean;
  /** Shown to the person: "last key 12 s ago". */
  reason: string;
  /** Set explicitly by the person: overrides quiet hours. */
  isByHand: boolean;
  lastSignAt: number | null;
  /** When this changes without further activity; null for never. */
  until: number | null;
}

/** Typing the "away" command and reading its output does not count as a return. */
const leavingMs = 10_000;
/** After "here" and this long without activity, the person counts as away: one message too many is better than none. */
const maxHereMs = 3_600_000;

/** Without any activity the person counts as away: a question must not stay unseen because of missing data. */
export function judgePresence(facts: PresenceFacts, awayMs: number, nowMs: number): PresenceJudgement {
  const sign = latestSign(facts, nowMs);
  const lastSignAt = sign?.at ?? null;
  const byHand = judgeOverride(facts.override, lastSignAt, nowMs);
  if (byHand) return { ...byHand, isByHand: true, lastSignAt };
  const judged = { isByHand: false, lastSignAt, until: null };
  if (facts.hasPresenceFile) return { ...judged, isHere: true, reason: "the presence file is there" };
  if (awayMs === 0) return { ...judged, isHere: false, reason: "presence.awaySeconds is 0" };
  if (!sign) return { ...judged, isHere: false, reason: "no sign of you yet" };
  const isHere = ageMs(sign.at, nowMs) < awayMs;
  return {
    ...judged,
    isHere,
    reason: `last ${sign.what} ${describeAge(nowMs - sign.at)} ago`,
    until: isHere ? sign.at + awayMs : null,
  };
}

function judgeOverride(
  override: PresenceOverride | null,
  lastSignAt: number | null,
  nowMs: number,
): Pick<PresenceJudgement, "isHere" | "reason" | "until"> | undefined {
  if (!override) return undefined;
  const reason = `set by hand ${describeAge(nowMs - override.at)} ago`;
  if (override.state === "away") {
    const isBack = lastSignAt !== null && lastSignAt > override.at + leavingMs;
    return isBack ? undefined : { isHere: false, reason, until: null };
  }
  const until = override.at + maxHereMs;
  const isOver = ageMs(override.at, nowMs) >= maxHereMs || (lastSignAt !== null && lastSignAt > override.at);
  return isOver ? undefined : { isHere: true, reason, until };
}

/** Ignores signs from before the clock was set back: they would count as the latest for days. */
function latestSign(facts: PresenceFacts, nowMs: number): { what: string; at: number } | undefined {
  const signs = [
    { what: "key", at: facts.lastKeyAt },
    { what: "prompt", at: facts.lastPromptAt },
    { what: "use of the viewer", at: facts.lastViewerAt },
  ];
  let latest: { what: string; at: number } | undefined;
  for (const { what, at } of signs)
    if (at !== null && at > (latest?.at ?? 0) && ageMs(at, nowMs) < Number.POSITIVE_INFINITY)
      latest = { what, at };
  return latest;
}

function describeAge(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}
