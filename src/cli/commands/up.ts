import { dirname } from "node:path";
import { readDaemonFile } from "../../client/discover.ts";
import { callEndpoint } from "../../client/request.ts";
import { linkCommand } from "../../install/command-link.ts";
import { isHintOpen } from "../../install/hook-trust.ts";
import { installPlugin } from "../../install/plugin.ts";
import { importEndpoints } from "../../protocol/endpoints/care.ts";
import { defaultHost } from "../../hosts/hosts.ts";
import { toAppError } from "../../shared/errors.ts";
import { quotePath } from "../doctor/check-result.ts";
import { formatCount } from "../format.ts";
import type { CliContext, Command } from "../command.ts";
import { nameCommand } from "../name-command.ts";
import {
  makeLinkOptions,
  makePluginInstall,
  locateClaudeFolder,
  stageForSessions,
} from "../plugin-install.ts";
import { refreshHosts, refreshSettings } from "../refresh-registration.ts";
import { runImport } from "../run-import.ts";
import { startDaemon } from "../start-daemon.ts";

export const up: Command = {
  summary: "Install or upgrade, start the daemon, and show the next steps.",
  usage: "",
  examples: ["rookery up"],
  async run(context) {
    const staged = stageForSessions(context);
    const plugin = await tryInstall(context, staged);
    const hosts = await refreshHosts(context);
    const daemon = await startDaemon(context);
    const running = readDaemonFile(context.home.daemonFile);
    const url = `http://127.0.0.1:${running?.port ?? 0}/`;
    const unread = await listUnread(context, hosts);
    const transcripts = unread.reduce((sum, { count }) => sum + count, 0);
    const link = linkCommand(makeLinkOptions(context));
    if (context.isJson)
      context.print(
        JSON.stringify({
          plugin: plugin.outcome,
          daemon,
          url,
          home: context.home.root,
          transcripts,
          link: link ?? null,
          hosts: hosts.map(({ host, isInstalled }) => ({ host: host.name, isInstalled })),
        }),
      );
    else context.print(formatNext(context, { staged, url, unread, link, hosts, ...plugin }));
    await offerImport(context, unread);
    return plugin.outcome === "failed" ? 6 : 0;
  },
};

interface PluginReport {
  outcome: "installed" | "updated" | "present" | "settings" | "no-claude" | "failed";
  sentence: string;
}

/** A failed plugin installation is reported, but does not prevent the daemon from starting. */
async function tryInstall(context: CliContext, staged: string): Promise<PluginReport> {
  try {
    // Hooks in settings files replace the plugin: with both, every event would be reported twice.
    const files = refreshSettings(context, staged);
    if (files.length > 0) return { outcome: "settings", sentence: `not used: hooks in ${files.join(", ")}` };
    const plan = makePluginInstall(context);
    if (!plan)
      return {
        outcome: "no-claude",
        sentence: "there is no `claude` on your PATH",
      };
    const outcome = await installPlugin(plan);
    const words = { installed: "installed into", updated: "updated in", present: "already installed in" };
    return { outcome, sentence: `${words[outcome]} ${plan.claude}` };
  } catch (thrown) {
    const { message, hint } = toAppError(thrown);
    return { outcome: "failed", sentence: `${message} ${hint}` };
  }
}

/** The earlier sessions of a host in which Rookery is installed. */
interface Unread {
  label: string;
  folder: string;
  count: number;
}

/** Importable transcripts by host; a host with imported transcripts is left out. */
async function listUnread(context: CliContext, hosts: Next["hosts"]): Promise<Unread[]> {
  const others = hosts.filter(({ isInstalled }) => isInstalled);
  const places = [
    { label: defaultHost.marks.label, folder: locateClaudeFolder(context) },
    ...others.map(({ host, data }) => ({ label: host.marks.label, folder: data })),
  ];
  const counted = await Promise.all(
    places.map(async (place) => {
      const query = { folder: place.folder };
      const { imported, found } = await callEndpoint(context.address, importEndpoints.getImport, { query });
      return { ...place, count: imported === 0 ? (found ?? 0) : 0 };
    }),
  );
  return counted.filter(({ count }) => count > 0);
}

/** At the first run, in a terminal. Without an answer nothing is imported. */
async function offerImport(context: CliContext, unread: readonly Unread[]): Promise<void> {
  if (unread.length === 0 || !context.ask) return;
  const counts = unread.map(({ label, count }) => `${formatCount(count, "earlier session")} of ${label}`);
  const question = `\nRemember your ${new Intl.ListFormat("en").format(counts)} now? [Y/n] `;
  const answer = await context.ask(question).catch(() => "no"); // Ctrl-D.
  if (!/^(?:y|yes|)$/i.test(answer)) return;
  for (const { folder } of unread)
    await runImport(context, { source: "transcripts", path: folder, since: 0, dryRun: false });
}

interface Next extends PluginReport {
  staged: string;
  url: string;
  unread: readonly Unread[];
  link: string | undefined;
  hosts: Awaited<ReturnType<typeof refreshHosts>>;
}

function formatNext(context: CliContext, next: Next): string {
  const { staged, url, unread, link, hosts, outcome, sentence } = next;
  const command = nameCommand(context);
  const offers = hosts
    .filter(({ isInstalled }) => !isInstalled)
    .map(({ host }): [string, string] => [
      `${command} install --host ${host.name}`,
      `use it in ${host.marks.label} as well`,
    ]);
  const hints = hosts.filter(isHintOpen).flatMap(({ host }) => host.install.hint ?? []);
  const isMissing = outcome === "no-claude" || outcome === "failed";
  const importing = unread.map(({ label, folder, count }): [string, string] => [
    `${command} import transcripts${label === defaultHost.marks.label ? "" : ` ${quotePath(folder)}`}`,
    `remember your ${formatCount(count, "earlier session")} of ${label} as well`,
  ]);
  const steps: [string, string][] = [
    outcome === "no-claude"
      ? [`${command} up`, "run this again once Claude Code is installed"]
      : ["claude", "start a session as usual; Rookery records it"],
    ...offers,
    ...importing,
    [`${command} open`, "see everything in the browser"],
    [`${command} demo`, "take a quick tour in a throwaway home"],
    [`${command} status`, "see what it is doing"],
    [`${command} send --to AGENT "hi"`, `talk to a session (names: ${command} agents)`],
    [`${command} uninstall`, "remove it and restore your settings"],
  ];
  return [
    isMissing ? `Rookery is up, but not in Claude Code: ${sentence.replace(/\.?$/, ".")}` : "Rookery is up.",
    "",
    ...(isMissing ? [] : [`  Plugin   ${sentence}`]),
    ...hosts
      .filter(({ isInstalled }) => isInstalled)
      .map(({ host, command: program }) => `  ${host.marks.label.padEnd(8)} installed in ${program}`),
    ...(link ? [`  Command  rookery, linked in ${dirname(link)}`] : []),
    `  Daemon   ${url}`,
    `  Data     ${context.home.root} (private to you; nothing leaves this machine)`,
    "",
    "Next:",
    ...steps.map(([typed, what]) => `  ${typed.padEnd(33)}  ${what}`),
    ...hints.flatMap((hint) => ["", hint]),
    ...(command === "rookery"
      ? []
      : [
          "",
          "To type just `rookery`, put ~/.local/bin on your PATH, and then:",
          `  mkdir -p ~/.local/bin && ln -s "${staged}/bin/rookery" ~/.local/bin/`,
        ]),
  ].join("\n");
}
