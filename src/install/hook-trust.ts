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
  const trusted = plugin.countTrusted(readConfig(folder, plugin.configFile), pluginId);
  return { trusted, wanted: Object.keys(host.events.names).length };
}

/** Whether the person has still to take the step that the host's hint names. */
export function isHintOpen(place: HostPlace): boolean {
  const { hintDone } = place.host.install;
  const { trusted, wanted } = readTrust(place) ?? { trusted: 0, wanted: 0 };
  return hintDone ? !hintDone.by(readConfig(place.folder, hintDone.file)) : trusted < wanted;
}

function readConfig(folder: string, name: string): string {
  const file = join(folder, name);
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}
