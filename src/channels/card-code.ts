import { createHash } from "node:crypto";
import { makePairingCode } from "../domain/access/pairing.ts";

/** The short code that people type instead of a card's ticket: single-use like the ticket, and valid for this card only. */
export function makeCardCode(ticket: string): string {
  return makePairingCode(createHash("sha256").update(`rookery-card:${ticket}`).digest());
}
