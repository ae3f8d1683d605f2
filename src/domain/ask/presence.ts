/** What is known of the person; times are when, null is never. */
export interface PresenceFacts {
  lastKeyAt: number | null;
  lastPromptAt: number | null;
  lastViewerAt: number | null;
  /** A live session names a presence file, and it is there. */
  hasPresenceFile: boolean;
  override: PresenceOverride | null;
}

export interface PresenceOverride {
  state: "here" | "away";
  at: number;
}

export interface PresenceJudgement {
  isHere: boolean;
  /** For people: "last key 12 s ago". */
  reason: string;
  /** The person said it themselves: stronger than quiet hours. */
  isByHand: boolean;
  lastSignAt: number | null;
  /** When this changes by itself, without any sign; null for never. */
  until: number | null;
}

/** The keys of the command that says "away", and a look at what it answered, are no return. */
const leavingMs = 10_000;
/** Whoever said "here" and is not heard of for so long has left: better one message too many than none at all. */
const maxHereMs = 3_600_000;

/** No sign at all means away: a question may not stay unseen because we do not know. */
export function judgePresence(facts: PresenceFacts, awayMs: number, nowMs: number): PresenceJudgement {
  const sign = latestSign(facts);
  const lastSignAt = sign?.at ?? null;
  const byHand = judgeOverride(facts.override, lastSignAt, nowMs);
  if (byHand) return { ...byHand, isByHand: true, lastSignAt };
  const judged = { isByHand: false, lastSignAt, until: null };
  if (facts.hasPresenceFile) return { ...judged, isHere: true, reason: "the presence file is there" };
  if (awayMs === 0) return { ...judged, isHere: false, reason: "presence.awaySeconds is 0" };
  if (!sign) return { ...judged, isHere: false, reason: "no sign of you yet" };
  const isHere = nowMs - sign.at < awayMs;
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
  const isOver = nowMs >= until || (lastSignAt !== null && lastSignAt > override.at);
  return isOver ? undefined : { isHere: true, reason, until };
}

function latestSign(facts: PresenceFacts): { what: string; at: number } | undefined {
  const signs = [
    { what: "key", at: facts.lastKeyAt },
    { what: "prompt", at: facts.lastPromptAt },
    { what: "look at the viewer", at: facts.lastViewerAt },
  ];
  let latest: { what: string; at: number } | undefined;
  for (const { what, at } of signs) if (at !== null && at > (latest?.at ?? 0)) latest = { what, at };
  return latest;
}

function describeAge(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}
