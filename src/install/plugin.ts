import { execFile } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../shared/errors.ts";
import { type Before, recordBefore, removeTraces } from "./claude-files.ts";

export const pluginId = "rookery@rookery";

export interface PluginInstall {
  claude: string;
  /** Folder with `.claude-plugin/marketplace.json`. */
  marketplace: string;
  /** Claude Code's configuration folder. */
  configDir: string;
  /** Our note of what stood there before, in our own home. */
  recordFile: string;
}

/** As `claude plugin list --json` prints it. */
export interface ListedPlugin {
  id: string;
  version?: string;
  enabled?: boolean;
  /** A copy of Claude Code's own. */
  installPath?: string;
  /** Where it is read in place instead. */
  readFromFolder?: string;
  errors?: string[];
  errorDetails?: { type: string }[];
}

/** Registers the checkout as a marketplace and installs the plugin from it. Doing it again changes nothing. */
export async function installPlugin(install: PluginInstall): Promise<"installed" | "present"> {
  const listed = await findPlugin(install.claude);
  const isOurs = listed?.readFromFolder === join(install.marketplace, "plugin");
  if (listed?.enabled && isOurs) return "present";
  if (!existsSync(install.recordFile))
    writeFileSync(install.recordFile, `${JSON.stringify(recordBefore(install.configDir), null, 2)}\n`, {
      mode: 0o600,
    });
  if (listed && !isOurs) await removePlugin(install.claude);
  await runClaude(install.claude, ["plugin", "marketplace", "add", install.marketplace]);
  await runClaude(install.claude, ["plugin", "install", pluginId]);
  return "installed";
}

/** Takes the plugin out and leaves Claude Code's files as they were before it came. */
export async function uninstallPlugin(install: PluginInstall): Promise<"removed" | "absent"> {
  const listed = await findPlugin(install.claude);
  if (listed) await removePlugin(install.claude);
  if (existsSync(install.recordFile)) {
    removeTraces(JSON.parse(readFileSync(install.recordFile, "utf8")) as Before);
    rmSync(install.recordFile, { force: true });
  }
  rmSync(join(install.configDir, "plugins", "cache", "rookery"), { recursive: true, force: true });
  return listed ? "removed" : "absent";
}

async function findPlugin(claude: string): Promise<ListedPlugin | undefined> {
  return (await listPlugins(claude)).find(({ id }) => id === pluginId);
}

export async function listPlugins(claude: string, timeoutMs = 60_000): Promise<ListedPlugin[]> {
  const output = await runClaude(claude, ["plugin", "list", "--json"], timeoutMs);
  try {
    return JSON.parse(output) as ListedPlugin[];
  } catch (cause) {
    throw new AppError("plugin_failed", "`claude plugin list --json` printed something else than JSON.", {
      cause,
    });
  }
}

async function removePlugin(claude: string): Promise<void> {
  await runClaude(claude, ["plugin", "uninstall", pluginId]);
  await runClaude(claude, ["plugin", "marketplace", "remove", "rookery"]);
}

function runClaude(claude: string, args: string[], timeoutMs = 60_000): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(claude, args, { timeout: timeoutMs, windowsHide: true }, (error, stdout, stderr) => {
      if (!error) return resolve(stdout);
      const said = (stderr || stdout).trim().split("\n").slice(-3).join(" ");
      reject(
        new AppError("plugin_failed", `claude ${args.join(" ")} failed: ${said || error.message}`, {
          cause: error,
        }),
      );
    });
  });
}
