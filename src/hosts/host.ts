import type { Answer, HostRequest, Prompt, QuestionKind, SessionRule } from "../domain/ask/question.ts";
import type { PayloadRules, Change } from "../domain/capture/payload-rules.ts";
import type { OptionTexts } from "../domain/memory/turn-record.ts";
import type { TranscriptEntry } from "../domain/transcript/entry.ts";
import type { SessionTables } from "../domain/transcript/session-tables.ts";
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
  prompts: HostPrompts;
  requests: HostRequests;
  replies: HostReplies;
  transcripts: HostTranscripts;
  install: HostInstall;
  demoCalls: HostCalls;
  claims: HostClaims;
  /** Access to the session's dialogs while they are open in the terminal, for hosts whose hooks do not give it. */
  dialogs?: HostDialogs;
  /** Our slash commands that the daemon can run itself, so that they cost no turn of the model. */
  commands?: HostCommands;
  /** The command that submits a line to an idle session; undefined if only a monitor can wake it, or nothing. */
  wake?(session: WakeTarget, line: string): WakeCommand;
}

/**
 * The capabilities of Rookery in this host. docs/hosts.md shows them, and `tests/architecture/host-claims.ts` names a
 * test for each.
 */
export interface HostClaims {
  capture: Claim;
  context: Claim;
  permissions: Claim;
  questions: Claim;
  waking: Claim;
  identity: Claim;
  reconciliation: Claim;
  import: Claim;
}

interface Claim {
  works: "yes" | "partly" | "no";
  /** How, under which condition, or why not. */
  how?: string;
}

export interface HostCommands {
  /** The name of our command that the prompt consists of; undefined for any other prompt. */
  read(prompt: string): string | undefined;
  /** The reply to the prompt's hook: shows the person the result and keeps both from the model. */
  formatDone(result: string): string;
}

interface WakeTarget {
  sessionId: string;
  transcriptPath: string | null;
}

export interface WakeCommand {
  command: string;
  args: string[];
  environment: Record<string, string>;
}

/** The socket of the process that shows a session's dialogs. Messages are JSON objects over WebSocket. */
export interface HostDialogs {
  /** Whether requests for the permission of this tool arrive here. */
  covers(toolName: string): boolean;
  /** The path of the socket, which need not exist. */
  socketOf(transcriptPath: string): string | undefined;
  /** The first messages of a connection. */
  greet(sessionId: string): object[];
  /** The meaning of a message for this session; undefined for most. */
  read(message: Record<string, unknown>, sessionId: string): DialogEvent | undefined;
  /** The messages that answer a dialog. None if the answer decides nothing: the dialog then stays open. */
  answer(dialog: Dialog, question: DecidedQuestion, answer: Answer): object[];
}

export type DialogEvent =
  /** To be sent next. */
  | { type: "reply"; message: object }
  /** From now on, requests arrive; those of open dialogs arrive again. */
  | { type: "joined" }
  /** The process does not run this session. */
  | { type: "absent" }
  | { type: "opened"; dialog: Dialog }
  | { type: "closed"; requestId: string | number }
  /** The turn is over. */
  | { type: "ended"; isInterrupted: boolean };

