import type { AgentEvent } from "./agent-events.ts";

/** Facts that the daemon announces, after they are committed: to its own components and over SSE. */
export type BusEvent =
  | { type: "event.stored"; id: string; event: AgentEvent; sessionId: string; agent: string }
  | { type: "session.started"; sessionId: string; agent: string; project: string; source: string }
  | { type: "session.completed"; sessionId: string; agent: string; reason: string }
  | { type: "turn.ended"; sessionId: string; agent: string; outcome: string }
  | { type: "observation.stored"; id: string; sessionId: string | null; title: string; kind: string }
  | { type: "summary.stored"; id: string; sessionId: string }
  | { type: "delivery.queued"; deliveryId: string; agent: string; sender: string }
  | { type: "delivery.injected"; deliveryId: string; agent: string; sessionId: string; point: string }
  | { type: "delivery.confirmed"; deliveryId: string; agent: string; by: string }
  | { type: "message.sent"; messageId: string; roomId: string; sender: string }
  | { type: "message.received"; messageId: string; roomId: string; sender: string }
  | { type: "message.failed"; messageId: string; sender: string; reason: string }
  | { type: "room.read"; roomId: string }
  | { type: "room.changed"; roomId: string }
  | { type: "task.changed"; taskId: string; title: string; state: string; owner: string | null }
  | { type: "lease.changed"; leaseId: string; holder: string; globs: string[]; isReleased: boolean }
  | { type: "question.opened"; id: string; kind: string; agent: string; project: string; headline: string }
  | { type: "question.settled"; id: string; state: string; verdict: string | null; text: string }
  | { type: "presence.changed"; isHere: boolean; reason: string }
  | { type: "health.changed"; status: "ok" | "paused"; reason: string };
