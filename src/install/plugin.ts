import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { defaultHost } from "../hosts/hosts.ts";
import { AppError } from "../shared/errors.ts";
import { parseJson } from "../shared/json.ts";
import type { Backups } from "./backups.ts";
import { writeWithoutOurs } from "./edit-file.ts";
import { readJsonFile } from "./json-file.ts";
import type { Path } from "./json-text.ts";
import { hasOurEntries, marketplaceName, pluginId } from "./ours.ts";

const { install: host } = defaultHost;

export interface PluginInstall {
  claude: string;
  /** Folder with `.claude-plugin/marketplace.json`. */
  marketplace: string;
  version: string;
  /** Claude Code's configuration folder. */
  configDir: string;
  backups: Backups;
}

/** As `claude plugin list --json` prints it. */
export interface ListedPlugin {
  id: string;
  version?: string;
  enabled?: boolean;
  /** Claude Code's own copy. */
  installPath?: string;
  /** The folder, if the plugin is read in place. */
  readFromFolder?: string;
  errors?: string[];
  errorDetails?: { type: string }[];
}

/** Registers the folder as a marketplace and installs the plugin from it. Idempotent. */
export async function installPlugin(install: PluginInstall): Promise<"installed" | "updated" | "present"> {
  const { claude, marketplace, configDir, backups } = install;
  const listed = await findPlugin(claude);
  const isOurs = listed?.readFromFolder === join(marketplace, "plugin");
  if (listed?.enabled && isOurs) return updateListed(install, listed);
  for (const file of listed ? [] : touchedFiles(configDir)) {
    const before = readJsonFile(file);
    if (!before || !hasOurEntries(before.value)) backups.keep(file);
  }
  if (listed && !isOurs) await removePlugin(claude);
  await runClaude(claude, host.pluginCommands.addMarketplace(marketplace));
  await runClaude(claude, host.pluginCommands.install(pluginId));
  return "installed";
}

/** Does nothing if the plugin is not installed or is disabled. */
export async function updatePlugin(install: PluginInstall): Promise<void> {
  const listed = await findPlugin(install.claude);
  if (listed?.enabled && listed.readFromFolder === join(install.marketplace, "plugin"))
    await updateListed(install, listed);
}

/** The plugin is read from its folder in any case; this updates the version that Claude Code records and shows. */
async function updateListed(
  { claude, version }: PluginInstall,
  listed: ListedPlugin,
): Promise<"updated" | "present"> {
  if (listed.version === version) return "present";
  await runClaude(claude, host.pluginCommands.update(pluginId));
  return "updated";
}

/** Uninstalls the plugin and restores Claude Code's files to their earlier state. */
export async function uninstallPlugin(install: PluginInstall): Promise<"removed" | "absent"> {
  const { claude, configDir, backups } = install;
  const listed = await findPlugin(claude);
  if (listed) await removePlugin(claude);
  for (const file of touchedFiles(configDir)) {
    const now = listed || backups.original(file) !== undefined ? readJsonFile(file) : undefined;
    // The host leaves empty lists behind and reformats the file.
    if (now) writeWithoutOurs(file, now.text, places, backups);
  }
  rmSync(join(configDir, host.pluginCache, marketplaceName), { recursive: true, force: true });
  return listed ? "removed" : "absent";
}

/** The files that installing a plugin changes. */
function touchedFiles(configDir: string): string[] {
  return [host.settingsFile, ...host.pluginFiles].map((file) => join(configDir, file));
}
const places: Path[] = [
  ["enabledPlugins", pluginId],
  ["extraKnownMarketplaces", marketplaceName],
  ["plugins", pluginId],
];

export async function findPlugin(claude: string): Promise<ListedPlugin | undefined> {
  return (await listPlugins(claude)).find(({ id }) => id === pluginId);
}

export async function listPlugins(claude: string, timeoutMs = 60_000): Promise<ListedPlugin[]> {
  const output = await runClaude(claude, host.pluginCommands.list, timeoutMs);
  try {
    return parseJson(output) as ListedPlugin[];
  } catch (cause) {
    throw new AppError("plugin_failed", "`claude plugin list --json` did not print JSON.", {
      cause,
    });
  }
}

async function removePlugin(claude: string): Promise<void> {
  await runClaude(claude, host.pluginCommands.uninstall(pluginId));
  await runClaude(claude, host.pluginCommands.removeMarketplace(marketplaceName));
}

function runClaude(claude: string, args: readonly string[], timeoutMs = 60_000): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(claude, args, { timeout: timeoutMs, windowsHide: true }, (error, stdout, stderr) => {
      if (!error) return resolve(stdout);
      const output = (stderr || stdout).trim().split("\n").slice(-3).join(" ");
      reject(
        new AppError("plugin_failed", `claude ${args.join(" ")} failed: ${output || error.message}`, {
          cause: error,
        }),
      );
    });
  });
}
