import type { Card } from "../domain/ask/card.ts";
import type { OpenCard, MessageRef } from "./channel.ts";

/** Recently posted cards, open or closed, with their places. */
export interface KnownCards {
  add(place: MessageRef, card: Card): void;
  byTicket(ticket: string): Card | undefined;
  has(place: MessageRef): boolean;
  list(): Pick<OpenCard, "place" | "card">[];
}

/** More cards than are ever open at once. */
const maxCards = 500;

export function makeKnownCards(): KnownCards {
  const byTicket = new Map<string, Pick<OpenCard, "place" | "card">>();
  const places = new Set<MessageRef>();
  return {
    add(place, card) {
      byTicket.delete(card.ticket);
      byTicket.set(card.ticket, { place, card });
      places.add(place);
      for (const [ticket, old] of byTicket) {
        if (byTicket.size <= maxCards) break;
        byTicket.delete(ticket);
        places.delete(old.place);
      }
    },
    byTicket: (ticket) => byTicket.get(ticket)?.card,
    has: (place) => places.has(place),
    list: () => [...byTicket.values()],
  };
}
