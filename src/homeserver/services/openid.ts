import { randomBytes } from "node:crypto";
import type { Clock } from "../../shared/clock.ts";

/** Tokens that prove to somebody else who a user is, and are good for nothing more. In memory: they live an hour. */
export interface OpenIds {
  issue(userId: string): { token: string; expiresInS: number };
  /** Whom a token was given to, while it is good. */
  find(token: string): string | undefined;
}

const lifeS = 3_600;
const mostTokens = 1_000;

export function openOpenIds(clock: Clock): OpenIds {
  const tokens = new Map<string, { userId: string; expiresAt: number }>();
  return {
    issue(userId) {
      if (tokens.size >= mostTokens) tokens.delete(tokens.keys().next().value ?? "");
      const token = `rko_${randomBytes(24).toString("base64url")}`;
      tokens.set(token, { userId, expiresAt: clock() + lifeS * 1000 });
      return { token, expiresInS: lifeS };
    },
    find(token) {
      const known = tokens.get(token);
      return known && known.expiresAt > clock() ? known.userId : undefined;
    },
  };
}
