import type { MessageRef } from "../channel.ts";
import { type Message, message } from "./inbound.ts";
import { parseMessageRef } from "./message-ref.ts";
import type { Web } from "./web.ts";

/** Reads replies to our cards through the Web API. */
export interface Threads {
  /** Passes on new replies to a card, oldest first; true if there were any. Throws `ChannelError`. */
  read(place: MessageRef): Promise<boolean>;
  /** Like `read`, for messages outside threads. */
  readHistory(channel: string, sinceMs: number): Promise<boolean>;
  /** Drops the state of closed cards. */
  forget(isGone: (place: MessageRef) => boolean): void;
}

const pageSize = 200;

/** If `onMessage` rejects, the message is read again next time. */
export function openThreads(
  web: Web,
  onMessage: (channel: string, message: Message) => Promise<void>,
): Threads {
  /** Timestamp of the newest message passed on, by thread. After a restart all are passed on again and deduplicated by id. */
  const seen = new Map<string, string>();

  async function forward(id: string, channel: string, found: unknown[], after: string): Promise<boolean> {
    const fresh = found
      .map((raw) => message.safeParse(raw))
      .flatMap(({ data }) => (data && Number(data.ts) > Number(after) ? [data] : []))
      .toSorted((a, b) => Number(a.ts) - Number(b.ts));
    for (const each of fresh) {
      await onMessage(channel, each);
      seen.set(id, each.ts);
    }
    return fresh.length > 0;
  }

  return {
    async read(place) {
      const { channel, ts } = parseMessageRef(place);
      let hasNew = false;
      let cursor: string | undefined;
      do {
        const oldest = seen.get(place) ?? ts;
        const page = await web.run("conversations.replies", (client) =>
          client.conversations.replies({
            channel,
            ts,
            oldest,
            limit: pageSize,
            ...(cursor ? { cursor } : {}),
          }),
        );
        // Every page includes the card itself.
        const replies = (page.messages ?? []).filter((each) => each.ts !== ts);
        hasNew = (await forward(place, channel, replies, oldest)) || hasNew;
        cursor = page.response_metadata?.next_cursor || undefined;
      } while (cursor);
      return hasNew;
    },

    async readHistory(channel, sinceMs) {
      const oldest = seen.get(channel) ?? (sinceMs / 1000).toFixed(6);
      const { messages = [] } = await web.run("conversations.history", (client) =>
        client.conversations.history({ channel, oldest, limit: pageSize }),
      );
      return forward(channel, channel, messages, oldest);
    },

    forget(isGone) {
      for (const place of seen.keys()) if (place.includes(":") && isGone(place)) seen.delete(place);
    },
  };
}
