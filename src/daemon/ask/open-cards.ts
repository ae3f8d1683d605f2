import type { Channel, OpenCard } from "../../channels/channel.ts";
import type { OutboxTable } from "../../store/outbox.ts";
import type { Questions } from "./questions.ts";

/**
 * Keeps every channel's list of open cards up to date. Called often: a card is made once, and a list is sent only if it
 * changed.
 */
export function openCardList(
  outbox: OutboxTable,
  questions: Questions,
  channels: readonly Channel[],
): () => void {
  const sent = new Map<Channel, string>();
  let cards = new Map<string, { channel: string; open: OpenCard }>();

  return () => {
    const current: typeof cards = new Map();
    const asked = new Set(questions.open().map(({ id }) => id));
    for (const { id, channel, questionId, ticket, place, postedAt } of outbox.shownCards()) {
      if (questionId === null || place === null || !asked.has(questionId)) continue;
      const card = cards.get(id)?.open.card ?? questions.card(questionId, ticket ?? "");
      if (card) current.set(id, { channel, open: { place, card, postedAt: postedAt ?? 0 } });
    }
    cards = current;
    for (const channel of channels) {
      const open = [...cards.values()]
        .filter((each) => each.channel === channel.name)
        .map((each) => each.open);
      const places = open.map(({ place }) => place).join("\n");
      if (sent.get(channel) === places) continue;
      sent.set(channel, places);
      channel.watch(open);
    }
  };
}
