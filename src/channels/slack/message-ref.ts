import type { MessageRef } from "../channel.ts";

/** A Slack message: its channel, and the timestamp that identifies it there. */
export interface SlackMessageRef {
  channel: string;
  ts: string;
}

export const makeMessageRef = ({ channel, ts }: SlackMessageRef): MessageRef => `${channel}:${ts}`;

export function parseMessageRef(place: MessageRef): SlackMessageRef {
  const at = place.indexOf(":");
  return { channel: place.slice(0, at), ts: place.slice(at + 1) };
}

/** A `ts` is seconds with six decimals. */
export const parseTimestamp = (ts: string): number => Math.round(Number(ts) * 1000);
