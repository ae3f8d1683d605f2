import { callEndpoint } from "../../client/request.ts";
import { memoryEndpoints } from "../../protocol/endpoints/memory.ts";
import { AppError } from "../../shared/errors.ts";
import type { Command } from "../command.ts";
import { readProject } from "../read-flag.ts";

export const contextCommand: Command = {
  summary: "Exactly what a session starting here now would be given.",
  usage: "[--project NAME]",
  examples: ["rookery context", "rookery context --project orders-api"],
  options: { project: { type: "string" } },
  optionHelp: { project: "name or folder; default here" },
  async run(context, { flags }) {
    const named = readProject(context.cwd, flags.project);
    const project = named ?? context.cwd;
    const asked = callEndpoint(context.address, memoryEndpoints.getContext, { query: { project } });
    const view = await (named === undefined ? asked.catch(toNothing) : asked);
    const nothing = `Nothing: no session was seen in ${project} yet, and nothing was noted about it.`;
    context.print(context.isJson ? JSON.stringify(view) : view.text || nothing);
    return 0;
  },
};

/** The current folder may belong to no known project. */
function toNothing(error: unknown): { text: string; tokens: number } {
  if (error instanceof AppError && error.code === "project_not_found") return { text: "", tokens: 0 };
  throw error;
}
