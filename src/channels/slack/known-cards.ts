import type { Card } from "../../domain/ask/card.ts";
import type { OpenCard, Place } from "../channel.ts";

/** The cards of late, open or not: what stood on them, and where. */
export interface KnownCards {
  add(place: Place, card: Card): void;
  byTicket(ticket: string): Card | undefined;
  has(place: Place): boolean;
}

/** Of a card that ended long ago Slack itself says enough: what was on the button. */
const most = 500;

export function makeKnownCards(): KnownCards {
  const byTicket = new Map<string, Pick<OpenCard, "place" | "card">>();
  const places = new Set<Place>();
  return {
    add(place, card) {
      byTicket.delete(card.ticket);
      byTicket.set(card.ticket, { place, card });
      places.add(place);
      for (const [ticket, old] of byTicket) {
        if (byTicket.size <= most) break;
        byTicket.delete(ticket);
        places.delete(old.place);
      }
    },
    byTicket: (ticket) => byTicket.get(ticket)?.card,
    has: (place) => places.has(place),
  };
}
