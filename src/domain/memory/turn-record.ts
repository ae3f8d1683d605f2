import type { ToolCall } from "../capture/payload-rules.ts";
import type { ToolKind } from "../../protocol/agent-events.ts";
import type { memoryTypes } from "../../protocol/memory-kinds.ts";

/** A turn as the distiller sees it: redacted and in order, regardless of the source of each part. */
export interface TurnRecord {
  prompt: string;
  isMachine: boolean;
  steps: Step[];
  /** The agent's last message. */
  final: string;
  /** The session's working directory: scratch files elsewhere are not noteworthy. */
  root?: string;
  outcome: "completed" | "failed" | "interrupted" | "abandoned" | null;
}

/** A question with options, as it was answered. */
export interface GivenAnswer extends OptionTexts {
  question: string;
  answer: string;
  options: string[];
}

export interface OptionTexts {
  /** A label of one or two words for the question. */
  header?: string;
  /** The explanation of each option; empty if it has none. */
  details?: string[];
}

export type Step =
  | { kind: "say"; text: string }
  | ToolStep
  | ({ kind: "answer"; eventId: string } & GivenAnswer)
  | { kind: "denied"; tool: string; toolKind?: ToolKind; what: string; reason: string; eventId: string };

export interface ToolStep extends Pick<ToolCall, "target" | "changes"> {
  kind: "tool";
  /** The host's name of the tool, for people. */
  tool: string;
  toolKind: ToolKind;
  /** The file that the call concerns. */
  file?: string;
  /** As the host sent it; only `hosts/` knows its fields. */
  input: Record<string, unknown>;
  output: string;
  failed: boolean;
  eventId: string;
}

export type NoteType = (typeof memoryTypes)[number];

/** A finding worth remembering, as the distiller phrases it. */
export interface Distilled {
  type: NoteType;
  title: string;
  narrative: string;
  facts: string[];
  concepts: string[];
  filesRead: string[];
  filesModified: string[];
  sourceEvents: string[];
  provenance: "distil" | "answer" | "commit" | "model";
  /** Probability that a later session needs it, if the scorer estimated it. */
  worth?: number;
}

export interface TurnSummary {
  request: string;
  investigated: string;
  learned: string;
  completed: string;
  nextSteps: string;
  notes: string;
  filesRead: string[];
  filesModified: string[];
}

/**
 * Findings of a turn that is not worth a note of its own: they are added to the session's note about the same thing. If
 * the session has no note, several such turns make one together.
 */
export interface LooseFindings {
  facts: string[];
  draft?: DraftNote;
}

/** The note that a turn would have. */
export interface DraftNote {
  note: Distilled;
  /** Expected number of wanted statements of the turn. */
  findings: number;
  /** How clear its title is, as `rankTitles` ranks it. */
  titleRank: number;
}

export const noLooseFindings: LooseFindings = { facts: [] };
