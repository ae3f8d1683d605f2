import type { ToolKind } from "../../protocol/agent-events.ts";

/** The parts of a transcript that memory reads; `hosts/` turns each host's lines into these. */
export type TranscriptEntry =
  | { kind: "damaged" }
  | TitleEntry
  | PromptEntry
  | CommandEntry
  | SayEntry
  | ToolUseEntry
  | ToolResultEntry
  | MarkEntry
  | CompactSummaryEntry;

interface EntryBase {
  /** Epoch ms; 0 when the line does not say. */
  at: number;
  /** Stable through forks, unlike the prompt id: a copied line keeps it, or names it in `forkedFrom`. */
  uuid: string;
  /** Of the session the line was first written in, where the line still tells. */
  sessionId: string;
  isSidechain: boolean;
  agentId?: string;
  cwd: string | null;
  gitBranch: string | null;
  version: string | null;
}

export type LineFacts = EntryBase;

/** What the session is called. Such lines carry no time and are repeated; the last one counts. */
export interface TitleEntry {
  kind: "title";
  sessionId: string;
  title: string;
  source: "user" | "model";
}

export interface PromptEntry extends EntryBase {
  kind: "prompt";
  origin: "human" | "machine";
  text: string;
  promptId: string | null;
  /** Taken up by the running turn: typed while it ran, or said along with a permission. */
  isMidTurn: boolean;
  /** A finished background agent reports: the call that started it, and what it says. */
  report: { toolUseId: string; result: string } | null;
}

/** A slash command or a shell line typed by the user. Most never reach the model. */
export interface CommandEntry extends EntryBase {
  kind: "command";
  text: string;
  promptId: string | null;
}

export interface SayEntry extends EntryBase {
  kind: "say";
  text: string;
  messageId: string | null;
  /** Tool calls follow in the same message. */
  isBeforeTools: boolean;
}

export interface ToolUseEntry extends EntryBase {
  kind: "tool-use";
  toolUseId: string;
  name: string;
  toolKind: ToolKind;
  /** The file that the call is about. */
  file?: string;
  input: Record<string, unknown>;
}

export interface ToolResultEntry extends EntryBase {
  kind: "tool-result";
  toolUseId: string;
  text: string;
  isError: boolean;
  /** Refused by the person, at the terminal or through a permission hook; the reason may be empty. */
  denied: { reason: string } | null;
  answers: { question: string; answer: string; options: string[] }[];
}

export interface MarkEntry extends EntryBase {
  kind: "turn-ended" | "turn-failed" | "interrupted";
  /** The interruption hit a running tool, whose result then looks like a refusal. */
  hitTool: boolean;
}

export interface CompactSummaryEntry extends EntryBase {
  kind: "compact-summary";
  text: string;
}
