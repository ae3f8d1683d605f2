import type { BusEvent } from "../../protocol/bus-events.ts";
import type { AgentRow } from "../../store/agents.ts";
import type { SessionRow } from "../../store/sessions.ts";
import type { Host } from "../../hosts/host.ts";
import type { AgentEvent, ToolKind } from "../../protocol/agent-events.ts";

/** The event of a waiting hook. */
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

/** One component's part of the reply to a hook. */
export interface Contribution {
  /** For the model; already fenced. */
  context?: string;
  /** Before a tool runs: the reason for denying it. */
  deny?: string;
  /** For the human, shown by the host. */
  systemMessage?: string;
  /** Published once the transaction is committed. */
  busEvents?: BusEvent[];
}

/**
 * Called inside the transaction that stores the event, so that deliveries are committed with it. `room` is the number
 * of characters of context that are left; the host cuts off anything beyond.
 */
export type Contributor = (moment: HookMoment, nowMs: number, room: number) => Contribution | undefined;

export interface HookReply {
  /** The hook's output; empty for none. */
  stdout: string;
  /** Shell lines for the session's environment; empty for none. */
  exports: string;
  /** There is no reply yet: the hook reconnects and waits for it. */
  mustWait?: boolean;
  /** Nothing can be stored: the hook says so itself, because a reply could not be written either. */
  isStoreFull?: boolean;
  busEvents: BusEvent[];
}

export const noReply: HookReply = { stdout: "", exports: "", busEvents: [] };

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
    busEvents: contributions.flatMap((contribution) => contribution.busEvents ?? []),
  };
}

function joinTexts(texts: readonly (string | undefined)[]): string {
  return texts.filter(Boolean).join(separator);
}
