import type { AgentEvent, EventPayload, ToolKind } from "../../protocol/agent-events.ts";

/** A text replacement; `before` is null if the replaced text is unknown. */
export interface Change {
  before: string | null;
  after: string;
}

/** A tool call in our own terms, without the host's field names. */
export interface ToolCall {
  /** Files and folders that the input names. */
  paths: string[];
  /** The shell command, if the call runs one. */
  command: string | undefined;
  /** The most informative text of the input: a file, a command, a search term, a question. Empty if there is none. */
  target: string;
  /** The texts that an edit replaces. */
  changes: Change[];
}

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
    readCall(toolName: string, input: unknown): ToolCall;
  };
  prompts: {
    /** Whether the host itself wrote this prompt (a wake-up, a report), not the person. */
    isMachine(text: string): boolean;
  };
}
