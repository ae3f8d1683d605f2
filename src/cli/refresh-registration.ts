import { readEntries } from "../install/entries.ts";
import { findHosts, type HostPlace } from "../install/find-hosts.ts";
import { installHost, isInHost } from "../install/install-host.ts";
import { updatePlugin } from "../install/plugin.ts";
import { findSettings } from "../install/registration.ts";
import { locateScope } from "../install/scopes.ts";
import { installSettings } from "../install/settings.ts";
import { locateStaged } from "../shared/staged.ts";
import type { CliContext } from "./command.ts";
import { makePluginInstall, makeHostSource, findInstallLocations } from "./plugin-install.ts";

/** Updates an existing registration to the staged build. Does not register where the user has none. */
export async function refreshRegistration(context: CliContext): Promise<void> {
  await refreshHosts(context);
  if (refreshSettings(context, locateStaged(context.home.app)).length > 0) return;
  const plan = makePluginInstall(context);
  if (plan) await updatePlugin(plan);
}

/** Updates our hooks in settings files to this version; returns the files. */
export function refreshSettings(context: CliContext, staged: string): string[] {
  const { folders, backups } = findInstallLocations(context);
  const registered = findSettings(folders, backups);
  for (const { scope, project = folders.project } of registered) {
    const files = locateScope(scope, { ...folders, project });
    installSettings({ files, entries: readEntries(staged, staged), backups, dryRun: false });
  }
  return registered.map(({ file }) => file);
}

/** Updates Rookery in the other hosts that have it; returns the places of all hosts. */
export async function refreshHosts(context: CliContext): Promise<(HostPlace & { isInstalled: boolean })[]> {
  const source = makeHostSource(context);
  return Promise.all(
    findHosts(context.environment).map(async (place) => {
      const isInstalled = await isInHost(place, source).catch(() => false); // Its command fails: left alone.
      if (isInstalled) await installHost(place, source);
      return { ...place, isInstalled };
    }),
  );
}
