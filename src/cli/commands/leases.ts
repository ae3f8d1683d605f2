import { callOverTcp } from "../../client/call-over-tcp.ts";
import { callEndpoint } from "../../client/request.ts";
import { mailEndpoints } from "../../protocol/endpoints/mail.ts";
import type { Command } from "../command.ts";
import { formatClock, formatTable } from "../format.ts";
import { readProject } from "../read-flag.ts";
import { resolveId } from "../resolve-id.ts";

export const leases: Command = {
  summary: "List the files that agents have claimed; release a claim.",
  usage: "[--project NAME] [--release ID]",
  examples: ["rookery leases", "rookery leases --project orders-api", "rookery leases --release 4f2a9c1e"],
  options: { project: { type: "string" }, release: { type: "string" } },
  optionHelp: {
    project: "only this project: name or folder",
    release: "release this claim of any agent (id or suffix)",
  },
  completes: { project: "projects" },
  async run(context, { flags }) {
    const project = readProject(context.cwd, flags.project);
    const query = { project };
    const { leases: all } = await callEndpoint(context.address, mailEndpoints.listLeases, { query });
    if (typeof flags.release === "string") {
      const call = { params: { id: resolveId(flags.release, all) } };
      const lease = await callOverTcp(context.home, mailEndpoints.releaseLease, call);
      const line = `${lease.holder} no longer holds ${lease.globs.join(", ")}.`;
      context.print(context.isJson ? JSON.stringify(lease) : line);
      return 0;
    }
    if (context.isJson) context.print(JSON.stringify(all, null, 2));
    else if (all.length === 0) context.print("No files are claimed.");
    else {
      const rows = all.map(({ holder, project, exclusive, expiresAt, id, globs }) => [
        id.slice(-8),
        holder,
        project,
        exclusive ? "exclusive" : "shared",
        formatClock(expiresAt),
        globs.join(", "),
      ]);
      context.print(
        formatTable(["Id", "Holder", "Project", "Kind", "Until", "Files"], rows, context.columns),
      );
    }
    return 0;
  },
};
