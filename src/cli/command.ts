import type { ParseArgsConfig } from "node:util";
import type { Address } from "../client/request.ts";
import type { StartOptions } from "../client/start.ts";
import type { Environment } from "../config/environment.ts";
import type { Home } from "../config/home.ts";

/** All commands by name; see `commands.ts`. */
export type CommandTable = Record<string, CommandEntry>;

export interface CommandEntry {
  group: string;
  load(): Promise<Command>;
  /** Starts the daemon first, unless the user stopped it. */
  needsDaemon?: boolean;
  /** Uses a running daemon, but does not start one. */
  usesDaemon?: boolean;
}

export interface CliContext {
  /** For the help of one command. */
  commands: CommandTable;
  home: Home;
  address: Address;
  environment: Environment;
  startOptions: StartOptions;
  /** The plugin's folder, which contains `hooks/` and `dist/`. */
  pluginRoot: string;
  cwd: string;
  isJson: boolean;
  isTerminal: boolean;
  /** The terminal's width; infinite if the output is a file or a pipe. */
  columns: number;
  print(text: string): void;
  /** A progress line that the next call replaces; an empty text clears it. Does nothing without a terminal. */
  drawProgress(text: string): void;
  /** Asks the user; undefined without a terminal. */
  ask: ((question: string, options?: { isHidden?: boolean }) => Promise<string>) | undefined;
  /** Waits for the user to press Enter; undefined without a terminal. */
  waitForEnter: ((signal: AbortSignal) => Promise<void>) | undefined;
  /** Prints to stderr: not part of the result. */
  printNote(text: string): void;
}

export interface CommandInput {
  flags: Record<string, string | boolean | string[] | undefined>;
  words: string[];
}

/** Values held by the daemon; see `commands/completion.ts`. */
export type ValueSource = "agents" | "ids" | "projects" | "questions" | "rooms";

/** One command: data for the help text and the parser, and `run`, which returns the exit code. */
export interface Command {
  summary: string;
  usage: string;
  examples: string[];
  options?: NonNullable<ParseArgsConfig["options"]>;
  /** One text for every option; a test checks that they match. */
  optionHelp?: Record<string, string>;
  /** Earlier names of options, which still work but are not in the help. */
  oldOptions?: Record<string, string>;
  /** The allowed first words and their descriptions. */
  actions?: Record<string, string>;
  /** Subcommands with options of their own: `setup slack`. */
  subcommands?: Record<string, Command>;
  /** Values for completion, by option; "" for positional arguments. */
  completes?: Record<string, readonly string[] | ValueSource>;
  /** The number of positional arguments. */
  words?: { min: number; max: number };
  run(context: CliContext, input: CommandInput): Promise<number>;
}
