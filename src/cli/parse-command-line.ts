import { type ParseArgsConfig, parseArgs } from "node:util";
import { AppError } from "../shared/errors.ts";
import { findNearest } from "../shared/find-nearest.ts";
import type { Command, CommandEntry, CommandInput, CommandTable } from "./command.ts";

/** A parsed command line. */
interface CommandLine {
  /** `search`, `setup slack`. */
  name: string;
  entry: CommandEntry;
  command: Command;
  /** Undefined with `--help`. */
  input: CommandInput | undefined;
}

type Options = NonNullable<ParseArgsConfig["options"]>;

/** Parses a command line against the table. Errors suggest the nearest known word. */
export async function parseCommandLine(table: CommandTable, argv: readonly string[]): Promise<CommandLine> {
  const [name = "", ...rest] = argv;
  const entry = Object.hasOwn(table, name) ? table[name] : undefined;
  if (!entry)
    throw new AppError(
      "unknown_command",
      `Unknown command ${name}.${suggestNearest(name, Object.keys(table))}`,
    );
  const found = resolveSubcommand(name, await entry.load(), rest);
  if (wantsHelp(found.rest)) return { name: found.name, entry, command: found.command, input: undefined };
  const input = parseInput(found.name, found.command, found.rest);
  return { name: found.name, entry, command: found.command, input };
}

/** Resolves subcommands such as `setup slack`. */
function resolveSubcommand(
  name: string,
  command: Command,
  rest: string[],
): { name: string; command: Command; rest: string[] } {
  const at = rest.findIndex((arg) => arg !== "--json");
  const word = rest[at];
  if (!command.subcommands || word === undefined || word.startsWith("-")) return { name, command, rest };
  const part = Object.hasOwn(command.subcommands, word) ? command.subcommands[word] : undefined;
  if (!part) throw makeUnknownArgument(name, word, Object.keys(command.subcommands));
  return { name: `${name} ${word}`, command: part, rest: rest.toSpliced(at, 1) };
}

function wantsHelp(args: readonly string[]): boolean {
  return argsBeforeDashes(args).some((arg) => arg === "--help" || arg === "-h");
}

/** The arguments before `--`; all that follow are positional. */
export function argsBeforeDashes(args: readonly string[]): readonly string[] {
  const end = args.indexOf("--");
  return end < 0 ? args : args.slice(0, end);
}

function parseInput(name: string, command: Command, given: string[]): CommandInput {
  const options: Options = { ...command.options, json: { type: "boolean" } };
  const args = renameOldOptions(given, command.oldOptions ?? {});
  const parsed = parseArgs({ args, options, allowPositionals: true, strict: false, tokens: true });
  for (const token of parsed.tokens) if (token.kind === "option") checkOption(name, command, options, token);
  const { positionals: words, values } = parsed;
  const { min, max } = command.words ?? { min: 0, max: 0 };
  const [first] = words;
  if (command.actions && first !== undefined && !Object.hasOwn(command.actions, first))
    throw makeUnknownArgument(name, first, Object.keys(command.actions));
  if (words.length < min || words.length > max)
    throw new AppError("invalid_argument", `Usage: rookery ${name} ${command.usage}`.trimEnd());
  return { flags: values, words };
}

function renameOldOptions(args: readonly string[], oldOptions: Record<string, string>): string[] {
  const count = argsBeforeDashes(args).length;
  return args.map((arg, index) => {
    const [, old = "", value = ""] = /^--([^=]+)(.*)$/s.exec(arg) ?? [];
    return index < count && Object.hasOwn(oldOptions, old) ? `--${oldOptions[old]}${value}` : arg;
  });
}

interface OptionToken {
  name: string;
  rawName: string;
  value: string | undefined;
  inlineValue: boolean | undefined;
}

function checkOption(name: string, command: Command, options: Options, token: OptionToken): void {
  const { name: flag, rawName, value, inlineValue } = token;
  const type = Object.hasOwn(options, flag) ? options[flag]?.type : undefined;
  const known = Object.keys(options).map((each) => `--${each}`);
  if (type === undefined) {
    const words = command.words ? " Put arguments that start with - after --." : "";
    const close = suggestNearest(rawName, known) || ` Options: ${known.join(", ")}.${words}`;
    throw new AppError("invalid_argument", `Unknown option ${rawName} for ${name}.${close}`);
  }
  if (type === "boolean" && value !== undefined)
    throw new AppError("invalid_argument", `${name}: ${rawName} takes no value.`);
  if (type === "string" && (value === undefined || (!inlineValue && value.startsWith("--"))))
    throw new AppError("invalid_argument", `${name}: ${rawName} needs a value.`);
}

function makeUnknownArgument(name: string, word: string, known: readonly string[]): AppError {
  const close = suggestNearest(word, known) || ` Expected one of: ${known.join(", ")}.`;
  return new AppError("invalid_argument", `Unknown argument ${word} for ${name}.${close}`);
}

function suggestNearest(word: string, known: readonly string[]): string {
  const close = findNearest(word, known);
  return close === undefined ? "" : ` Did you mean ${close}?`;
}
