import { callEndpoint } from "../../client/request.ts";
import { sessionEndpoints } from "../../protocol/endpoints/sessions.ts";
import type { Command } from "../command.ts";
import { formatTable } from "../format.ts";

export const agents: Command = {
  summary: "List the agents, their projects and their current work.",
  usage: "",
  examples: ["rookery agents"],
  async run(context) {
    const { agents: list } = await callEndpoint(context.address, sessionEndpoints.listAgents);
    if (context.isJson) context.print(JSON.stringify(list, null, 2));
    else if (list.length === 0) context.print("No agents yet: the first Claude Code session makes one.");
    else {
      const rows = list.map(({ name, status, waiting, project, focus }) => [
        name,
        status,
        String(waiting),
        project,
        focus ?? "",
      ]);
      context.print(formatTable(["Agent", "Status", "Mail", "Project", "At work on"], rows, context.columns));
    }
    return 0;
  },
};
