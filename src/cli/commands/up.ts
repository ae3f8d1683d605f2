import { readDaemonFile } from "../../client/discover.ts";
import { callDaemon } from "../../client/request.ts";
import { prepareHome } from "../../config/home.ts";
import { installPlugin } from "../../install/plugin.ts";
import type { ImportView } from "../../protocol/import.ts";
import { toAppError } from "../../shared/errors.ts";
import type { CliContext, Command } from "../command.ts";
import { describeInstall, locateClaudeFolder } from "../plugin-install.ts";
import { startDaemon } from "./start.ts";

export const up: Command = {
  summary: "Everything at once: install the plugin, start the daemon, say what to do next.",
  usage: "",
  examples: ["rookery up"],
  async run(context) {
    prepareHome(context.home);
    const plugin = await tryInstall(context);
    const daemon = await startDaemon(context);
    const running = readDaemonFile(context.home.daemonFile);
    const url = `http://127.0.0.1:${running?.port ?? 0}/`;
    const transcripts = await countUnread(context);
    if (context.isJson)
      context.print(
        JSON.stringify({ plugin: plugin.outcome, daemon, url, home: context.home.root, transcripts }),
      );
    else
      context.print(formatNext(context, plugin.sentence, url, plugin.outcome === "no-claude", transcripts));
    return plugin.outcome === "failed" ? 6 : 0;
  },
};

interface PluginReport {
  outcome: "installed" | "present" | "no-claude" | "failed";
  sentence: string;
}

/** A Claude Code that refuses must not keep the daemon from running: say it and go on. */
async function tryInstall(context: CliContext): Promise<PluginReport> {
  const plan = describeInstall(context);
  if (!plan)
    return {
      outcome: "no-claude",
      sentence: "no `claude` on PATH: install Claude Code, then run this again",
    };
  try {
    const outcome = await installPlugin(plan);
    return {
      outcome,
      sentence:
        outcome === "present" ? `installed before in ${plan.claude}` : `installed into ${plan.claude}`,
    };
  } catch (thrown) {
    const { message, hint } = toAppError(thrown);
    return { outcome: "failed", sentence: `not installed: ${message} ${hint}` };
  }
}

/** Transcripts of earlier sessions, as long as nothing was ever imported. */
async function countUnread(context: CliContext): Promise<number> {
  const folder = encodeURIComponent(locateClaudeFolder(context));
  const view = await callDaemon<ImportView>(context.address, { path: `/api/import?folder=${folder}` });
  return view.imported === 0 ? (view.found ?? 0) : 0;
}

function formatNext(
  { home, pluginRoot }: CliContext,
  plugin: string,
  url: string,
  isMissingClaude: boolean,
  transcripts: number,
): string {
  return [
    "Rookery is up.",
    "",
    `  Plugin   ${plugin}`,
    `  Daemon   ${url}`,
    `  Data     ${home.root} (yours alone, nothing leaves this machine)`,
    "",
    "Next:",
    isMissingClaude
      ? `  claude --plugin-dir "${pluginRoot}"     once you have Claude Code`
      : "  claude                        open a session as always: Rookery watches from now on",
    ...(transcripts > 0
      ? [`  rookery import transcripts    remember your ${transcripts} earlier sessions as well`]
      : []),
    "  rookery open                  look at it all in the browser",
    "  rookery demo                  see in seconds what it does, in a throwaway home",
    "  rookery status                what it is doing",
    '  rookery send --to AGENT "hi"  talk to a session (names: rookery agents)',
    "  rookery uninstall             leave, with your settings as they were",
    "",
    `The command is ${pluginRoot}/bin/rookery; link it into a folder on your PATH.`,
  ].join("\n");
}
