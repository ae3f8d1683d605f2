import { toAppError } from "../shared/errors.ts";
import type { FileEdit } from "./edit-file.ts";
import { findPlugin, type PluginInstall, uninstallPlugin } from "./plugin.ts";
import type { InstallLocations } from "./registration.ts";
import { locateScope, scopes } from "./scopes.ts";
import { removeAllOurs } from "./settings.ts";

interface UnregisterResult {
  hadPlugin: boolean;
  edited: FileEdit[];
  /** Files that could not be changed, and why. */
  failures: string[];
}

/** Removes Rookery from everything that Claude Code reads: the plugin, the user's settings, those of known projects. */
export async function unregister(
  where: InstallLocations,
  plugin: PluginInstall | undefined,
  dryRun: boolean,
): Promise<UnregisterResult> {
  const { folders, backups } = where;
  const failures: string[] = [];
  const here = scopes.map((scope) => locateScope(scope, folders));
  const files = new Set([
    ...backups.files().filter((file) => file.endsWith(".json")),
    ...here.flatMap(({ settings, servers }) => [settings, servers]),
  ]);
  const edited = [...files].flatMap((file): FileEdit[] => {
    try {
      return [removeAllOurs(file, backups, dryRun)];
    } catch (thrown) {
      failures.push(toAppError(thrown).message);
      return [];
    }
  });
  const hadPlugin = plugin !== undefined && (await removePlugin(plugin, dryRun, failures));
  return { hadPlugin, edited: edited.filter(({ changes }) => changes.length > 0), failures };
}

async function removePlugin(plugin: PluginInstall, dryRun: boolean, failures: string[]): Promise<boolean> {
  try {
    if (dryRun) return (await findPlugin(plugin.claude)) !== undefined;
    return (await uninstallPlugin(plugin)) === "removed";
  } catch (thrown) {
    failures.push(toAppError(thrown).message);
    return false;
  }
}
