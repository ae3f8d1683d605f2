import type { HookEvent } from "../protocol/hook-events.ts";
import type { AgentRow } from "../store/agents.ts";
import type { SessionRow } from "../store/sessions.ts";

/** What a hook that is waiting for an answer asks about. */
export interface HookMoment {
  eventId: string;
  event: HookEvent;
  session: SessionRow;
  agent: AgentRow;
  subagentId: string | null;
}

/** What one part of the daemon wants said at this moment. */
export interface Contribution {
  /** For the model; already fenced. */
  context?: string;
  /** For the human, shown by the host. */
  systemMessage?: string;
}

/** Asked inside the transaction that stores the event, so that what it hands out is committed with it. */
export type Contributor = (moment: HookMoment, nowMs: number) => Contribution | undefined;

export interface HookReply {
  /** What the hook prints; empty for nothing. */
  stdout: string;
  /** Shell lines for CLAUDE_ENV_FILE; empty for none. */
  exports: string;
}

export const noReply: HookReply = { stdout: "", exports: "" };

/** The host cuts injected context at 10,000 characters. */
const contextLimit = 9_800;
const contextEvents = new Set<HookEvent>(["SessionStart", "UserPromptSubmit", "PostToolUse", "PreToolUse"]);

export function composeReply(
  contributors: readonly Contributor[],
  moment: HookMoment,
  nowMs: number,
): HookReply {
  const contributions = contributors.flatMap((contribute) => contribute(moment, nowMs) ?? []);
  const context = joinTexts(contributions.map((c) => c.context));
  const systemMessage = joinTexts(contributions.map((c) => c.systemMessage));
  const output: Record<string, unknown> = {};
  if (systemMessage) output.systemMessage = systemMessage;
  if (context && context.length <= contextLimit && contextEvents.has(moment.event))
    output.hookSpecificOutput = { hookEventName: moment.event, additionalContext: context };
  return {
    stdout: Object.keys(output).length === 0 ? "" : JSON.stringify(output),
    exports: moment.event === "SessionStart" ? makeExports(moment) : "",
  };
}

function joinTexts(texts: readonly (string | undefined)[]): string {
  return texts.filter(Boolean).join("\n\n");
}

function makeExports({ session, agent }: HookMoment): string {
  return `export CLAUDE_SESSION_ID=${shellQuote(session.id)}\nexport ROOKERY_AGENT=${shellQuote(agent.name)}\n`;
}

function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
