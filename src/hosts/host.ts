import type { HostRequest } from "../domain/ask/read-request.ts";
import type { Answer, Prompt, QuestionKind, SessionRule } from "../domain/ask/question.ts";
import type { PayloadRules } from "../domain/capture/payload-rules.ts";
import type { Change } from "../domain/memory/line-origin.ts";
import type { TranscriptEntry } from "../domain/transcript/entry.ts";
import type { AgentEvent } from "../protocol/agent-events.ts";
import type { HostMarks } from "./host-marks.ts";
import type { HostName } from "./marks.ts";

/**
 * A coding agent that runs sessions. Everything specific to this host is behind this interface: data and pure
 * functions, no I/O. `tests/conformance/host-contract.ts` tests every host in `hosts.ts`.
 */
export interface Host extends PayloadRules {
  name: HostName;
  marks: HostMarks;
  events: HostEvents;
  tools: HostTools;
  requests: HostRequests;
  replies: HostReplies;
  transcripts: HostTranscripts;
  install: HostInstall;
  calls: HostCalls;
}

export type HostEvents = PayloadRules["events"] & {
  /** Every event of the host, by its own name. */
  names: Readonly<Record<string, AgentEvent>>;
  /** The host's own name of an event. */
  nameOf(event: AgentEvent): string | undefined;
};

export type HostTools = PayloadRules["tools"] & {
  /** The tools that have a kind of their own. */
  names: readonly string[];
  /** The names of the input fields that `readCall` and `changesOf` read. */
  inputFields: readonly string[];
  /** The text of a tool's result. */
  outputOf(response: unknown): string;
  /** The texts that an edit replaced, with their replacements. */
  changesOf(toolName: string, input: unknown, response: unknown): Change[];
};

/** Questions and permission requests: tools that wait for the person. */
export interface HostRequests {
  describe(toolName: string, input: Record<string, unknown>): HostRequest;
  /** A tool in words: `github: create issue`. */
  labelTool(toolName: string): string;
  /** The narrowest rule that allows the same call again in the session; null if there is none. */
  sessionRule(toolName: string, input: Record<string, unknown>): SessionRule | null;
  /** The questions of a call and their answers, in order; null for an unanswered one. */
  readAnswers(input: Record<string, unknown>, response: unknown): AnsweredQuestion[];
  /** The payload fields by which `readAnswers` finds these answers again. */
  recordAnswers(answered: readonly AnsweredQuestion[]): Record<string, unknown>;
}

export interface AnsweredQuestion {
  question: string;
  answer: string | null;
  options: string[];
}

/** A question with the tool's exact input. */
export interface Decided {
  kind: QuestionKind;
  prompts: readonly Prompt[];
  sessionRule: SessionRule | null;
  input: Record<string, unknown>;
}

export interface ReplyParts {
  /** For the model; already fenced. */
  context?: string | undefined;
  /** Before a tool runs: the reason for denying it. */
  deny?: string | undefined;
  /** For the person, shown by the host. */
  systemMessage?: string | undefined;
}

export interface HostReplies {
  /** Maximum number of characters of context in a reply to this event. */
  contextLimit(event: AgentEvent): number;
  /** The output of the hook; empty for nothing. */
  format(event: AgentEvent, parts: ReplyParts): string;
  /** The output of a permission hook. Undefined if the answer decides nothing: the dialog then stays open. */
  formatDecision(question: Decided, answer: Answer): string | undefined;
  /** Shell lines that a session sources when it starts; empty for none. */
  formatExports(names: { sessionId: string; agent: string }): string;
  /** Parses the output of a hook. */
  read(stdout: string): ReplyParts & { isAllowed: boolean; answers: Record<string, unknown> };
}

export interface HostTranscripts {
  /** The part of a line that `mayMatter` needs. */
  headLength: number;
  /** False only for lines that certainly contain nothing for us, judged by their first characters. */
  mayMatter(head: string): boolean;
  /** Never throws: a line that cannot be read is `damaged`. */
  readLine(line: string, options?: { textLimit?: number }): TranscriptEntry[];
  /** Folder under the host's configuration folder that contains one folder of transcripts per project. */
  folder: string;
  /** Whether a file there is the transcript of a session. */
  isSession(fileName: string): boolean;
  /** The host's own list of titles and branches, in each project's folder. */
  indexFile: string;
  /** The number of days after which the host deletes transcripts, by its settings. */
  keptDays(settings: unknown): number;
}

/** Names and commands for `install/`. */
export interface HostInstall {
  command: string;
  /** The host's folder in a project. */
  projectFolder: string;
  settingsFile: string;
  localSettingsFile: string;
  /** The host's state file, with the person's MCP servers. */
  stateFile: string;
  /** MCP servers of a project. */
  serversFile: string;
  /** The variable for the plugin's folder in the plugin's own files. */
  pluginRootVariable: string;
  /** Files under the configuration folder that name installed plugins. */
  pluginFiles: readonly string[];
  /** Folder under the configuration folder with copies of plugins, by marketplace. */
  pluginCache: string;
  pluginCommands: {
    list: readonly string[];
    addMarketplace(folder: string): string[];
    removeMarketplace(name: string): string[];
    install(pluginId: string): string[];
    update(pluginId: string): string[];
    uninstall(pluginId: string): string[];
  };
}

type CallFields = { tool_name: string; tool_input: Record<string, unknown>; tool_response?: unknown };

/** Payload fields of tool calls as the host reports them to its hooks, for the sessions of the demo. */
export interface HostCalls {
  ask(questions: readonly object[]): CallFields;
  answered(questions: readonly object[], answers: Record<string, string>): CallFields;
  edit(file: string, before: string, after: string): CallFields;
  run(command: string, stdout: string): CallFields;
}
