import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";

/** The secret that TCP clients must present; created once, readable by this user only. */
export function loadOrCreateToken(path: string): string {
  try {
    const token = readFileSync(path, "utf8").trim();
    if (token.length >= 32) return token;
  } catch {
    // First start: the file does not exist yet.
  }
  const token = randomBytes(32).toString("hex");
  writeFileSync(path, `${token}\n`, { mode: 0o600 });
  return token;
}
