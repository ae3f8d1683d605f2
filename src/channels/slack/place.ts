import type { Place } from "../channel.ts";

/** A Slack message: its channel, and the timestamp that identifies it there. */
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
