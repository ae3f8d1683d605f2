import { prepareHome } from "../../config/home.ts";
import { installPlugin } from "../../install/plugin.ts";
import { AppError } from "../../shared/errors.ts";
import type { Command } from "../command.ts";
import { describeInstall } from "../plugin-install.ts";

export const install: Command = {
  summary: "Install the plugin into your Claude Code.",
  usage: "",
  examples: ["rookery install"],
  async run(context) {
    const plan = describeInstall(context);
    if (!plan) throw new AppError("claude_not_found", "There is no `claude` on PATH.");
    prepareHome(context.home);
    const outcome = await installPlugin(plan);
    if (context.isJson) context.print(JSON.stringify({ outcome, claude: plan.claude }));
    else
      context.print(
        outcome === "present"
          ? "The plugin was there already."
          : "The plugin is installed: new sessions have it. Undo: rookery uninstall",
      );
    return 0;
  },
};
