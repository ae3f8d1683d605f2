import { ageMs, hourMs } from "../../shared/clock.ts";

/** The facts by which an agent's next message is judged. */
interface SendingRecord {
  /** Number of agent messages in the chain since a person last wrote; 0 for the first. */
  hops: number;
  /** When this sender recently wrote to this recipient. */
  toRecipient: readonly number[];
  /** When this sender recently wrote to anyone. */
  toAnybody: readonly number[];
}

export interface LoopLimits {
  hops: number;
  perPairAndMinute: number;
  perHour: number;
}

type Judgement = { isAllowed: true } | { isAllowed: false; why: string; retryAfterMs: number | null };

const minuteMs = 60_000;

/** Limits chains and rates: two agents that keep thanking each other would cost real money. */
export function judgeSending(record: SendingRecord, limits: LoopLimits, nowMs: number): Judgement {
  if (record.hops > limits.hops)
    return {
      isAllowed: false,
      why: `This would be message ${record.hops} in a chain of agents with no person in it; the limit is ${limits.hops}. Wait for your user, or ask them.`,
      retryAfterMs: null,
    };
  const inMinute = record.toRecipient.filter((at) => ageMs(at, nowMs) < minuteMs);
  if (inMinute.length >= limits.perPairAndMinute)
    return judgeRate(
      `${inMinute.length} messages to the same recipient within a minute`,
      inMinute,
      minuteMs,
      nowMs,
    );
  const inHour = record.toAnybody.filter((at) => ageMs(at, nowMs) < hourMs);
  if (inHour.length >= limits.perHour)
    return judgeRate(`${inHour.length} messages within an hour`, inHour, hourMs, nowMs);
  return { isAllowed: true };
}

function judgeRate(what: string, times: readonly number[], windowMs: number, nowMs: number): Judgement {
  const retryAfterMs = Math.min(...times) + windowMs - nowMs;
  const seconds = Math.ceil(retryAfterMs / 1000);
  return {
    isAllowed: false,
    why: `${what}: the limit is reached. Wait ${seconds} s, and put more into one message.`,
    retryAfterMs,
  };
}
