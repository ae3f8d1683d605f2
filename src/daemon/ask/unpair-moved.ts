import type { ChannelName } from "../../channels/channel.ts";
import type { Store } from "../../store/open-store.ts";
import type { Audit } from "./audit.ts";

interface Place {
  channel: ChannelName;
  /** Changes when the channel points to another service; undefined while it is off. */
  mark: string | undefined;
  /** Reason for the audit log. */
  reason: string;
}

/**
 * A pairing is valid for an account on one service. If the channel points to another one, its operator could claim the
 * same account: so people are unpaired and pending codes become void.
 */
export function unpairMoved(store: Store, audit: Audit, places: readonly Place[]): void {
  store.db.transaction(() => {
    for (const { channel, mark, reason } of places) {
      if (mark === undefined) continue;
      const key = `place.${channel}`;
      const known = store.meta.getOrCreate(key, () => mark);
      if (known === mark) continue;
      store.meta.set(key, mark);
      store.access.voidPairings(channel);
      for (const person of store.access.people().filter((each) => each.channel === channel)) {
        store.access.removePerson(person.id);
        const about = { action: "revoke", result: "accepted", place: channel } as const;
        audit.record({ ...about, who: person.name, detail: `${channel}: ${reason}` });
      }
    }
  });
}
