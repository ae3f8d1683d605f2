import { createHash } from "node:crypto";
import { cleanText, readRequest, type ParsedRequest } from "../../domain/ask/read-request.ts";
import type { PreparedEvent } from "../../domain/capture/prepare-event.ts";
import type { Host } from "../../hosts/host.ts";
import { hostFor } from "../../hosts/hosts.ts";
import { isRecord, parseJson } from "../../shared/json.ts";
import type { Store } from "../../store/open-store.ts";
import type { NewQuestion, QuestionRow } from "../../store/questions.ts";
import type { StoredRequest } from "../capture/intake.ts";
import { findToolUse } from "./host-events.ts";

type Draft = Omit<NewQuestion, "id" | "earlier" | "expiresAt">;

const maxTypeLength = 60;

/** The question behind a permission request, and its exact input; undefined if there is nothing to ask. */
export function draftQuestion(
  store: Store,
  { hookId, raw, prepared, occurredAt, recorded }: StoredRequest,
): { question: Draft; input: Record<string, unknown> } | undefined {
  const { session, agent } = recorded;
  const host = hostFor(session.host);
  const payload = host.events.normalise(parse(raw));
  const { tool_name: toolName, tool_input: input, agent_type: agentType } = payload;
  if (typeof toolName !== "string" || !isRecord(input)) return undefined;
  const request = readRequest(toolName, input, host.requests.describe);
  if (!request) return undefined;
  const wording = wordingOf(toolName, prepared, host) ?? request.wording;
  const subagentId = prepared.subagentId ?? null;
  const question: Draft = {
    hookId,
    ...keep(request, input),
    wording,
    project: session.project,
    projectName: agent.projectName,
    agentId: agent.id,
    agent: agent.name,
    sessionId: session.id,
    subagentId,
    subagent: subagentId === null ? null : (cleanText(agentType, maxTypeLength) ?? "unnamed"),
    hostPid: session.hostPid,
    pidStarted: session.pidStarted,
    toolName,
    toolUseId: prepared.toolUseId ?? findToolUse(store, session, toolName, wording),
    inputHash: createHash("sha256")
      .update(JSON.stringify([toolName, input]))
      .digest("hex"),
    // A rule is shown and stored, so a call with a secret gets none.
    sessionRule: request.subject?.hiddenSecrets === 0 ? host.requests.sessionRule(toolName, input) : null,
    urgency: "normal",
    createdAt: occurredAt,
  };
  return { question, input };
}

/**
 * The part of the input that is stored. Only answers to choices and plans send the input back; for other requests the
 * subject is enough.
 */
function keep(
  request: ParsedRequest,
  raw: Record<string, unknown>,
): Pick<QuestionRow, "kind" | "context" | "prompts" | "subject" | "input" | "isExact"> {
  const { kind, context, prompts, subject } = request;
  const input = kind === "permission" ? {} : request.input;
  const isExact = kind === "permission" || JSON.stringify(input) === JSON.stringify(raw);
  return { kind, context, prompts, subject, input, isExact };
}

/** Built from the stored event, so that it can be compared with other events of the same call. */
function wordingOf(toolName: string, prepared: PreparedEvent, { requests }: Host): string | undefined {
  const { tool_input: input } = parseJson(prepared.payload) as Record<string, unknown>;
  return isRecord(input) ? readRequest(toolName, input, requests.describe)?.wording : undefined;
}

function parse(raw: Uint8Array): Record<string, unknown> {
  return parseJson(new TextDecoder().decode(raw)) as Record<string, unknown>;
}
