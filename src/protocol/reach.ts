import * as z from "zod";
import { time } from "./fields.ts";

export const presenceUpdate = z.union([
  z.strictObject({ state: z.enum(["here", "away", "auto"]) }),
  z.strictObject({ seen: z.literal("viewer") }),
]);

export const presenceView = z.object({
  isHere: z.boolean(),
  /** The evidence: "last key 12 s ago". */
  reason: z.string(),
  isQuiet: z.boolean(),
  lastSignAt: time.nullable(),
  /** Whether a question would be seen anywhere but in the terminal: a paired account, an open viewer. */
  canBeReached: z.boolean(),
});
export type PresenceView = z.infer<typeof presenceView>;

export function describePresence({ isHere, reason, isQuiet }: PresenceView): string {
  return `You are ${isHere ? "here" : "away"}: ${reason}${isQuiet ? "; quiet hours" : ""}`;
}

/** The presence that the person just set, and its effect. */
export function describeNewPresence(view: PresenceView): string {
  const effect = view.isHere
    ? "Only urgent questions are sent to your channels until you leave."
    : view.canBeReached
      ? "Questions and notifications go to your channels until you are back."
      : "Questions wait in their terminals and in the viewer: no channel is set up (rookery setup --help).";
  return `${describePresence(view)}. ${effect}`;
}

export const channelView = z.object({
  name: z.string(),
  state: z.enum(["off", "connecting", "ready", "failing", "misconfigured"]),
  detail: z.string(),
  canAnswer: z.boolean(),
  /** Number of people who may answer there. */
  people: z.number(),
});
export type ChannelView = z.infer<typeof channelView>;

export const outboxView = z.object({
  id: z.string(),
  channel: z.string(),
  kind: z.enum(["card", "notice"]),
  state: z.string(),
  /** The question's id, or the headline of the notification. */
  about: z.string(),
  attempts: z.number(),
  error: z.string().nullable(),
  createdAt: time,
  nextTryAt: time,
});
export type OutboxView = z.infer<typeof outboxView>;

export const pairingCreate = z.strictObject({
  channel: z.string().min(1).max(40),
  name: z.string().trim().min(1).max(60).optional().describe("another person; default: you"),
});

/** The code is shown only once. */
export const pairingOffer = z.object({
  id: z.string(),
  channel: z.string(),
  code: z.string(),
  expiresAt: time,
});
export type PairingOffer = z.infer<typeof pairingOffer>;

/** A person who may answer. */
export const pairedPerson = z.object({
  id: z.string(),
  channel: z.string(),
  sender: z.string(),
  team: z.string().nullable(),
  name: z.string(),
  pairedAt: time,
});
export type PersonView = z.infer<typeof pairedPerson>;

export const pairingsView = z.object({
  people: z.array(pairedPerson),
  pending: z.array(z.object({ id: z.string(), channel: z.string(), createdAt: time, expiresAt: time })),
});

export const auditView = z.object({
  seq: z.number(),
  at: time,
  action: z.string(),
  result: z.string(),
  place: z.string(),
  who: z.string(),
  questionId: z.string().nullable(),
  detail: z.string(),
});
export type AuditView = z.infer<typeof auditView>;
