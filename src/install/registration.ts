import { basename, dirname } from "node:path";
import { install as host } from "../hosts/claude-code/install.ts";
import type { Backups } from "./backups.ts";
import { readJsonFile } from "./json-file.ts";
import { findHooks } from "./ours.ts";
import { findPlugin } from "./plugin.ts";
import { type ClaudeFolders, locateScope, type Scope, scopes } from "./scopes.ts";

/** How Claude Code knows of Rookery. More than one way that holds for the same session would fire every hook twice. */
export interface Registration {
  /** Undefined where it is not installed, or no claude can be asked. */
  plugin: { version: string; isEnabled: boolean; folder: string | undefined } | undefined;
  settings: RegisteredSettings[];
}

export interface RegisteredSettings {
  scope: Scope;
  file: string;
  /** Where it holds: undefined for everywhere. */
  project: string | undefined;
}

export interface Whereabouts {
  claude: string | undefined;
  folders: ClaudeFolders;
  backups: Backups;
}

export async function findRegistration({ claude, folders, backups }: Whereabouts): Promise<Registration> {
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

/** Your settings, those of the project at hand, and those of other projects that we once changed. */
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
  return [...here, ...elsewhere].filter(({ file }) => holdsHooks(file));
}

const scopeOfName: Record<string, Scope> = {
  [host.settingsFile]: "project",
  [host.localSettingsFile]: "local",
};

/** Those of them under which a session would hear us twice if we were registered for this project, or for all. */
export function findDoubles({ plugin, settings }: Registration, project: string | undefined): string[] {
  const overlapping = settings.filter(
    (each) => each.project === undefined || project === undefined || each.project === project,
  );
  return [...(plugin?.isEnabled ? ["the plugin"] : []), ...overlapping.map(({ file }) => file)];
}

function holdsHooks(file: string): boolean {
  try {
    return findHooks(readJsonFile(file)?.value ?? {}).length > 0;
  } catch {
    return false; // Not readable: whoever wants to change it hears of that then.
  }
}
