import { callDaemon } from "../../client/request.ts";
import type { Command } from "../command.ts";
import { readProject } from "../read-flag.ts";

export const contextCommand: Command = {
  summary: "Exactly what a session starting here now would be given.",
  usage: "[--project NAME]",
  examples: ["rookery context", "rookery context --project orders-api"],
  options: { project: { type: "string" } },
  optionHelp: { project: "name or folder; default here" },
  async run(context, { flags }) {
    const project = readProject(context.cwd, flags.project) ?? context.cwd;
    const view = await callDaemon<{ text: string }>(context.address, {
      path: `/api/context?project=${encodeURIComponent(project)}`,
    });
    context.print(context.isJson ? JSON.stringify(view) : view.text || "Nothing yet.");
    return 0;
  },
};
