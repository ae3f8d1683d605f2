import type { MessageRef } from "./channel.ts";

/** One message in one private chat. */
export interface ChatMessage {
  chat: string;
  id: string;
}

/** A card is one message for each paired person. */
export const makeMessageRef = (messages: readonly ChatMessage[]): MessageRef =>
  messages.map(({ chat, id }) => `${chat}:${id}`).join(" ");

export function parseMessageRef(place: MessageRef): ChatMessage[] {
  return place.split(" ").map((each) => {
    const [chat = "", id = ""] = each.split(":");
    return { chat, id };
  });
}

export function hasMessage(place: MessageRef, { chat, id }: ChatMessage): boolean {
  return parseMessageRef(place).some((each) => each.chat === chat && each.id === id);
}
