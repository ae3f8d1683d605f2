import { defaultHost, hosts } from "../../hosts/hosts.ts";
import type { FileEdit } from "../../install/edit-file.ts";
import { readEntries } from "../../install/entries.ts";
import { requireHost } from "../../install/find-hosts.ts";
import { installHost } from "../../install/install-host.ts";
import { installPlugin } from "../../install/plugin.ts";
import { findDuplicates, findRegistration } from "../../install/registration.ts";
import { locateScope, type Scope, scopes } from "../../install/scopes.ts";
import { installSettings, removeSettings } from "../../install/settings.ts";
import { unregister } from "../../install/unregister.ts";
import { AppError } from "../../shared/errors.ts";
import { locateStaged } from "../../shared/staged.ts";
import type { CliContext, Command, CommandInput } from "../command.ts";
import {
  makePluginInstall,
  makeHostSource,
  findInstallLocations,
  stageForSessions,
} from "../plugin-install.ts";
import { readChoice } from "../read-flag.ts";

export const install: Command = {
  summary: "Install into Claude Code (as a plugin, or hooks in settings), or into another coding agent.",
  usage: "[--host NAME] [--settings user|project|local [--remove]] [--replace] [--dry-run]",
  examples: [
    "rookery install",
    "rookery install --host codex",
    "rookery install --settings user --dry-run",
    "rookery install --settings project --remove",
  ],
  options: {
    host: { type: "string" },
    settings: { type: "string" },
    remove: { type: "boolean" },
    replace: { type: "boolean" },
    "dry-run": { type: "boolean" },
  },
  optionHelp: {
    host: `the coding agent: ${hosts.map(({ name }) => name).join(", ")}`,
    settings:
      "hooks and MCP server without a plugin: in your settings, this project's, or yours for this project",
    remove: "with --settings: remove our entries from that file",
    replace: "remove other registrations of Rookery first",
    "dry-run": "show the changes, without making them",
  },
  async run(context, { flags }) {
    if (flags.host !== undefined && flags.host !== defaultHost.name) return installIntoHost(context, flags);
    const scope = readScope(flags);
    return scope ? installIntoSettings(context, flags, scope) : installAsPlugin(context, flags);
  },
};

type Flags = CommandInput["flags"];

function readScope({ settings, remove }: Flags): Scope | undefined {
  if (settings === undefined && remove)
    throw new AppError("invalid_argument", "To remove the plugin, run: rookery uninstall");
  return readChoice("--settings", settings, scopes);
}

async function installIntoHost(context: CliContext, flags: Flags): Promise<number> {
  const place = requireHost(String(flags.host), context.environment);
  if (flags.settings !== undefined || flags.remove || flags.replace)
    throw new AppError(
      "invalid_argument",
      "--host cannot be combined with --settings, --remove or --replace.",
    );
  const dryRun = flags["dry-run"] === true;
  if (!dryRun) stageForSessions(context);
  const outcome = dryRun ? "planned" : await installHost(place, makeHostSource(context));
  const { label } = place.host.marks;
  const sentences = {
    planned: `Would install into ${label} (${place.command}).`,
    present: `Already installed in ${label}.`,
    updated: `Updated in ${label}.`,
    installed: `Installed into ${label}; new sessions use it. Undo: rookery uninstall`,
  };
  const hint = place.host.install.hint;
  const lines = [sentences[outcome], ...(hint && outcome !== "planned" ? [hint] : [])];
  context.print(
    context.isJson
      ? JSON.stringify({ outcome, host: place.host.name, command: place.command })
      : lines.join("\n"),
  );
  return 0;
}

async function installAsPlugin(context: CliContext, flags: Flags): Promise<number> {
  const plan = makePluginInstall(context);
  if (!plan) throw new AppError("claude_not_found", "There is no `claude` on PATH.");
  const dryRun = flags["dry-run"] === true;
  const { settings } = await findRegistration({ ...findInstallLocations(context), claude: undefined });
  await removeDuplicates(context, flags, findDuplicates({ plugin: undefined, settings }, undefined));
  if (!dryRun) stageForSessions(context);
  const outcome = dryRun ? "planned" : await installPlugin(makePluginInstall(context) ?? plan);
  const sentences = {
    planned: `Would copy Rookery to ${context.home.app} and install it as a plugin in ${plan.claude}.`,
    present: "The plugin is already installed.",
    updated: "The plugin is up to date now.",
    installed: "The plugin is installed; new sessions load it. Undo: rookery uninstall",
  };
  context.print(context.isJson ? JSON.stringify({ outcome, claude: plan.claude }) : sentences[outcome]);
  return 0;
}

