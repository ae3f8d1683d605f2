import { execFile } from "node:child_process";
import { existsSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { InstalledPlugin, PluginCommands } from "../hosts/host.ts";
import { AppError } from "../shared/errors.ts";
import { parseJson } from "../shared/json.ts";
import type { Backups } from "./backups.ts";
import type { HostPlace } from "./find-hosts.ts";
import { removeFile, writeTextFile } from "./json-file.ts";
import { marketplaceName, pluginId } from "./ours.ts";

export interface PluginSource {
  /** Folder with `.claude-plugin/marketplace.json`. */
  marketplace: string;
  version: string;
  backups: Backups;
}

export type InstallOutcome = "installed" | "updated" | "present";

/** Installs the plugin by the host's own commands. Idempotent. */
export async function installHostPlugin(
  place: HostPlace,
  commands: PluginCommands,
  { marketplace, version, backups }: PluginSource,
): Promise<InstallOutcome> {
  const listed = await findHostPlugin(place, commands);
  const source = join(marketplace, "plugin");
  const isOurs = listed !== undefined && isSameFolder(listed.folder, source);
  const copy = join(place.folder, commands.cache, marketplaceName, "rookery", version);
  if (listed?.isEnabled && isOurs && readBuild(copy) === readBuild(source)) return "present";
  const config = join(place.folder, commands.configFile);
  if (!listed && backups.original(config) === undefined) backups.keep(config);
  if (listed && !isOurs) await removePlugin(place, commands);
  if (!isOurs) await runHost(place, commands.addMarketplace(marketplace));
  await runHost(place, isOurs ? commands.update(pluginId) : commands.install(pluginId));
  return listed ? "updated" : "installed";
}

/** Removes the plugin and everything that the host keeps about it. */
export async function uninstallHostPlugin(
  place: HostPlace,
  commands: PluginCommands,
  backups: Backups,
): Promise<boolean> {
  const isListed = (await findHostPlugin(place, commands)) !== undefined;
  if (isListed) await removePlugin(place, commands);
  rmSync(join(place.folder, commands.cache, marketplaceName), { recursive: true, force: true });
  const config = join(place.folder, commands.configFile);
  const original = backups.original(config);
  if (existsSync(config)) {
    const text = readFileSync(config, "utf8");
    const cleaned = commands.cleanConfig(text, pluginId);
    if (original === null && cleaned.trim() === "") removeFile(config);
    else if (cleaned !== text) writeTextFile(config, cleaned);
  }
  backups.drop(config);
  return isListed;
}

export async function findHostPlugin(
  place: HostPlace,
  commands: PluginCommands,
): Promise<InstalledPlugin | undefined> {
  const printed = await runHost(place, commands.list);
  try {
    return commands.readList(parseJson(printed), pluginId);
  } catch (cause) {
    throw new AppError("plugin_failed", `\`${nameCall(place, commands.list)}\` did not print JSON.`, {
      cause,
    });
  }
}

/** Hosts print the folder behind our link. */
function isSameFolder(a: string, b: string): boolean {
  return existsSync(a) && existsSync(b) && realpathSync(a) === realpathSync(b);
}

/** The build of a plugin's folder; the host runs its own copy. */
function readBuild(folder: string): string | undefined {
  const file = join(folder, "dist", "build.json");
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

async function removePlugin(place: HostPlace, commands: PluginCommands): Promise<void> {
  await runHost(place, commands.uninstall(pluginId));
  await runHost(place, commands.removeMarketplace(marketplaceName));
}

function nameCall({ host }: HostPlace, args: readonly string[]): string {
  return [host.install.command, ...args].join(" ");
}

function runHost(place: HostPlace, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(place.command, args, { timeout: 60_000, windowsHide: true }, (cause, stdout, stderr) => {
      if (!cause) return resolve(stdout);
      const output = (stderr || stdout).trim().split("\n").slice(-3).join(" ") || cause.message;
      reject(new AppError("plugin_failed", `${nameCall(place, args)} failed: ${output}`, { cause }));
    });
  });
}
