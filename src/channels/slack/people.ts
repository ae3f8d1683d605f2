import type { Clock } from "../../shared/clock.ts";
import type { Reply } from "../channel.ts";
import type { Web } from "./web.ts";

/** How long what Slack says about a person or a channel is believed. */
const keptMs = 10 * 60_000;

/** Who somebody is and where, as Slack itself says; never taken from what they send. */
export interface People {
  /** Throws `ChannelError`: of somebody unknown nothing may be taken. */
  sender(id: string, claimedTeam: string | null): Promise<Reply["sender"]>;
  /** Whether people of another organisation are in it. Throws `ChannelError`. */
  isShared(channel: string): Promise<boolean>;
  /** A place that cannot be looked at counts as shared. */
  room(id: string, isToldShared: boolean): Promise<Reply["room"]>;
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
    async sender(id, claimedTeam) {
      const person = await people(id);
      // Two stories about one person: none of them is believed.
      const team = claimedTeam === null || claimedTeam === person.team ? person.team : null;
      return { id, ...person, team };
    },
    async room(id, isToldShared) {
      // Of a direct message the sender's team says it all, and looking at it would need one more scope.
      if (isDirect(id)) return { id, isDirect: true, isShared: isToldShared };
      const isShared = isToldShared || (await shared(id).catch(() => true));
      return { id, isDirect: false, isShared };
    },
  };
}

export const isDirect = (channel: string): boolean => channel.startsWith("D");

/** Remembers answers, not failures. */
function makeCache<T>(clock: Clock, load: (id: string) => Promise<T>): (id: string) => Promise<T> {
  const kept = new Map<string, { value: T; until: number }>();
  return async (id) => {
    const known = kept.get(id);
    if (known && known.until > clock()) return known.value;
    const value = await load(id);
    if (kept.size >= 500) kept.clear();
    kept.set(id, { value, until: clock() + keptMs });
    return value;
  };
}
