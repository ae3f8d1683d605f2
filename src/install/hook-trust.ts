import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { HostPlace } from "./find-hosts.ts";
import { pluginId } from "./ours.ts";

/**
 * A host may run hooks only after the person has reviewed them: the number of ours that were, and of all. Undefined if
 * the host asks for no review.
 */
export function readTrust({ host, folder }: HostPlace): { trusted: number; wanted: number } | undefined {
  const { plugin } = host.install;
  if (!plugin) return undefined;
  const config = join(folder, plugin.configFile);
  const trusted = existsSync(config) ? plugin.countTrusted(readFileSync(config, "utf8"), pluginId) : 0;
  return { trusted, wanted: Object.keys(host.events.names).length };
}
