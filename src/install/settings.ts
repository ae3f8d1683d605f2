import { isDeepStrictEqual } from "node:util";
import type { Backups } from "./backups.ts";
import { addToFile, type Change, type FileEdit, type Planner, removeFromFile } from "./edit-file.ts";
import type { Entries } from "./entries.ts";
import { withStateLock } from "./host-lock.ts";
import { type JsonObject } from "./json-file.ts";
import type { Path } from "./json-text.ts";
import { findOurHooks, findOurServers, isOurServer, serverName } from "./ours.ts";
import type { ScopeFiles } from "./scopes.ts";
import { isRecord } from "../shared/json.ts";

interface SettingsInstall {
  files: ScopeFiles;
  entries: Entries;
  backups: Backups;
  dryRun: boolean;
}

/** Writes our hooks and our MCP server into settings files, for people who cannot use plugins. Idempotent. */
export function installSettings(install: SettingsInstall): FileEdit[] {
  // A dry run first: a file that cannot be changed throws before anything is written.
  const planned = editBoth({ ...install, dryRun: true });
  return install.dryRun ? planned : editBoth(install);
}

function editBoth({ files, entries, backups, dryRun }: SettingsInstall): FileEdit[] {
  const { settings, servers, serversPath } = files;
  const setHooks: Planner = (value) => planHooks(value, entries.hooks);
  const setServer: Planner = (value) => planServer(value, serversPath, entries.server);
  return [
    addToFile(settings, setHooks, backups, dryRun),
    withStateLock(servers, () => addToFile(servers, setServer, backups, dryRun)),
  ];
}

/** Removes exactly what `installSettings` wrote. */
export function removeSettings({ files, backups, dryRun }: Omit<SettingsInstall, "entries">): FileEdit[] {
  const { settings, servers, serversPath } = files;
  const isHere = ({ path }: Change): boolean => isDeepStrictEqual(path.slice(0, -1), serversPath);
  return [
    removeFromFile(settings, removeHooks, backups, dryRun),
    withStateLock(servers, () =>
      removeFromFile(servers, (value) => removeServers(value).filter(isHere), backups, dryRun),
    ),
  ];
}

/** Removes all our entries from a file, in every scope. */
export function removeAllOurs(file: string, backups: Backups, dryRun: boolean): FileEdit {
  const plan: Planner = (value) => [...removeHooks(value), ...removeServers(value)];
  return withStateLock(file, () => removeFromFile(file, plan, backups, dryRun));
}

/** No changes if the wanted hooks are there already; otherwise removes all of ours and appends the wanted ones. */
function planHooks(value: JsonObject, wanted: Entries["hooks"]): Change[] {
  const ours = findOurHooks(value);
  const current = ours.map(([, event, index]) => [event, groupsOf(value, String(event))[Number(index)]]);
  const pairs = Object.entries(wanted).flatMap(([event, groups]) => groups.map((group) => [event, group]));
  const isPresent = (pair: unknown[]): boolean => current.some((each) => isDeepStrictEqual(each, pair));
  if (current.length === pairs.length && pairs.every(isPresent)) return [];
  const added = Object.entries(wanted).flatMap(([event, groups]) => {
    const theirs = groupsOf(value, event).length - ours.filter((path) => path[1] === event).length;
    return groups.map((group, index): Change => ({ path: ["hooks", event, theirs + index], value: group }));
  });
  return [...ours.map((path): Change => ({ path })), ...added];
}

function planServer(value: JsonObject, servers: Path, wanted: Entries["server"]): Change[] {
  const holder = servers.reduce<unknown>((now, key) => (isRecord(now) ? now[key] : undefined), value);
  const existing = isRecord(holder) ? holder[serverName] : undefined;
  // A hand-written entry works as well, and belongs to the user.
  if (existing !== undefined && !isOurServer(existing)) return [];
  return isDeepStrictEqual(existing, wanted) ? [] : [{ path: [...servers, serverName], value: wanted }];
}

const removeHooks: Planner = (value) => findOurHooks(value).map((path) => ({ path }));
const removeServers: Planner = (value) => findOurServers(value).map((path) => ({ path }));

function groupsOf({ hooks }: JsonObject, event: string): unknown[] {
  const groups = isRecord(hooks) ? hooks[event] : undefined;
  return Array.isArray(groups) ? (groups as unknown[]) : [];
}
