import type { JsonObject } from "./json-file.ts";
import type { Path } from "./json-text.ts";
import { isRecord } from "../shared/json.ts";

/** Rookery's names in Claude Code's files: as plugin and marketplace, and as MCP server. */
export const marketplaceName = "rookery";
export const pluginId = `rookery@${marketplaceName}`;
export const serverName = "rookery";

/** Our entries point to files behind the link in a Rookery home. No other program uses such a path. */
const stagedFile = (path: string): RegExp =>
  new RegExp(`[\\\\/]app[\\\\/]current[\\\\/]plugin[\\\\/]${path}$`);
/** Some hosts have no arguments: there the event and the host follow in the command. */
const hookScript = stagedFile(`hooks[\\\\/]hook\\.sh["']?(?: [\\w-]+){0,2}`);
const launcher = stagedFile("bin[\\\\/]rookery");

/** A matcher with handlers, as in a list of `hooks`. */
function isOurGroup(group: unknown): boolean {
  const handlers = isRecord(group) && Array.isArray(group.hooks) ? (group.hooks as unknown[]) : [];
  return handlers.length > 0 && handlers.every(isOurHandler);
}

/** The script is the command. Earlier builds wrote `bash` with the script as its first argument. */
function isOurHandler(handler: unknown): boolean {
  const command = isRecord(handler) && typeof handler.command === "string" ? handler.command : "";
  return hookScript.test(command === "bash" ? (readArgs(handler)[0] ?? "") : command);
}

export function isOurServer(server: unknown): boolean {
  return readArgs(server).some((argument) => launcher.test(argument));
}

export function isOurStatusLine(statusLine: unknown): boolean {
  const command = isRecord(statusLine) ? statusLine.command : undefined;
  return typeof command === "string" && /[\\/]bin[\\/]rookery'? statusline$/.test(command);
}

/** Paths of our hooks in settings, last first, so that removing one leaves the remaining paths valid. */
export function findOurHooks({ hooks }: JsonObject): Path[] {
  if (!isRecord(hooks)) return [];
  return Object.entries(hooks).flatMap(([event, groups]) =>
    (Array.isArray(groups) ? (groups as unknown[]) : [])
      .flatMap((group, index): Path[] => (isOurGroup(group) ? [["hooks", event, index]] : []))
      .toReversed(),
  );
}

/** Paths of our MCP server in a configuration: for all projects, or for one. */
export function findOurServers(value: JsonObject): Path[] {
  const folders = isRecord(value.projects) ? Object.entries(value.projects) : [];
  const holders: [Path, unknown][] = [
    [[], value],
    ...folders.map(([folder, project]): [Path, unknown] => [["projects", folder], project]),
  ];
  return holders.flatMap(([path, holder]): Path[] => {
    const servers = isRecord(holder) ? holder.mcpServers : undefined;
    return isRecord(servers) && isOurServer(servers[serverName]) ? [[...path, "mcpServers", serverName]] : [];
  });
}

/** Whether settings mention us at all. */
export function hasOurEntries(value: JsonObject): boolean {
  const { enabledPlugins, statusLine } = value;
  const isEnabled = isRecord(enabledPlugins) && Object.hasOwn(enabledPlugins, pluginId);
  return (
    isEnabled ||
    isOurStatusLine(statusLine) ||
    findOurHooks(value).length > 0 ||
    findOurServers(value).length > 0
  );
}

function readArgs(value: unknown): string[] {
  const args = isRecord(value) && Array.isArray(value.args) ? (value.args as unknown[]) : [];
  return args.filter((argument) => typeof argument === "string");
}
