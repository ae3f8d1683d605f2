import type { ParseArgsConfig } from "node:util";
import type { Address } from "../client/request.ts";
import type { StartOptions } from "../client/start.ts";
import type { Environment } from "../config/environment.ts";
import type { Home } from "../config/home.ts";

export interface CliContext {
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
  /** One line for the human that the next one replaces; the empty one takes it away. */
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
  optionHelp?: Record<string, string>;
  /** How many words it takes besides flags. */
  words?: { min: number; max: number };
  run(context: CliContext, input: CommandInput): Promise<number>;
}
