import type { Channel } from "../../channels/channel.ts";
import { makeMatrixChannel } from "../../channels/matrix/channel.ts";
import { readPairingCode } from "../../domain/access/pairing.ts";
import type { Store } from "../../store/open-store.ts";
import type { Accounts } from "../matrix/accounts.ts";

/** Questions to the person on the homeserver that agents talk through. */
export function openMatrixAsking(store: Store, accounts: Accounts): Channel {
  // Its own cursor: with a shared account, mail is read by another poll.
  const cursor = `asking:${accounts.ownerId}`;
  return makeMatrixChannel({
    signIn: accounts.ofBot,
    forget: accounts.forget,
    people: () =>
      store.access
        .people()
        .filter(({ channel }) => channel === "matrix")
        .map(({ sender }) => sender),
    loadSince: () => store.rooms.cursor(cursor),
    saveSince: (since) => store.rooms.setCursor(cursor, since),
    isBot: (userId) => accounts.agentBehind(userId) !== undefined,
    mayInvite: (userId) => !accounts.isShared || userId === accounts.ownerId,
    concernsUs: (text) => !accounts.isShared || readPairingCode(text) !== undefined,
  });
}
