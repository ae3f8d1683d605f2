import * as z from "zod";
import { agentView, deliveryCreate, deliveryView, sessionCreate, sessionPatch, sessionView } from "../api.ts";
import { defineEndpoint } from "../endpoint.ts";
import { count, host, limit, project } from "../fields.ts";

/** Sessions, their agents, and the texts that are delivered to agents. */
export const sessionEndpoints = {
  listSessions: defineEndpoint({
    method: "GET",
    path: "/api/sessions",
    access: "token",
    summary: "Sessions, newest first.",
    query: z.object({
      limit: limit(50, 1000),
      before: z.string().optional().describe("only sessions older than the one with this id"),
      host: host.optional(),
      pid: count.optional().describe("only the current session of this host process"),
      q: z
        .string()
        .max(500)
        .optional()
        .describe("words of its title, prompts, agent or branch; all must match"),
      project: project.optional(),
    }),
    answer: z.object({ sessions: z.array(sessionView) }),
  }),
  createSession: defineEndpoint({
    method: "POST",
    path: "/api/sessions",
    access: "token",
    summary: "Starts a session, for hosts that have no hook for it.",
    body: sessionCreate,
    answer: sessionView,
    status: 201,
  }),
  getSession: defineEndpoint({
    method: "GET",
    path: "/api/sessions/:id",
    access: "token",
    summary: "One session.",
    answer: sessionView,
  }),
  changeSession: defineEndpoint({
    method: "PATCH",
    path: "/api/sessions/:id",
    access: "token",
    summary: "Changes the title of a session, ends it or resumes it.",
    body: sessionPatch,
    answer: sessionView,
  }),
  listAgents: defineEndpoint({
    method: "GET",
    path: "/api/agents",
    access: "token",
    summary: "Every agent with its project, its current work and its unread messages.",
    query: z.object({ host: host.optional() }),
    answer: z.object({ agents: z.array(agentView) }),
  }),
  sendDelivery: defineEndpoint({
    method: "POST",
    path: "/api/deliveries",
    access: "session",
    summary:
      "Queues a text for an agent; it is stored before the response is sent. An agent always sends under its own name; a person's program may use any name except an agent's.",
    body: deliveryCreate,
    answer: deliveryView,
    status: 201,
  }),
  listDeliveries: defineEndpoint({
    method: "GET",
    path: "/api/deliveries",
    access: "token",
    summary: "Deliveries to an agent, newest first.",
    query: z.object({ agent: z.string().min(1).describe("an agent's name"), limit: limit(50, 1000) }),
    answer: z.object({ deliveries: z.array(deliveryView) }),
  }),
  getDelivery: defineEndpoint({
    method: "GET",
    path: "/api/deliveries/:id",
    access: "token",
    summary: "One delivery, by its id or an unambiguous suffix.",
    answer: deliveryView,
  }),
  acknowledgeDelivery: defineEndpoint({
    method: "POST",
    path: "/api/deliveries/:id/ack",
    access: "session",
    summary: "Marks a delivery as confirmed, because its agent read it through a tool.",
    query: z.object({ pid: count.optional().describe("process id of the agent's session") }),
    answer: deliveryView,
  }),
};
