import type { ParseArgsConfig } from "node:util";
import type { Address } from "../client/request.ts";
import type { StartOptions } from "../client/start.ts";
import type { Environment } from "../config/environment.ts";
import type { Home } from "../config/home.ts";

/** The table of contents of the command line; `commands.ts` holds it. */
export type CommandTable = Record<string, CommandEntry>;

export interface CommandEntry {
  group: string;
  load(): Promise<Command>;
  /** Starts the daemon first, unless the user stopped it. */
  needsDaemon?: boolean;
  /** Talks to a running daemon and starts none. */
  usesDaemon?: boolean;
}

export interface CliContext {
  /** All there are, for help and completion. */
  commands: CommandTable;
  home: Home;
  address: Address;
  environment: Environment;
  startOptions: StartOptions;
  /** Where the plugin lives: the folder that holds `hooks/` and `dist/`. */
  pluginRoot: string;
  /** Where the command was given. */
  cwd: string;
  isJson: boolean;
  isTerminal: boolean;
  /** How wide a line may be; infinite where the text goes to a file or another program. */
  columns: number;
  print(text: string): void;
  /** One line for the human that the next one replaces; the empty one takes it away. Nothing where nobody watches. */
  draw(text: string): void;
  /** Puts a question to the human; undefined where none is there to answer. */
  ask: ((question: string, options?: { isHidden?: boolean }) => Promise<string>) | undefined;
  /** Waits for the human to press Enter; undefined where none is there. */
  enter: ((signal: AbortSignal) => Promise<void>) | undefined;
  /** Notes for the human that are not the result. */
  note(text: string): void;
}

export interface CommandInput {
  flags: Record<string, string | boolean | string[] | undefined>;
  words: string[];
}

/** One command: data for the help text and the parser, and what it does. Returns the exit code. */
export interface Command {
  summary: string;
  usage: string;
  examples: string[];
  options?: NonNullable<ParseArgsConfig["options"]>;
  /** A text for each option, no more and no less. */
  optionHelp?: Record<string, string>;
  /** What the first word may be, with what it does; anything else is refused. */
  actions?: Record<string, string>;
  /** Commands below this one, with options of their own: `setup slack`. */
  parts?: Record<string, Command>;
  /** How many words it takes besides flags. */
  words?: { min: number; max: number };
  run(context: CliContext, input: CommandInput): Promise<number>;
}
