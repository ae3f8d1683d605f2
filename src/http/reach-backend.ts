import type {
  AuditView,
  OutboxView,
  PairingOffer,
  PairingsView,
  PresenceUpdate,
  PresenceView,
} from "../protocol/reach.ts";
import type { Peer } from "./peer.ts";

/** What the routes need of the way to the person. */
export interface ReachBackend {
  presence(): PresenceView;
  updatePresence(update: PresenceUpdate): PresenceView;
  /** A viewer is open until it calls back. */
  openViewer(): () => void;
  listOutbox(limit: number, all: boolean): OutboxView[];
  retryMessage(id: string): OutboxView;
  dropMessage(id: string): OutboxView;
  listAudit(limit: number): AuditView[];
  pairings(): PairingsView;
  /** Throws `may_not_decide` unless the caller may decide. */
  offerPairing(channel: string, peer: Peer): Promise<PairingOffer>;
  revokePerson(id: string, peer: Peer): Promise<PairingsView["people"][number]>;
}
