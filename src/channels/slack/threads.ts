import type { Place } from "../channel.ts";
import { type Message, message } from "./inbound.ts";
import { readPlace } from "./place.ts";
import type { Web } from "./web.ts";

/** What people wrote under our cards, read by asking for it. */
export interface Threads {
  /** Hands on what is new under a card, oldest first; says whether there was anything. Throws `ChannelError`. */
  read(place: Place): Promise<boolean>;
  /** The same for what was written to the bot directly, since a moment. */
  readDirect(channel: string, sinceMs: number): Promise<boolean>;
  /** Cards that are not open any more. */
  forget(isGone: (place: Place) => boolean): void;
}

const pageSize = 200;

/** `onMessage` rejects for what could not be taken: it is read again the next time. */
export function openThreads(
  web: Web,
  onMessage: (channel: string, message: Message) => Promise<void>,
): Threads {
  /** The newest that was handed on, by thread. After a restart all is handed on again: its id tells that it is known. */
  const seen = new Map<string, string>();

  async function handOn(id: string, channel: string, found: unknown[], after: string): Promise<boolean> {
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
      const { channel, ts } = readPlace(place);
      let hasNews = false;
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
        // The card itself comes with every page.
        const replies = (page.messages ?? []).filter((each) => each.ts !== ts);
        hasNews = (await handOn(place, channel, replies, oldest)) || hasNews;
        cursor = page.response_metadata?.next_cursor || undefined;
      } while (cursor);
      return hasNews;
    },

    async readDirect(channel, sinceMs) {
      const oldest = seen.get(channel) ?? (sinceMs / 1000).toFixed(6);
      const { messages = [] } = await web.run("conversations.history", (client) =>
        client.conversations.history({ channel, oldest, limit: pageSize }),
      );
      return handOn(channel, channel, messages, oldest);
    },

    forget(isGone) {
      for (const place of seen.keys()) if (place.includes(":") && isGone(place)) seen.delete(place);
    },
  };
}
