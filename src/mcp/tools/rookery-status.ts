import * as z from "zod";
import { callEndpoint } from "../../client/request.ts";
import { daemonEndpoints } from "../../protocol/endpoints/daemon.ts";
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
    const report = await callEndpoint(context.address, daemonEndpoints.getStatus);
    const session = await currentSession(context);
    const { deliveries, sessions } = report;
    return [
      session
        ? `You are agent ${session.agent}, session ${session.id}, project ${session.project}.`
        : "This session is not known to Rookery yet.",
      `Rookery ${report.version} is ${report.status}${report.reason ? ` (${report.reason})` : ""}; ${report.url}`,
      `Events stored: ${report.events}. Active sessions: ${sessions.active} of ${sessions.total}. Spooled files: ${report.spool.files}.`,
      `Mail: ${deliveries.queued} queued, ${deliveries.injected} injected, ${deliveries.confirmed} confirmed.`,
    ].join("\n");
  },
});
