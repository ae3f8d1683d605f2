import type { Channel, OpenCard } from "../../channels/channel.ts";
import type { OutboxTable } from "../../store/outbox.ts";
import type { Questions } from "./questions.ts";

/** Keeps every channel told which of its cards are open. Called often: a card is made once, a list told when it differs. */
export function openCardList(
  outbox: OutboxTable,
  questions: Questions,
  channels: readonly Channel[],
): () => void {
  const told = new Map<Channel, string>();
  let cards = new Map<string, { channel: string; open: OpenCard }>();

  return () => {
    const current: typeof cards = new Map();
    for (const { id } of questions.open()) {
      for (const row of outbox.cardsOf(id)) {
        if (row.place === null || row.ticket === null) continue;
        const known = cards.get(row.id);
        const card = known?.open.card ?? questions.card(id, row.ticket);
        const open = card && { place: row.place, card, postedAt: row.postedAt ?? 0 };
        if (open) current.set(row.id, known ?? { channel: row.channel, open });
      }
    }
    cards = current;
    for (const channel of channels) {
      const open = [...cards.values()]
        .filter((each) => each.channel === channel.name)
        .map((each) => each.open);
      const places = open.map(({ place }) => place).join("\n");
      if (told.get(channel) === places) continue;
      told.set(channel, places);
      channel.watch(open);
    }
  };
}
