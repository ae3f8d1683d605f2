import * as z from "zod";
import { defineEndpoint } from "../endpoint.ts";
import { limit, zeroOrOne } from "../fields.ts";
import {
  auditView,
  outboxView,
  pairedPerson,
  pairingCreate,
  pairingOffer,
  pairingsView,
  presenceUpdate,
  presenceView,
} from "../reach.ts";

/** The ways to the person: presence, outbox, pairing. */
export const reachEndpoints = {
  getPresence: defineEndpoint({
    method: "GET",
    path: "/api/presence",
    access: "token",
    summary: "Whether the person is at the keyboard, and why we think so.",
    answer: presenceView,
  }),
  setPresence: defineEndpoint({
    method: "POST",
    path: "/api/presence",
    access: "token",
    summary:
      "Sets presence by hand, or reports that a person uses the viewer. An agent can only say that its person is away, or confirm a sign of theirs within a minute.",
    body: presenceUpdate,
    answer: presenceView,
  }),
  listOutbox: defineEndpoint({
    method: "GET",
    path: "/api/outbox",
    access: "token",
    summary: "Messages to the person that are held, waiting or given up.",
    query: z.object({ limit: limit(50, 1000), all: zeroOrOne.describe("1: also sent and dropped ones") }),
    answer: z.object({ messages: z.array(outboxView) }),
  }),
  retryMessage: defineEndpoint({
    method: "POST",
    path: "/api/outbox/:id/retry",
    access: "token",
    summary: "Tries to send a message again, now.",
    answer: outboxView,
  }),
  dropMessage: defineEndpoint({
    method: "DELETE",
    path: "/api/outbox/:id",
    access: "person",
    summary: "Drops a message that is not sent yet.",
    answer: outboxView,
  }),
  listAudit: defineEndpoint({
    method: "GET",
    path: "/api/audit",
    access: "token",
    summary: "Decisions, pairings and refusals, newest first.",
    query: z.object({ limit: limit(50, 10_000) }),
    answer: z.object({ entries: z.array(auditView) }),
  }),
  listPairings: defineEndpoint({
    method: "GET",
    path: "/api/pairings",
    access: "token",
    summary: "The people who may answer, and the pending codes.",
    answer: pairingsView,
  }),
  offerPairing: defineEndpoint({
    method: "POST",
    path: "/api/pairings",
    access: "person",
    summary: "Creates a code that pairs an account on a channel.",
    body: pairingCreate,
    answer: pairingOffer,
    status: 201,
  }),
  revokePairing: defineEndpoint({
    method: "DELETE",
    path: "/api/pairings/:id",
    access: "person",
    summary: "Revokes a pairing: this account may no longer answer.",
    answer: pairedPerson,
  }),
};
