import { existsSync, rmSync } from "node:fs";
import { build } from "../shared/build.ts";
import { AppError, type ErrorKind, toAppError } from "../shared/errors.ts";
import type { CliContext } from "./command.ts";
import { commands } from "./commands.ts";
import { argsBeforeDashes, parseCommandLine } from "./parse-command-line.ts";

/** Documented in docs/cli.md. */
const exitCodeOfKind: Record<ErrorKind, number> = {
  invalid: 2,
  denied: 3,
  missing: 4,
  conflict: 5,
  unavailable: 6,
  bug: 70,
};

/** Runs one command line and returns the exit code. Never throws. */
export async function runCli(
  argv: string[],
  makeContext: (isJson: boolean) => Omit<CliContext, "commands">,
): Promise<number> {
  const isJson = argsBeforeDashes(argv).includes("--json");
  const context = { ...makeContext(isJson), commands };
  try {
    checkRuntime(context);
    return await dispatch(argv, context);
  } catch (thrown) {
    const error = toAppError(thrown);
    const { code, message, hint } = error;
    if (isJson) context.print(JSON.stringify({ error: { code, message, hint } }));
    else context.printNote(`rookery: ${message}\n  ${hint}`);
    return exitCodeOfKind[error.kind];
  }
}

/** The launcher caches the path of Node. If Node was downgraded since, the cache is dropped. */
function checkRuntime({ home }: CliContext): void {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 22 || (major === 22 && minor >= 16)) return;
  rmSync(home.nodePath, { force: true });
  throw new AppError("runtime_too_old", `${process.execPath} is Node ${process.versions.node} now.`);
}

async function dispatch(argv: string[], context: CliContext): Promise<number> {
  const [first] = argv;
  if (first === "--version" || first === "-v" || first === "version") {
    context.print(context.isJson ? JSON.stringify(build) : build.version);
    return 0;
  }
  const { name, entry, command, input } = await parseCommandLine(commands, toCommand(argv));
  if (!input) return dispatch(["help", ...name.split(" "), ...(context.isJson ? ["--json"] : [])], context);
  if (entry.needsDaemon || entry.usesDaemon) {
    const { warnIfOutdated: noteOlderInstallation, startInstalledDaemon: startInstalled } = await import(
      "./start-daemon.ts"
    );
    if (entry.needsDaemon && !existsSync(context.home.stoppedByUser)) await startInstalled(context);
    noteOlderInstallation(context);
  }
  return command.run(context, input);
}

/** `rookery`, `rookery --json` and `rookery --help` list the commands. */
function toCommand(argv: string[]): string[] {
  const [first] = argv;
  if (first === undefined || first === "--json") return ["help", ...argv];
  return first === "--help" || first === "-h" ? ["help", ...argv.slice(1)] : argv;
}
