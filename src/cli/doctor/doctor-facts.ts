import { join } from "node:path";
import { readDaemonFile } from "../../client/discover.ts";
import { callEndpoint } from "../../client/request.ts";
import { type LoadedConfig, loadConfig } from "../../config/load.ts";
import { listPlugins, type ListedPlugin, type PluginInstall } from "../../install/plugin.ts";
import { daemonEndpoints } from "../../protocol/endpoints/daemon.ts";
import type { DaemonFile } from "../../protocol/api.ts";
import type { Inspection, IntegrityVerdict } from "../../protocol/inspection.ts";
import type { StatusReport } from "../../protocol/status.ts";
import { type AppError, toAppError } from "../../shared/errors.ts";
import { parseJson } from "../../shared/json.ts";
import type { CliContext } from "../command.ts";
import { makePluginInstall, locateClaudeFolder } from "../plugin-install.ts";
import { homeOf, listProcesses, type ProcessFacts, runsScript } from "./processes.ts";
import { type CommandResult, runCommand } from "../run-command.ts";

/** Facts that several checks need; each is read once, on first use. */
export interface DoctorFacts {
  context: CliContext;
  nowMs: number;
  /** Undefined if no daemon answers; `unreachableError` then has the reason. */
  status(): Promise<StatusReport | undefined>;
  unreachableError(): Promise<AppError | undefined>;
  daemonFile(): DaemonFile | undefined;
  /** Undefined if it is invalid. */
  config(): LoadedConfig | undefined;
  processes(): ProcessFacts[];
  /** Daemons that were started for this home. */
  daemons(): ProcessFacts[];
  /** Rejects if the inspection itself fails. */
  inspection(): Promise<Inspection>;
  integrity(file: string, timeoutMs: number): Promise<IntegrityVerdict | "unfinished">;
  /** Undefined if Claude Code is not installed. */
  claude(): PluginInstall | undefined;
  plugins(): Promise<ListedPlugin[]>;
  /** Runs a program in the environment of a hook. */
  run(
    command: string,
    args: readonly string[],
    options?: { input?: string; timeoutMs?: number },
  ): Promise<CommandResult>;
}

export function openDoctorFacts(context: CliContext): DoctorFacts {
  const { home, address, environment, pluginRoot } = context;
  const inspector = join(pluginRoot, "dist", "inspect.js");

  const statusCall = memoise(async () => {
    try {
      const report = await callEndpoint(address, daemonEndpoints.getStatus, { timeoutMs: 10_000 });
      return { report, error: undefined };
    } catch (thrown) {
      return { report: undefined, error: toAppError(thrown) };
    }
  });
  const processes = memoise(listProcesses);
  const claude = memoise(() => makePluginInstall(context));

  const run: DoctorFacts["run"] = (command, args, options = {}) =>
    runCommand(command, args, { ...options, environment: makeHookEnvironment(context) });

  async function inspect<T>(args: string[], timeoutMs: number): Promise<T | undefined> {
    const flags = ["--disable-warning=ExperimentalWarning", inspector];
    const { code, stdout, stderr } = await run(process.execPath, [...flags, ...args], { timeoutMs });
    if (code === 0) return parseJson(stdout) as T;
    if (code === null) return undefined;
    throw new Error(stderr.trim().split("\n").at(-1) || `${inspector} exited with code ${code}`);
  }

  return {
    context,
    nowMs: Date.now(),
    status: async () => (await statusCall()).report,
    unreachableError: async () => (await statusCall()).error,
    daemonFile: memoise(() => readDaemonFile(home.daemonFile)),
    config: memoise(() => {
      try {
        return loadConfig(home.config, environment);
      } catch {
        return undefined; // The configuration check reports the reason.
      }
    }),
    processes,
    daemons: memoise(() =>
      processes().filter((each) => runsScript(each, "dist/daemon.js") && homeOf(each) === home.root),
    ),
    inspection: memoise(async () => {
      const found = await inspect<Inspection>(["look", home.database, locateClaudeFolder(context)], 8_000);
      if (!found) throw new Error("the database inspection did not finish within 8 s");
      return found;
    }),
    integrity: async (file, timeoutMs) =>
      (await inspect<IntegrityVerdict>(["check", file], timeoutMs)) ?? "unfinished",
    claude,
    plugins: memoise(async () => {
      const install = claude();
      return install ? listPlugins(install.claude, 8_000) : [];
    }),
    run,
  };
}

/** Without the variables of a session that may have started us, and without those that switch hooks off. */
function makeHookEnvironment({ environment, home }: CliContext): Record<string, string> {
  const { PATH = "/usr/bin:/bin", HOME, TMPDIR, SystemRoot } = environment;
  return {
    PATH,
    ...(HOME ? { HOME } : {}),
    ...(TMPDIR ? { TMPDIR } : {}),
    ...(SystemRoot ? { SystemRoot } : {}),
    ROOKERY_HOME: home.root,
    CLAUDE_PID: String(process.pid),
  };
}

function memoise<T>(find: () => T): () => T {
  let found: { value: T } | undefined;
  return () => {
    found ??= { value: find() };
    return found.value;
  };
}
