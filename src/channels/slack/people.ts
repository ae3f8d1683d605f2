import type { Clock } from "../../shared/clock.ts";
import type { Reply } from "../channel.ts";
import type { Web } from "./web.ts";

const cacheMs = 10 * 60_000;

/** Facts about senders and channels, fetched from Slack's API instead of trusted from a payload. */
export interface People {
  /** Throws `ChannelError` for an unknown sender: nothing may be accepted from them. */
  fetchSender(id: string, claimedTeam: string | null): Promise<Reply["sender"]>;
  /** True if the channel is shared with another organisation. Throws `ChannelError`. */
  isShared(channel: string): Promise<boolean>;
  /** A channel that cannot be checked counts as shared. */
  fetchRoom(id: string, isMarkedShared: boolean): Promise<Reply["room"]>;
}

export function openPeople(web: Web, clock: Clock): People {
  const people = makeCache(clock, async (id) => {
    const { user } = await web.run("users.info", (client) => client.users.info({ user: id }));
    return {
      team: user?.team_id ?? null,
      name: user?.profile?.display_name || user?.real_name || user?.name || id,
      isGuest: Boolean(user?.is_restricted || user?.is_ultra_restricted || user?.is_stranger),
      isBot: Boolean(user?.is_bot),
    };
  });
  const shared = makeCache(clock, async (id) => {
    const { channel } = await web.run("conversations.info", (client) =>
      client.conversations.info({ channel: id }),
    );
    return Boolean(channel?.is_ext_shared || channel?.is_pending_ext_shared);
  });

  return {
    isShared: shared,
    async fetchSender(id, claimedTeam) {
      const person = await people(id);
      // If the payload and the API disagree about the team, neither is trusted.
      const team = claimedTeam === null || claimedTeam === person.team ? person.team : null;
      return { id, ...person, team };
    },
    async fetchRoom(id, isMarkedShared) {
      // For a direct message the sender's team is enough; checking the conversation would need another scope.
      if (isDirect(id)) return { id, isDirect: true, isShared: isMarkedShared };
      const isShared = isMarkedShared || (await shared(id).catch(() => true));
      return { id, isDirect: false, isShared };
    },
  };
}

export const isDirect = (channel: string): boolean => channel.startsWith("D");

/** Caches results but not failures. */
function makeCache<T>(clock: Clock, load: (id: string) => Promise<T>): (id: string) => Promise<T> {
  const cache = new Map<string, { value: T; until: number }>();
  return async (id) => {
    const known = cache.get(id);
    if (known && known.until > clock()) return known.value;
    const value = await load(id);
    if (cache.size >= 500) cache.clear();
    cache.set(id, { value, until: clock() + cacheMs });
    return value;
  };
}
