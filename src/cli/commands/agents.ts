import { callEndpoint } from "../../client/request.ts";
import { sessionEndpoints } from "../../protocol/endpoints/sessions.ts";
import type { Command } from "../command.ts";
import { labelHost } from "../../hosts/marks.ts";
import { formatTable } from "../format.ts";

export const agents: Command = {
  summary: "List the agents, their projects and their current work.",
  usage: "[--all]",
  examples: ["rookery agents", "rookery agents --all"],
  options: { all: { type: "boolean" } },
  optionHelp: { all: "also agents whose session has ended" },
  async run(context, { flags }) {
    const { agents: all } = await callEndpoint(context.address, sessionEndpoints.listAgents);
    const list = flags.all ? all : all.filter(({ status }) => status !== "gone");
    const hidden = all.length - list.length;
    if (context.isJson) context.print(JSON.stringify(list, null, 2));
    else if (all.length === 0) context.print("No agents yet. Every session of a coding agent is one.");
    else if (list.length === 0) context.print("No live agents.");
    else {
      const rows = list.map(({ name, host, status, waiting, project, focus }) => [
        name,
        labelHost(host),
        status,
        String(waiting),
        project,
        focus ?? "",
      ]);
      context.print(
        formatTable(["Agent", "In", "Status", "Mail", "Project", "Working on"], rows, context.columns),
      );
    }
    if (hidden > 0 && !context.isJson) context.print(`\n${hidden} more: rookery agents --all`);
    return 0;
  },
};
