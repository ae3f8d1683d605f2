import { callEndpoint } from "../../client/request.ts";
import { sessionEndpoints } from "../../protocol/endpoints/sessions.ts";
import type { Command } from "../command.ts";
import { labelHost } from "../../hosts/marks.ts";
import { formatTable } from "../format.ts";
import { hostHelp, hostNames } from "../host-option.ts";
import { readChoice } from "../read-flag.ts";

export const agents: Command = {
  summary: "List the agents, their projects and their current work.",
  usage: "[--all] [--host NAME]",
  examples: ["rookery agents", "rookery agents --all", "rookery agents --host codex"],
  options: { all: { type: "boolean" }, host: { type: "string" } },
  optionHelp: { all: "also agents whose session has ended", host: hostHelp },
  completes: { host: hostNames },
  async run(context, { flags }) {
    const { agents: all } = await callEndpoint(context.address, sessionEndpoints.listAgents, {
      query: { host: readChoice("--host", flags.host, hostNames) },
    });
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
