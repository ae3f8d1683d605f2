import { owner } from "../../protocol/ask.ts";

/**
 * The name of a person to show, with the account in brackets if it is stored: the person at this machine has the same
 * name in every place.
 */
export function formatPerson(stored: string, ownerName: string): string {
  const isOwner = stored === owner || stored.startsWith(`${owner} (`);
  return isOwner ? ownerName + stored.slice(owner.length) : stored;
}
