import type { AgentEvent, EventPayload, ToolKind } from "../../protocol/agent-events.ts";

/** The parts of a host's vocabulary that capture needs; `hosts/` has one set for each host. */
export interface PayloadRules {
  events: {
    /** Renames the host's fields to those of `EventPayload`. */
    normalise(payload: Record<string, unknown>): Record<string, unknown>;
    /** Our event for the host's event name; undefined if the host has no such event. The payload may narrow it down. */
    read(name: string, payload?: EventPayload): AgentEvent | undefined;
  };
  tools: {
    kindOf(toolName: string): ToolKind;
    /** The file that a call concerns, if its input names one. */
    fileOf(input: unknown): string | undefined;
  };
  prompts: {
    /** Whether the host itself wrote this prompt (a wake-up, a report), not the person. */
    isMachine(text: string): boolean;
  };
}
