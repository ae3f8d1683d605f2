import { randomBytes } from "node:crypto";
import type { Clock } from "../../shared/clock.ts";
import { dropOldest } from "../../shared/drop-oldest.ts";

/** Tokens that prove a user's identity to a third party and grant no access. Kept in memory for an hour. */
interface OpenIds {
  issue(userId: string): { token: string; expiresInS: number };
  /** The user of a valid token. */
  find(token: string): string | undefined;
}

const lifetimeS = 3_600;
const maxTokens = 1_000;

export function openOpenIds(clock: Clock): OpenIds {
  const tokens = new Map<string, { userId: string; expiresAt: number }>();
  return {
    issue(userId) {
      const token = `rko_${randomBytes(24).toString("base64url")}`;
      tokens.set(token, { userId, expiresAt: clock() + lifetimeS * 1000 });
      dropOldest(tokens, maxTokens);
      return { token, expiresInS: lifetimeS };
    },
    find(token) {
      const known = tokens.get(token);
      return known && known.expiresAt > clock() ? known.userId : undefined;
    },
  };
}