export interface Dialog {
  requestId: string | number;
  /** The host's own ids. */
  sessionId: string;
  turnId: string;
  /** The call that waits. */
  toolUseId: string;
  /** The tool, if the message names it. */
  toolName: string | undefined;
  /** The part of the call's input that the message contains. */
  input: Record<string, unknown>;
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

type HostPrompts = PayloadRules["prompts"] & {
  /** The text of a machine prompt, without the host's tags. */
  readMachine(text: string): string;
};

/** Questions and permission requests: tools that wait for the person. */
export interface HostRequests {
  /**
   * Whether the host shows its dialog while a permission hook runs ("beside"), or only after it ("before"): such a hook
   * keeps the person from answering in the terminal, so it waits only while the person is away. "none": its permission
   * hook does not show whether the person is asked at all, so it is never held. "event": the host reports the request
   * and does not wait for the reply, so waiting never blocks anything.
   */
  dialog: "beside" | "before" | "none" | "event";
  /** Whether the reply to a hook can answer the host's questions with options. */
  answersQuestions: boolean;
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

export interface AnsweredQuestion extends OptionTexts {
  question: string;
  answer: string | null;
  options: string[];
}

/** A question with the tool's exact input. */
export interface DecidedQuestion {
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
  formatDecision(question: DecidedQuestion, answer: Answer): string | undefined;
  /** Shell lines that a session sources when it starts; empty for none. */
  formatExports(names: { sessionId: string; agent: string }): string;
  /** Parses the output of a hook. */
  read(stdout: string): ReplyParts & { isAllowed: boolean; answers: Record<string, unknown> };
}

export interface HostTranscripts {
  /** The part of a line that `mayHaveEntries` needs. */
  headLength: number;
  /** False only for lines that certainly contain nothing for us, judged by their first characters. */
  mayHaveEntries(head: string): boolean;
  /** Lines that name no prompt: all, or those of older versions. Their turns are recognised by the prompt's text and time. */
  lacksPromptIds?: "all" | "older";
  /** Never throws: a line that cannot be read is `damaged`. */
  readLine(line: string, options?: { textLimit?: number }): TranscriptEntry[];
  /** The host's folder for data, if not its configuration folder. */
  home?: HostFolder;
  /** Folder under it that contains the transcripts. */
  folder: string;
  /** Number of folders between that folder and a transcript. */
  depth: number;
  /** Another such folder, without subfolders, for transcripts that the person archived. */
  archive?: string;
  /**
   * The session of a transcript, by its path below that folder, or by its beginning; undefined if the file is not a
   * session's transcript.
   */
  sessionIdOf(path: string, readStart: () => string): string | undefined;
  /** The session's folder, by the beginning of its transcript; for hosts whose lines have no `cwd`. */
  folderOf?(start: string): string | undefined;
  /** Whether a transcript is a subagent's, by its beginning; the session contains the result of the call that started it. */
  isSubagent?(start: string): boolean;
  /** Sessions are rows of this SQLite database in the folder, not files; `store/session-databases.ts` reads them as lines. */
  database?: { file: string; tables: SessionTables };
  /** The host's own list of titles and branches, beside the transcripts. */
  indexFile?: string;
  /** The number of days after which the host deletes transcripts, by its settings; undefined if it keeps them. */
  retentionDays(settings: unknown): number | undefined;
}

/** The value of the variable, else this name in the user's home. `parentVariable` names the folder that contains it. */
interface HostFolder {
  variable?: string;
  parentVariable?: string;
  name: string;
}

/** Names and commands for `install/`. */
export interface HostInstall {
  command: string;
  /** The host's configuration folder. */
  folder: HostFolder;
  /** A step that the person must take once after the installation. */
  hint?: string;
  /** Whether the person took that step, by a file of the host. A plugin counts its trusted hooks instead. */
  hintDone?: { file: string; by(text: string): boolean };
  /** How Rookery is added: as a plugin, by the host's own commands, or by entries in the host's files. */
  plugin?: PluginCommands;
  files?(plugin: string): HostFile[];
}

export interface PluginCommands {
  list: readonly string[];
  /** Finds our plugin in the output of `list`. */
  readList(printed: unknown, pluginId: string): InstalledPlugin | undefined;
  addMarketplace(folder: string): string[];
  removeMarketplace(name: string): string[];
  install(pluginId: string): string[];
  update(pluginId: string): string[];
  uninstall(pluginId: string): string[];
  /** Folder under the configuration folder with copies of plugins, by marketplace. */
  cache: string;
  /** The file that these commands change, and how to remove what they leave behind in it. */
  configFile: string;
  cleanConfig(text: string, pluginId: string): string;
  /** The number of our hooks that the person has reviewed, by that file. */
  countTrusted(text: string, pluginId: string): number;
}

export interface InstalledPlugin {
  version: string;
  isEnabled: boolean;
  /** The folder that it was installed from. */
  folder: string;
}

/** A file under the configuration folder: one that is entirely ours, or entries in one of the person's. */
export type HostFile = { path: string; text: string } | { path: string; entries: HostEntry[] };

export interface HostEntry {
  /** Keys from the top of the JSON file; an entry whose place is a list is appended to it. */
  at: readonly string[];
  isListed: boolean;
  value: unknown;
}

type CallFields = { tool_name: string; tool_input: Record<string, unknown>; tool_response?: unknown };

/** Payload fields of tool calls as the host reports them to its hooks, for the sessions of the demo. */
export interface HostCalls {
  ask(questions: readonly object[]): CallFields;
  answered(questions: readonly object[], answers: Record<string, string>): CallFields;
  edit(file: string, before: string, after: string): CallFields;
  run(command: string, stdout: string): CallFields;
}
