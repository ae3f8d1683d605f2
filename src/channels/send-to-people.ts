import { dropOldest } from "../shared/drop-oldest.ts";
import { ChannelError, type MessageRef } from "./channel.ts";
import { type ChatMessage, makeMessageRef } from "./chat-message.ts";

interface SendToPeople {
  /** Sends once per key and person. If one person has blocked the bot, the others are still asked. */
  all(key: string, send: (person: string) => Promise<ChatMessage>): Promise<MessageRef>;
  once(key: string, send: () => Promise<ChatMessage>): Promise<ChatMessage>;
}

const maxRemembered = 500;

/** Recent messages are remembered by key, for services without lasting idempotency keys. */
export function makeSendToPeople(people: () => string[], noOne: string): SendToPeople {
  const sent = new Map<string, ChatMessage>();

  async function once(key: string, send: () => Promise<ChatMessage>): Promise<ChatMessage> {
    const message = sent.get(key) ?? (await send());
    sent.delete(key);
    sent.set(key, message);
    dropOldest(sent, maxRemembered);
    return message;
  }

  return {
    once,
    async all(key, send) {
      const messages: ChatMessage[] = [];
      let refusal = new ChannelError("never", noOne);
      for (const person of people())
        try {
          messages.push(await once(`${key} ${person}`, () => send(person)));
        } catch (error) {
          if (!(error instanceof ChannelError) || error.retry === "later") throw error;
          refusal = error;
        }
      if (messages.length === 0) throw refusal;
      return makeMessageRef(messages);
    },
  };
}
