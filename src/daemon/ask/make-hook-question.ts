import { createHash } from "node:crypto";
import { readRequest, type Request } from "../../domain/ask/read-request.ts";
import { makeSessionRule } from "../../domain/ask/session-rule.ts";
import type { PreparedEvent } from "../../domain/capture/prepare-event.ts";
import type { Store } from "../../store/open-store.ts";
import type { NewQuestion, QuestionRow } from "../../store/questions.ts";
import type { Recorded } from "../record-event.ts";
import { findToolUse, wordingOf } from "./host-events.ts";

/** A permission request that was just stored, with its payload as it came. */
export interface StoredRequest {
  hookId: string;
  raw: Uint8Array;
  prepared: PreparedEvent;
  occurredAt: number;
  recorded: Recorded;
}

/** The question that a permission request puts, and its input as it came; undefined for one that puts none. */
export function makeHookQuestion(
  store: Store,
  { hookId, raw, prepared, occurredAt, recorded }: StoredRequest,
  expiresAt: { session: number; subagent: number },
): { question: Omit<NewQuestion, "id" | "earlier">; input: Record<string, unknown> } | undefined {
  const { tool_name: toolName, tool_input: input, agent_type: subagent } = parse(raw);
  if (typeof toolName !== "string" || !isRecord(input)) return undefined;
  const request = readRequest(toolName, input);
  if (!request) return undefined;
  const { session, agent } = recorded;
  // From the event as it was stored, so that it can be held against the other events of the same call.
  const wording = wordingOf({ toolName, payload: prepared.payload }) ?? request.wording;
  const subagentId = prepared.subagentId ?? null;
  const question = {
    hookId,
    ...describe(request, input),
    wording,
    project: session.project,
    projectName: agent.projectName,
    agentId: agent.id,
    agent: agent.name,
    sessionId: session.id,
    subagentId,
    subagent: subagentId === null ? null : typeof subagent === "string" ? subagent : "unnamed",
    claudePid: session.claudePid,
    pidStarted: session.pidStarted,
    toolName,
    toolUseId: findToolUse(store, session.id, toolName, wording),
    inputHash: createHash("sha256")
      .update(JSON.stringify([toolName, input]))
      .digest("hex"),
    sessionRule: request.kind === "permission" ? makeSessionRule(toolName, input) : null,
    urgency: "normal" as const,
    createdAt: occurredAt,
    expiresAt: subagentId === null ? expiresAt.session : expiresAt.subagent,
  };
  return { question, input };
}

/** What the store keeps of it. Only choices and plans give their input back: of the rest the subject says enough. */
function describe(
  request: Request,
  raw: Record<string, unknown>,
): Pick<QuestionRow, "kind" | "context" | "prompts" | "subject" | "input" | "isExact"> {
  const { kind, context, prompts, subject } = request;
  const input = kind === "permission" ? {} : request.input;
  const isExact = kind === "permission" || JSON.stringify(input) === JSON.stringify(raw);
  return { kind, context, prompts, subject, input, isExact };
}

function parse(raw: Uint8Array): Record<string, unknown> {
  return JSON.parse(new TextDecoder().decode(raw)) as Record<string, unknown>;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
