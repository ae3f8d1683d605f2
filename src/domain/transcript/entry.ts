import type { ToolCall } from "../capture/payload-rules.ts";
import type { GivenAnswer } from "../memory/turn-record.ts";
import type { ToolKind } from "../../protocol/agent-events.ts";

/** The parts of a transcript that memory uses; `hosts/` converts each host's lines to these. */
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
  /** Epoch ms; 0 if the line has no time. */
  at: number;
  /** Stable across forks, unlike the prompt id: a copied line keeps it or names it in `forkedFrom`. */
  uuid: string;
  /** The session in which the line was first written, if the line still names it. */
  sessionId: string;
  isSidechain: boolean;
  agentId?: string;
  cwd: string | null;
  gitBranch: string | null;
  version: string | null;
}

export type LineFacts = EntryBase;

/** The session's title. Such lines have no time and are repeated; the last one counts. */
interface TitleEntry {
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
  /** Added to the running turn: typed while it ran, or given with a permission. */
  isMidTurn: boolean;
  /** The prompt id is the id of the turn: a second prompt with the same id was typed while the turn ran. */
  isTurnId?: true;
  /** The report of a finished background agent: the call that started it, and its result. */
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

export interface ToolUseEntry extends EntryBase, Pick<ToolCall, "target" | "changes"> {
  kind: "tool-use";
  toolUseId: string;
  name: string;
  toolKind: ToolKind;
  /** The file that the call concerns. */
  file?: string;
  input: Record<string, unknown>;
}

export interface ToolResultEntry extends EntryBase {
  kind: "tool-result";
  toolUseId: string;
  text: string;
  isError: boolean;
  /** Refused by the person, in the terminal or through a permission hook; the reason may be empty. */
  denied: { reason: string } | null;
  answers: GivenAnswer[];
}

export interface MarkEntry extends EntryBase {
  kind: "turn-ended" | "turn-failed" | "interrupted";
  /** The interruption stopped a running tool, whose result then looks like a refusal. */
  hitTool: boolean;
}

interface CompactSummaryEntry extends EntryBase {
  kind: "compact-summary";
  text: string;
}
