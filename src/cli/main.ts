import { existsSync, rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { build } from "../shared/build.ts";
import { AppError, type ErrorKind, toAppError } from "../shared/errors.ts";
import { nearest } from "../shared/nearest.ts";
import type { CliContext, Command, CommandInput } from "./command.ts";
import { commands } from "./commands.ts";
import { startDaemon } from "./commands/start.ts";
import { formatHelp, formatOverview } from "./help.ts";

const exitCodeOfKind: Record<ErrorKind, number> = {
  invalid: 2,
  denied: 3,
  missing: 4,
  conflict: 5,
  unavailable: 6,
  bug: 70,
};

/** Runs one command line. Never throws: the outcome is the exit code. */
export async function runCli(argv: string[], makeContext: (isJson: boolean) => CliContext): Promise<number> {
  const isJson = argv.includes("--json");
  const context = makeContext(isJson);
  try {
    checkRuntime(context);
    return await dispatch(argv, context);
  } catch (thrown) {
    const error = toAppError(thrown);
    const { code, message, hint } = error;
    if (isJson) context.print(JSON.stringify({ error: { code, message, hint } }));
    else context.note(`rookery: ${message}\n  ${hint}`);
    return exitCodeOfKind[error.kind];
  }
}

/** The launcher remembers the Node it found: one that was replaced by an older one since is not to be remembered. */
function checkRuntime({ home }: CliContext): void {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 22 || (major === 22 && minor >= 16)) return;
  rmSync(home.node, { force: true });
  throw new AppError("runtime_too_old", `${process.execPath} is Node ${process.versions.node} now.`);
}

async function dispatch(argv: string[], context: CliContext): Promise<number> {
  const [name, ...rest] = argv;
  if (name === undefined || name === "help" || name === "--help" || name === "-h") {
    context.print(await formatOverview(build.version));
    return 0;
  }
  if (name === "--version" || name === "-v" || name === "version") {
    context.print(context.isJson ? JSON.stringify(build) : build.version);
    return 0;
  }
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!entry) {
    const guess = nearest(name, Object.keys(commands));
    throw new AppError(
      "unknown_command",
      `There is no command ${name}.${guess ? ` Did you mean ${guess}?` : ""}`,
    );
  }
  const command = await entry.load();
  if (rest.includes("--help") || rest.includes("-h")) {
    context.print(formatHelp(name, command));
    return 0;
  }
  const input = parse(name, command, rest);
  if (entry.needsDaemon && !existsSync(context.home.stopped)) await startDaemon(context);
  return command.run(context, input);
}

function parse(name: string, command: Command, args: string[]): CommandInput {
  let parsed: { values: Record<string, unknown>; positionals: string[] };
  try {
    parsed = parseArgs({
      args,
      options: { ...command.options, json: { type: "boolean" } },
      allowPositionals: true,
      strict: true,
    });
  } catch (cause) {
    throw new AppError("invalid_argument", `rookery ${name}: ${(cause as Error).message}`, { cause });
  }
  const { min, max } = command.words ?? { min: 0, max: 0 };
  const count = parsed.positionals.length;
  if (count < min || count > max)
    throw new AppError("invalid_argument", `Usage: rookery ${name} ${command.usage}`.trimEnd());
  return { flags: parsed.values as CommandInput["flags"], words: parsed.positionals };
}
