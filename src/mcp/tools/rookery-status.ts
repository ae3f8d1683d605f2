import * as z from "zod";
import { callDaemon } from "../../client/request.ts";
import type { StatusReport } from "../../protocol/status.ts";
import { currentSession } from "../session.ts";
import { defineTool } from "../tool.ts";

export const rookeryStatus = defineTool({
  name: "rookery_status",
  title: "Rookery status",
  description:
    "Which agent this session is, whether Rookery runs, what it has stored and what waits for you.",
  input: z.strictObject({}),
  isReadOnly: true,
  async handle(_input, context) {
    const report = await callDaemon<StatusReport>(context.address, { path: "/api/status" });
    const session = await currentSession(context);
    const { deliveries, sessions } = report;
    return [
      session
        ? `You are agent ${session.agent}, session ${session.id}, project ${session.project}.`
        : "This session is not known to Rookery yet.",
      `Rookery ${report.version} is ${report.status}${report.reason ? ` (${report.reason})` : ""}; ${report.url}`,
      `Stored: ${report.events} events, ${sessions.active} active sessions of ${sessions.total}. Spool: ${report.spool.files} files.`,
      `Mail: ${deliveries.queued} queued, ${deliveries.injected} injected, ${deliveries.confirmed} confirmed.`,
    ].join("\n");
  },
});
