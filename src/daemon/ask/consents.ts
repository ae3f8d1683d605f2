import { hash, randomBytes } from "node:crypto";
import { dropOldest } from "../../shared/drop-oldest.ts";

/**
 * Secrets of viewer tabs that a person opened. Unlike the token they are never written to disk, so a program that reads
 * the user's files cannot answer as the viewer.
 */
export interface Consents {
  issue(): string;
  isValid(secret: string): boolean;
}

/** More tabs than a person keeps open; the oldest secret expires first. */
const maxTabs = 64;

export function openConsents(): Consents {
  /** Hashes, so that the time of a lookup reveals nothing about a secret. */
  const known = new Set<string>();
  return {
    issue() {
      const secret = randomBytes(32).toString("base64url");
      known.add(hash("sha256", secret));
      dropOldest(known, maxTabs);
      return secret;
    },
    isValid: (secret) => known.has(hash("sha256", secret)),
  };
}
