import * as z from "zod";

/** `POST /api/presence`: said by hand, or somebody looks at the viewer. */
export const presenceUpdate = z.union([
  z.strictObject({ state: z.enum(["here", "away", "auto"]) }),
  z.strictObject({ seen: z.literal("viewer") }),
]);
export type PresenceUpdate = z.infer<typeof presenceUpdate>;

/** `GET /api/presence` */
export interface PresenceView {
  isHere: boolean;
  /** What it rests on: "last key 12 s ago". */
  reason: string;
  isQuiet: boolean;
  lastSignAt: number | null;
  /** Whether a question would be seen anywhere but in the terminal: a paired account, an open viewer. */
  canBeReached: boolean;
}

export interface ChannelView {
  name: string;
  state: "off" | "connecting" | "ready" | "failing" | "misconfigured";
  detail: string;
  canAnswer: boolean;
  /** How many people may answer there. */
  people: number;
}

/** `GET /api/outbox` */
export interface OutboxView {
  id: string;
  channel: string;
  kind: "card" | "notice";
  state: string;
  /** What it is about: the question's id, or the headline of the news. */
  about: string;
  attempts: number;
  error: string | null;
  createdAt: number;
  nextTryAt: number;
}

export const pairingCreate = z.strictObject({ channel: z.string().min(1).max(40) });

/** `POST /api/pairings`: the code is told this once. */
export interface PairingOffer {
  id: string;
  channel: string;
  code: string;
  expiresAt: number;
}

/** Somebody who may answer. */
export interface PersonView {
  id: string;
  channel: string;
  sender: string;
  team: string | null;
  name: string;
  pairedAt: number;
}

/** `GET /api/pairings` */
export interface PairingsView {
  people: PersonView[];
  pending: { id: string; channel: string; createdAt: number; expiresAt: number }[];
}

/** `GET /api/audit` */
export interface AuditView {
  seq: number;
  at: number;
  action: string;
  result: string;
  place: string;
  who: string;
  questionId: string | null;
  detail: string;
}
