import { hash } from "node:crypto";
import { cleanText, readRequest, type ParsedRequest } from "../../domain/ask/read-request.ts";
import type { Host } from "../../hosts/host.ts";
import { hostFor } from "../../hosts/hosts.ts";
import { asRecord, isRecord, parseJson } from "../../shared/json.ts";
import type { AgentRow } from "../../store/agents.ts";
import type { Store } from "../../store/open-store.ts";
import type { NewQuestion, QuestionRow } from "../../store/questions.ts";
import type { SessionRow } from "../../store/sessions.ts";
import type { StoredRequest } from "../capture/intake.ts";
import type { OpenedDialog } from "./dialog-links.ts";
import { findToolUse } from "./host-events.ts";

type Draft = Omit<NewQuestion, "id" | "earlier" | "expiresAt">;

interface DraftedQuestion {
  question: Draft;
  input: Record<string, unknown>;
}

const maxTypeLength = 60;

/** A call that waits for the person. */
interface WaitingCall {
  hookId: string;
  session: SessionRow;
  agent: AgentRow;
  /** The call with its exact input, in the host's fields. */
  payload: Record<string, unknown>;
  /** The stored payload of its event, without secrets. */
  storedPayload: string | undefined;
  toolUseId: string | undefined;
  subagentId: string | undefined;
  occurredAt: number;
}

/** The question behind a permission hook, and its exact input; undefined if there is nothing to ask. */
export function draftFromHook(store: Store, request: StoredRequest): DraftedQuestion | undefined {
  const { hookId, raw, prepared, occurredAt, recorded } = request;
  const { session, agent } = recorded;
  return draftQuestion(store, {
    hookId,
    session,
    agent,
    occurredAt,
    payload: hostFor(session.host).events.normalise(parse(raw)),
    storedPayload: prepared.payload,
    toolUseId: prepared.toolUseId,
    subagentId: prepared.subagentId,
  });
}

/** The question behind a dialog that is open in the terminal. Its call was stored before the dialog opened. */
export function draftFromDialog(
  store: Store,
  { hookId, session, dialog, occurredAt }: OpenedDialog & { occurredAt: number },
): DraftedQuestion | undefined {
  const agent = store.agents.byId(session.agentId);
  const { toolUseId } = dialog;
  const call = store.events.findCall(session.id, toolUseId);
  const stored = call && (parseJson(call.payload) as Record<string, unknown>);
  const payload = {
    tool_name: call?.toolName ?? dialog.toolName,
    tool_input: { ...dialog.input, ...asRecord(stored?.["tool_input"]) },
  };
  const rest = { storedPayload: call?.payload, subagentId: undefined, toolUseId, occurredAt };
  return agent && draftQuestion(store, { hookId, session, agent, payload, ...rest });
}

function draftQuestion(store: Store, call: WaitingCall): DraftedQuestion | undefined {
  const { hookId, session, agent, payload } = call;
  const host = hostFor(session.host);
  const { tool_name: toolName, tool_input: input, agent_type: agentType } = payload;
  if (typeof toolName !== "string" || !isRecord(input)) return undefined;
  const request = readRequest(toolName, input, host.requests.describe);
  if (!request) return undefined;
  const wording = wordingOf(toolName, call.storedPayload, host) ?? request.wording;
  const subagentId = call.subagentId ?? null;
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
    toolUseId: call.toolUseId ?? findToolUse(store, session, toolName, wording),
    inputHash: hash("sha256", JSON.stringify([toolName, input])),
    // A rule is shown and stored, so a call with a secret gets none.
    sessionRule: request.subject?.hiddenSecrets === 0 ? host.requests.sessionRule(toolName, input) : null,
    urgency: "normal",
    createdAt: call.occurredAt,
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
function wordingOf(
  toolName: string,
  storedPayload: string | undefined,
  { requests }: Host,
): string | undefined {
  if (storedPayload === undefined) return undefined;
  const { tool_input: input } = parseJson(storedPayload) as Record<string, unknown>;
  return isRecord(input) ? readRequest(toolName, input, requests.describe)?.wording : undefined;
}

function parse(raw: Uint8Array): Record<string, unknown> {
  return parseJson(new TextDecoder().decode(raw)) as Record<string, unknown>;
}
