import type { BusEvent } from "../../protocol/bus-events.ts";
import type { AgentRow } from "../../store/agents.ts";
import type { SessionRow } from "../../store/sessions.ts";
import type { Host } from "../../hosts/host.ts";
import type { AgentEvent, ToolKind } from "../../protocol/agent-events.ts";

/** What a hook that is waiting for an answer asks about. */
export interface HookMoment {
  eventId: string;
  event: AgentEvent;
  session: SessionRow;
  agent: AgentRow;
  subagentId: string | null;
  toolKind: ToolKind | undefined;
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
  /** Shell lines for the session's environment; empty for none. */
  exports: string;
  /** There is nothing to say yet: the hook comes back and waits for it. */
  isHeld?: boolean;
  facts: BusEvent[];
}

export const noReply: HookReply = { stdout: "", exports: "", facts: [] };

const separator = "\n\n";

export function composeReply(
  contributors: readonly Contributor[],
  moment: HookMoment,
  nowMs: number,
  { replies }: Pick<Host, "replies">,
): HookReply {
  const contributions: Contribution[] = [];
  let room = replies.contextLimit(moment.event);
  for (const contribute of contributors) {
    const contribution = contribute(moment, nowMs, room);
    if (!contribution) continue;
    contributions.push(contribution);
    room -= contribution.context ? contribution.context.length + separator.length : 0;
  }
  if (room < 0) throw new Error(`${-room} characters too many for ${moment.event}`);
  const { event, session, agent } = moment;
  const names = { sessionId: session.id, agent: agent.name };
  return {
    stdout: replies.format(event, {
      context: joinTexts(contributions.map((c) => c.context)),
      deny: joinTexts(contributions.map((c) => c.deny)),
      systemMessage: joinTexts(contributions.map((c) => c.systemMessage)),
    }),
    exports: event === "session.started" ? replies.formatExports(names) : "",
    facts: contributions.flatMap((contribution) => contribution.facts ?? []),
  };
}

function joinTexts(texts: readonly (string | undefined)[]): string {
  return texts.filter(Boolean).join(separator);
}