async function installIntoSettings(context: CliContext, flags: Flags, scope: Scope): Promise<number> {
  const { pluginRoot, home, cwd, isJson, print } = context;
  const dryRun = flags["dry-run"] === true;
  const where = findInstallLocations(context);
  const { backups } = where;
  const files = locateScope(scope, where.folders);
  if (flags.remove) {
    const edited = removeSettings({ files, backups, dryRun });
    print(isJson ? JSON.stringify({ edited, dryRun }) : formatEdited(edited, dryRun));
    return 0;
  }
  const duplicates = findDuplicates(await findRegistration(where), scope === "user" ? undefined : cwd);
  await removeDuplicates(
    context,
    flags,
    duplicates.filter((file) => file !== files.settings),
  );
  const staged = dryRun ? locateStaged(home.app) : stageForSessions(context);
  const entries = readEntries(dryRun ? pluginRoot : staged, staged);
  const edited = installSettings({ files, entries, backups, dryRun });
  if (isJson) print(JSON.stringify({ edited, dryRun }));
  else print([formatEdited(edited, dryRun), ...(dryRun ? [] : hints[scope])].join("\n"));
  return 0;
}

/** Removes other registrations: with two, every event would be reported twice. */
async function removeDuplicates(context: CliContext, flags: Flags, duplicates: string[]): Promise<void> {
  if (duplicates.length === 0) return;
  if (!flags.replace)
    throw new AppError("registered_already", `Rookery is registered already: ${duplicates.join(", ")}.`);
  if (flags["dry-run"]) return context.printNote(`Would remove Rookery from: ${duplicates.join(", ")}.`);
  const { failures } = await unregister(findInstallLocations(context), makePluginInstall(context), false);
  if (failures[0] !== undefined) throw new AppError("settings_not_written", failures[0]);
}

const undo = (scope: Scope): string =>
  `Undo: rookery install --settings ${scope} --remove, or rookery uninstall`;
const missing = "Not in this mode: slash commands, the skill, waking an idle session (docs/install.md).";
const hints: Record<Scope, string[]> = {
  user: ["All sessions use it from now on.", missing, undo("user")],
  project: [
    "Sessions here use it from now on; Claude Code asks once whether the server of .mcp.json may run.",
    "These files contain a path of this machine: do not commit them, or use --settings local.",
    missing,
    undo("project"),
  ],
  local: ["Your sessions here use it from now on.", missing, undo("local")],
};

/** Lists the changes to the user's files, and the backups. */
export function formatEdited(edited: FileEdit[], dryRun: boolean): string {
  const changed = edited.filter(({ changes }) => changes.length > 0);
  if (changed.length === 0) return "Nothing to change.";
  return changed.map((each) => formatFile(each, dryRun)).join("\n");
}

function formatFile({ file, changes, backup }: FileEdit, dryRun: boolean): string {
  const lines = changes.map(({ path, value }) => {
    const place = path
      .map((key) => (typeof key === "number" ? `[${key}]` : `.${key}`))
      .join("")
      .slice(1);
    return value === undefined ? `  - ${place}` : `  + ${place} = ${JSON.stringify(value)}`;
  });
  return [
    `${dryRun ? "Would change" : "Changed"} ${file}`,
    ...(dryRun ? lines : [`  ${countPlaces(changes)}`]),
    ...(backup ? [`  backup: ${backup}`] : []),
  ].join("\n");
}

function countPlaces(changes: FileEdit["changes"]): string {
  const added = changes.filter(({ value }) => value !== undefined).length;
  const removed = changes.length - added;
  return [...(added > 0 ? [`${added} added`] : []), ...(removed > 0 ? [`${removed} removed`] : [])].join(
    ", ",
  );
}
