import type { BusEvent } from "../../protocol/bus-events.ts";
import type { HookEvent } from "../../protocol/hook-events.ts";
import type { AgentRow } from "../../store/agents.ts";
import type { SessionRow } from "../../store/sessions.ts";

/** What a hook that is waiting for an answer asks about. */
export interface HookMoment {
  eventId: string;
  event: HookEvent;
  session: SessionRow;
  agent: AgentRow;
  subagentId: string | null;
  toolName: string | undefined;
  /** The file that the tool is about. */
  filePath: string | undefined;
}

/** What one part of the daemon wants said at this moment. */
export interface Contribution {
  /** For the model; already fenced. */
  context?: string;
  /** Before a tool runs: that it may not, and why. */
  deny?: string;
  /** For the human, shown by the host. */
  systemMessage?: string;
  /** To be announced once the transaction is committed. */
  facts?: BusEvent[];
}

/**
 * Asked inside the transaction that stores the event, so that what it hands out is committed with it. `room` is how many
 * characters of context are left: whoever says more would have it thrown away by the host.
 */
export type Contributor = (moment: HookMoment, nowMs: number, room: number) => Contribution | undefined;

export interface HookReply {
  /** What the hook prints; empty for nothing. */
  stdout: string;
  /** Shell lines for CLAUDE_ENV_FILE; empty for none. */
  exports: string;
  /** There is nothing to say yet: the hook comes back and waits for it. */
  isHeld?: boolean;
  facts: BusEvent[];
}

export const noReply: HookReply = { stdout: "", exports: "", facts: [] };

/** The host cuts injected context at 10,000 characters. */
const contextLimit = 9_800;
const separator = "\n\n";
const contextEvents = new Set<HookEvent>(["SessionStart", "UserPromptSubmit", "PostToolUse", "PreToolUse"]);

export function composeReply(
  contributors: readonly Contributor[],
  moment: HookMoment,
  nowMs: number,
): HookReply {
  const contributions: Contribution[] = [];
  let room = contextEvents.has(moment.event) ? contextLimit : 0;
  for (const contribute of contributors) {
    const contribution = contribute(moment, nowMs, room);
    if (!contribution) continue;
    contributions.push(contribution);
    room -= contribution.context ? contribution.context.length + separator.length : 0;
  }
  if (room < 0) throw new Error(`${-room} characters too many for ${moment.event}`);
  const context = joinTexts(contributions.map((c) => c.context));
  const systemMessage = joinTexts(contributions.map((c) => c.systemMessage));
  const output: Record<string, unknown> = {};
  if (systemMessage) output.systemMessage = systemMessage;
  const deny = joinTexts(contributions.map((c) => c.deny));
  if (context || deny)
    output.hookSpecificOutput = {
      hookEventName: moment.event,
      ...(context ? { additionalContext: context } : {}),
      ...(deny ? { permissionDecision: "deny", permissionDecisionReason: deny } : {}),
    };
  return {
    stdout: Object.keys(output).length === 0 ? "" : JSON.stringify(output),
    exports: moment.event === "SessionStart" ? makeExports(moment) : "",
    facts: contributions.flatMap((contribution) => contribution.facts ?? []),
  };
}

function joinTexts(texts: readonly (string | undefined)[]): string {
  return texts.filter(Boolean).join(separator);
}

function makeExports({ session, agent }: HookMoment): string {
  return `export CLAUDE_SESSION_ID=${shellQuote(session.id)}\nexport ROOKERY_AGENT=${shellQuote(agent.name)}\n`;
}

function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
