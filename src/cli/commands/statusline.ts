import { join } from "node:path";
import { readFileSync } from "node:fs";
import { locateStaged } from "../../shared/staged.ts";
import { openBackups } from "../../install/backups.ts";
import { installStatusLine, removeStatusLine, type StatusLineInstall } from "../../install/statusline.ts";
import type { CliContext, Command } from "../command.ts";
import { locateClaudeFolder, stageForSessions } from "../plugin-install.ts";

export const statusline: Command = {
  summary: "Print one line for Claude Code's status bar: here or away, open questions, unread mail, notes.",
  usage: "[--install | --remove]",
  examples: ["rookery statusline", "rookery statusline --install"],
  options: { install: { type: "boolean" }, remove: { type: "boolean" } },
  optionHelp: {
    install: "set it in your Claude Code settings; your current status line is saved",
    remove: "restore your earlier status line",
  },
  async run(context, { flags }) {
    const install = describeStatusLine(context);
    if (flags.install || flags.remove) {
      if (flags.install) stageForSessions(context);
      const { changes, backup } = flags.install ? installStatusLine(install) : removeStatusLine(install);
      const outcome = flags.install
        ? changes.length > 0
          ? "installed"
          : "present"
        : changes.length > 0
          ? "removed"
          : "absent";
      const kept = backup ? ` Backup of the settings: ${backup}` : "";
      context.print(
        context.isJson
          ? JSON.stringify({ outcome, settings: install.settings, backup })
          : sentences[outcome] + kept,
      );
      return 0;
    }
    context.print(readLine(context));
    return 0;
  },
};

const sentences = {
  installed: "The status line is set: new sessions show it. Undo: rookery statusline --remove",
  present: "The status line is set already.",
  removed: "Your earlier status line is restored.",
  absent: "The status line was not ours.",
};

export function describeStatusLine(context: CliContext): StatusLineInstall {
  return {
    settings: join(locateClaudeFolder(context), "settings.json"),
    launcher: join(locateStaged(context.home.app), "bin", "rookery"),
    recordFile: join(context.home.root, "statusline-before.json"),
    backups: openBackups(context.home.backups),
  };
}

/** The launcher prints the same without starting Node; this is for `--json` and for systems without a shell. */
function readLine({ home, isJson }: CliContext): string {
  let line = "";
  try {
    line = readFileSync(home.statusLine, "utf8").split("\n")[1] ?? "";
  } catch {
    // No daemon runs: print nothing.
  }
  return isJson ? JSON.stringify({ line }) : line;
}
