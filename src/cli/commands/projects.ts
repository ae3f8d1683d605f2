import { callEndpoint } from "../../client/request.ts";
import { memoryEndpoints } from "../../protocol/endpoints/memory.ts";
import { callAsPerson } from "../call-as-person.ts";
import type { Command } from "../command.ts";
import { formatTable } from "../format.ts";
import { readChoice } from "../read-flag.ts";

export const projects: Command = {
  summary: "List projects; turn memory off for one, or isolate it.",
  usage: "[NAME [on|off|isolated] [--leases warn|block]]",
  examples: [
    "rookery projects",
    "rookery projects secret-client isolated",
    "rookery projects scratch off",
    "rookery projects orders-api --leases block",
  ],
  options: { leases: { type: "string" } },
  optionHelp: { leases: "warn or block when an agent edits a file that another has claimed" },
  completes: { "": "projects" },
  words: { min: 0, max: 2 },
  async run(context, { flags, words }) {
    const [name] = words;
    const mode = readChoice("The mode", words[1], ["on", "off", "isolated"]);
    const leases = readChoice("--leases", flags.leases, ["warn", "block"]);
    if (name && (mode || leases)) {
      const call = { params: { id: name }, body: { mode, leases } };
      const changed = await callAsPerson(context, memoryEndpoints.changeProject, call);
      const sentence = `${changed.name} is ${changed.mode}; edits of files that another agent has claimed: ${changed.leases}.`;
      context.print(context.isJson ? JSON.stringify(changed) : sentence);
      return 0;
    }
    const { projects: list } = await callEndpoint(context.address, memoryEndpoints.listProjects);
    const shown = name ? list.filter((project) => project.name === name) : list;
    if (context.isJson) context.print(JSON.stringify(shown, null, 2));
    else if (shown.length === 0) context.print("No projects yet. A project appears with its first turn.");
    else
      context.print(
        formatTable(
          ["Name", "Mode", "Notes", "Path"],
          shown.map((p) => [p.name, p.mode, String(p.notes), p.path.replace(/\/\.git$/, "")]),
          context.columns,
        ),
      );
    return 0;
  },
};
