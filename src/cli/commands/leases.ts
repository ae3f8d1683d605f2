import { callAsPerson } from "../../client/call-as-person.ts";
import { callDaemon } from "../../client/request.ts";
import type { LeaseView } from "../../protocol/mail.ts";
import type { Command } from "../command.ts";
import { formatMinute, formatTable } from "../format.ts";

export const leases: Command = {
  summary: "Which agent has claimed which files, and until when; end a claim.",
  usage: "[--project NAME] [--release ID]",
  examples: ["rookery leases", "rookery leases --release 0193f2c4-…"],
  options: { project: { type: "string" }, release: { type: "string" } },
  optionHelp: { project: "only this one", release: "end this claim, whoever holds it" },
  async run(context, { flags }) {
    if (typeof flags.release === "string") {
      const path = `/api/leases/${encodeURIComponent(flags.release)}`;
      const lease = await callAsPerson<LeaseView>(context.home, { method: "DELETE", path });
      const line = `${lease.holder} no longer holds ${lease.globs.join(", ")}.`;
      context.print(context.isJson ? JSON.stringify(lease) : line);
      return 0;
    }
    const query = typeof flags.project === "string" ? `?project=${encodeURIComponent(flags.project)}` : "";
    const { leases: all } = await callDaemon<{ leases: LeaseView[] }>(context.address, {
      path: `/api/leases${query}`,
    });
    if (context.isJson) context.print(JSON.stringify(all, null, 2));
    else if (all.length === 0) context.print("Nobody has claimed any files.");
    else {
      const rows = all.map(({ holder, project, exclusive, expiresAt, id, globs }) => [
        holder,
        project,
        exclusive ? "exclusive" : "shared",
        formatMinute(expiresAt),
        id,
        globs.join(", "),
      ]);
      context.print(
        formatTable(["Holder", "Project", "Kind", "Until", "Id", "Files"], rows, context.columns),
      );
    }
    return 0;
  },
};
