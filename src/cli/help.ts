import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseJson } from "../shared/json.ts";
import type { CliContext, Command, CommandTable } from "./command.ts";
import { wrapLines } from "./format.ts";

/** The help of one command, as `--help --json` prints it. */
export interface HelpView {
  name: string;
  summary: string;
  usage: string;
  /** The allowed first words. */
  actions: { name: string; text: string }[];
  options: { name: string; short: string | null; value: string | null; text: string }[];
  examples: string[];
  /** Values for completion, by option; "" for positional arguments. */
  completes: NonNullable<Command["completes"]>;
}

/** A command, or a part of one such as `setup slack`, in the list of all. */
interface ListedCommand extends HelpView {
  group: string;
}

/** Loads every command, so only the build calls this; at run time, the file that the build writes is read instead. */
export async function listCommands(table: CommandTable): Promise<ListedCommand[]> {
  const views = Object.entries(table).map(async ([name, { group, load }]) => {
    const command = await load();
    const subcommands = Object.entries(command.subcommands ?? {});
    return [
      describeHelp(name, command),
      ...subcommands.map(([part, below]) => describeHelp(`${name} ${part}`, below)),
    ].map((view) => ({ group, ...view }));
  });
  return (await Promise.all(views)).flat();
}

export function readCommandList({ pluginRoot }: Pick<CliContext, "pluginRoot">): ListedCommand[] {
  return parseJson(readFileSync(join(pluginRoot, "dist", "commands.json"), "utf8")) as ListedCommand[];
}

/** `setup`, but not `setup slack`. */
export function isTopLevel({ name }: HelpView): boolean {
  return !name.includes(" ");
}

export function formatOverview(listed: readonly ListedCommand[], version: string, columns: number): string {
  const loaded = listed.filter(isTopLevel);
  const lines = [
    `Rookery ${version}: memory, a line to you, and mail for coding agents.`,
    "",
    "Usage: rookery COMMAND [options]",
  ];
  for (const group of new Set(loaded.map((entry) => entry.group)))
    lines.push(
      "",
      `${group}:`,
      ...formatPairs(
        loaded
          .filter((entry) => entry.group === group)
          .map(({ name, summary }) => [name.padEnd(10), summary]),
        columns,
      ),
    );
  return [
    ...lines,
    "",
    "Every command takes --help (or: rookery help COMMAND) and --json.",
    "Home: $ROOKERY_HOME, or ~/.rookery.  Example: rookery status",
  ].join("\n");
}

export function describeHelp(name: string, command: Command): HelpView {
  const { summary, usage, examples, options = {}, optionHelp = {}, actions = {}, subcommands = {} } = command;
  const { completes = {} } = command;
  const words = { ...actions };
  for (const [part, { summary: text }] of Object.entries(subcommands)) words[part] = text;
  return {
    name,
    summary,
    usage: `rookery ${name} ${usage}`.trimEnd(),
    examples,
    completes,
    actions: Object.entries(words).map(([word, text]) => ({ name: word, text })),
    options: [
      ...Object.entries(options).map(([flag, { type, short }]) => ({
        name: flag,
        short: short ?? null,
        text: optionHelp[flag] ?? "",
        value: type === "string" ? valueName(usage, flag, short) : null,
      })),
      { name: "json", short: null, value: null, text: "print JSON" },
      { name: "help", short: "h", value: null, text: "show this help" },
    ],
  };
}

/** The value's name in the usage line: DATE in `--since DATE`. */
function valueName(usage: string, flag: string, short: string | undefined): string {
  const mark = short === undefined ? `--${flag}` : `(?:--${flag}|-${short})`;
  return new RegExp(`${mark} ([^\\s\\])]+)`).exec(usage)?.[1] ?? "VALUE";
}

export function formatHelp(view: HelpView, columns: number): string {
  const { summary, usage, actions, options, examples } = view;
  const lines = [wrapLines(summary, columns, "", ""), "", fillUsage(usage, columns)];
  if (actions.length > 0)
    lines.push(
      "",
      ...formatPairs(
        actions.map(({ name, text }) => [name, text]),
        columns,
      ),
    );
  const flags = options.map(({ name, short, value, text }): [string, string] => [
    `${short ? `-${short}, ` : "    "}--${name}${value ? ` ${value}` : ""}`,
    text,
  ]);
  lines.push("", "Options:", ...formatPairs(flags, columns));
  lines.push("", examples.length === 1 ? "Example:" : "Examples:", ...examples.map((each) => `  ${each}`));
  return lines.join("\n");
}

/** Keeps a flag and its value on one line. */
function fillUsage(usage: string, columns: number): string {
  const glued = `Usage: ${usage}`.replace(/(--[\w-]+) (?=["A-Z@a-z])/g, "$1\u00a0");
  return wrapLines(glued, columns, "", " ".repeat("Usage: rookery ".length)).replaceAll("\u00a0", " ");
}

/** Two columns: names and descriptions. */
function formatPairs(pairs: [string, string][], columns: number): string[] {
  const width = Math.min(34, Math.max(...pairs.map(([name]) => name.length)));
  const indent = " ".repeat(width + 4);
  return pairs.map(([name, text]) => {
    const isShort = name.length <= width;
    const filled = wrapLines(text, columns, isShort ? `  ${name.padEnd(width)}  ` : indent, indent);
    return isShort ? filled : `  ${name}\n${filled}`;
  });
}
