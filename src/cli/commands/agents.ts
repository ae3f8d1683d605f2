import { callDaemon } from "../../client/request.ts";
import type { AgentView } from "../../protocol/api.ts";
import type { Command } from "../command.ts";
import { formatTable } from "../format.ts";

export const agents: Command = {
  summary: "The agents: who they are, in which project, and whether they work.",
  usage: "",
  examples: ["rookery agents"],
  async run(context) {
    const { agents: list } = await callDaemon<{ agents: AgentView[] }>(context.address, {
      path: "/api/agents",
    });
    if (context.isJson) context.print(JSON.stringify(list, null, 2));
    else if (list.length === 0) context.print("No agents yet: the first Claude Code session makes one.");
    else {
      const rows = list.map((agent) => [agent.name, agent.status, String(agent.waiting), agent.project]);
      context.print(formatTable(["Agent", "Status", "Waiting", "Project"], rows, context.columns));
    }
    return 0;
  },
};
