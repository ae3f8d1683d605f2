import { basename, dirname } from "node:path";
import { defaultHost } from "../hosts/hosts.ts";
import type { Backups } from "./backups.ts";
import { readJsonFile } from "./json-file.ts";
import { findOurHooks } from "./ours.ts";
import { findPlugin } from "./plugin.ts";
import { type ClaudeFolders, locateScope, type Scope, scopes } from "./scopes.ts";

const { install: host } = defaultHost;

/**
 * How Rookery is registered in Claude Code. Two registrations that apply to one session would fire every hook twice.
 */
interface Registration {
  /** Undefined if it is not installed or no claude was found. */
  plugin: { version: string; isEnabled: boolean; folder: string | undefined } | undefined;
  settings: RegisteredSettings[];
}

interface RegisteredSettings {
  scope: Scope;
  file: string;
  /** The project it applies to; undefined for all. */
  project: string | undefined;
}

export interface InstallLocations {
  claude: string | undefined;
  folders: ClaudeFolders;
  backups: Backups;
}

export async function findRegistration({
  claude,
  folders,
  backups,
}: InstallLocations): Promise<Registration> {
  const listed = claude ? await findPlugin(claude) : undefined;
  return {
    plugin: listed && {
      version: listed.version ?? "",
      isEnabled: listed.enabled === true,
      folder: listed.readFromFolder,
    },
    settings: findSettings(folders, backups),
  };
}

/** The user's settings, those of the current project, and those of other projects that we have changed. */
export function findSettings(folders: ClaudeFolders, backups: Backups): RegisteredSettings[] {
  const here = scopes.map((scope): RegisteredSettings => {
    const project = scope === "user" ? undefined : folders.project;
    return { scope, file: locateScope(scope, folders).settings, project };
  });
  const elsewhere = backups.files().flatMap((file): RegisteredSettings[] => {
    const scope = scopeOfName[basename(file)];
    if (!scope || here.some((known) => known.file === file)) return [];
    return [{ scope, file, project: dirname(dirname(file)) }];
  });
  return [...here, ...elsewhere].filter(({ file }) => hasOurHooks(file));
}

const scopeOfName: Record<string, Scope> = {
  [host.settingsFile]: "project",
  [host.localSettingsFile]: "local",
};

/** Existing registrations that would make hooks fire twice if we also registered for this project, or for all. */
export function findDuplicates({ plugin, settings }: Registration, project: string | undefined): string[] {
  const overlapping = settings.filter(
    (each) => each.project === undefined || project === undefined || each.project === project,
  );
  return [...(plugin?.isEnabled ? ["the plugin"] : []), ...overlapping.map(({ file }) => file)];
}

function hasOurHooks(file: string): boolean {
  try {
    return findOurHooks(readJsonFile(file)?.value ?? {}).length > 0;
  } catch {
    return false; // Not readable; changing the file reports the error.
  }
}
