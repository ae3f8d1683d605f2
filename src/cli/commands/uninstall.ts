import { existsSync, rmSync, writeFileSync } from "node:fs";
import { stopDaemon } from "../../client/start.ts";
import { uninstallPlugin } from "../../install/plugin.ts";
import { removeStatusLine } from "../../install/statusline.ts";
import type { Command } from "../command.ts";
import { describeInstall } from "../plugin-install.ts";
import { describeStatusLine } from "./statusline.ts";

export const uninstall: Command = {
  summary: "Remove the plugin and stop the daemon; your data stays unless you say --data.",
  usage: "[--data]",
  examples: ["rookery uninstall", "rookery uninstall --data"],
  options: { data: { type: "boolean" } },
  optionHelp: { data: "delete everything Rookery stored, for good" },
  async run(context, { flags }) {
    const plan = describeInstall(context);
    removeStatusLine(describeStatusLine(context));
    const outcome = plan ? await uninstallPlugin(plan) : "absent";
    if (existsSync(context.home.run)) writeFileSync(context.home.stopped, "", { mode: 0o600 });
    await stopDaemon(context.startOptions, "stop");
    if (flags.data) rmSync(context.home.root, { recursive: true, force: true });
    const data = flags.data ? "deleted" : "kept";
    if (context.isJson) context.print(JSON.stringify({ outcome, data }));
    else
      context.print(
        `${outcome === "removed" ? "The plugin is removed" : "The plugin was not installed"}; the daemon is stopped. ` +
          (flags.data
            ? `${context.home.root} is deleted.`
            : `Your data stays in ${context.home.root} (delete it: rookery uninstall --data).`),
      );
    return 0;
  },
};
