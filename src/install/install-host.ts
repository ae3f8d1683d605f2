import { locateStaged } from "../shared/staged.ts";
import { hasHostFiles, installHostFiles, uninstallHostFiles } from "./host-files.ts";
import {
  findHostPlugin,
  installHostPlugin,
  type InstallOutcome,
  type PluginSource,
  uninstallHostPlugin,
} from "./host-plugin.ts";
import type { HostPlace } from "./find-hosts.ts";

export interface HostSource extends PluginSource {
  /** The folder of our program. */
  app: string;
}

/** Adds Rookery to a host: as a plugin, or by entries in the host's files. Idempotent. */
export async function installHost(place: HostPlace, source: HostSource): Promise<InstallOutcome> {
  const { plugin, files } = place.host.install;
  if (plugin) return installHostPlugin(place, plugin, source);
  return installHostFiles(place.folder, files?.(locateStaged(source.app)) ?? [], source.backups);
}

/** Removes Rookery from a host; returns whether it was there. */
export async function uninstallHost(place: HostPlace, { app, backups }: HostSource): Promise<boolean> {
  const { plugin, files } = place.host.install;
  if (plugin) return uninstallHostPlugin(place, plugin, backups);
  return uninstallHostFiles(place.folder, files?.(locateStaged(app)) ?? [], backups);
}

/** Whether Rookery is installed in a host, in any version. */
export async function isInHost(place: HostPlace, { app }: Pick<HostSource, "app">): Promise<boolean> {
  const { plugin, files } = place.host.install;
  if (plugin) return (await findHostPlugin(place, plugin)) !== undefined;
  return hasHostFiles(place.folder, files?.(locateStaged(app)) ?? []);
}
