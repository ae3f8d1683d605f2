import type { ChannelName } from "../../channels/channel.ts";
import type { Store } from "../../store/open-store.ts";
import type { Audit } from "./audit.ts";

interface Place {
  channel: ChannelName;
  /** Changes when the channel leads somewhere else; undefined while it is off. */
  mark: string | undefined;
  /** Why people are unpaired, for the audit log. */
  reason: string;
}

/**
 * A pairing vouches for an account at one place. When the channel leads to another place, whoever runs that one could claim the
 * same account: people are unpaired there and pending codes are void.
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
