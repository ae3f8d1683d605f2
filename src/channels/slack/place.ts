import type { Place } from "../channel.ts";

/** A message of Slack's: its channel, and the time that is its id there. */
export interface SlackPlace {
  channel: string;
  ts: string;
}

export const makePlace = ({ channel, ts }: SlackPlace): Place => `${channel}:${ts}`;

export function readPlace(place: Place): SlackPlace {
  const at = place.indexOf(":");
  return { channel: place.slice(0, at), ts: place.slice(at + 1) };
}

/** A `ts` is seconds with six decimals. */
export const timeOf = (ts: string): number => Math.round(Number(ts) * 1000);
