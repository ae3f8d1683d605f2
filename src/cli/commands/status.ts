import { callDaemon } from "../../client/request.ts";
import type { StatusReport } from "../../protocol/status.ts";
import type { Command } from "../command.ts";
import { describePresence } from "../say-presence.ts";
import { formatBytes, formatDuration, formatTable } from "../format.ts";

export const status: Command = {
  summary: "What the daemon is doing: sessions, queues, sizes, hook latencies.",
  usage: "",
  examples: ["rookery status", "rookery status --json"],
  async run(context) {
    const report = await callDaemon<StatusReport>(context.address, { path: "/api/status" });
    context.print(context.isJson ? JSON.stringify(report, null, 2) : formatStatus(report, context.columns));
    return report.status === "ok" ? 0 : 6;
  },
};

function describeChannels({ channels, outbox }: StatusReport): string {
  const named = channels.map(({ name, state, detail }) => `${name} ${state}${detail ? ` (${detail})` : ""}`);
  const { held, waiting, parked } = outbox;
  const parkedHint = parked > 0 ? `, ${parked} given up: rookery outbox` : "";
  return `${named.join(", ") || "none"}; ${held} held back, ${waiting} on their way${parkedHint}`;
}

function formatStatus(report: StatusReport, columns: number): string {
  const { deliveries, spool, database, sessions } = report;
  const facts: [string, string][] = [
    [
      "Daemon",
      `${report.status === "ok" ? "running" : `PAUSED: ${report.reason}`}, pid ${report.pid}, up ${formatDuration(report.uptimeMs)}, version ${report.version} (${report.build.slice(0, 8)})`,
    ],
    ["Address", report.url],
    ["Home", report.home],
    ["Memory", `${formatBytes(report.rssBytes)} resident`],
    [
      "Database",
      `${formatBytes(database.bytes)} + ${formatBytes(database.walBytes)} log, ${report.events} events`,
    ],
    [
      "Spool",
      `${spool.files} files, ${formatBytes(spool.bytes)}; queue ${report.queue}; ${spool.rejected} set aside`,
    ],
    [
      "Sessions",
      `${sessions.active} active of ${sessions.total}, ${report.agents} agents, ${report.monitors} can be woken`,
    ],
    [
      "Mail",
      `${deliveries.queued} queued, ${deliveries.injected} injected, ${deliveries.confirmed} confirmed`,
    ],
  ];
  facts.push(["You", describePresence(report.presence)], ["Channels", describeChannels(report)]);
  if (report.questions > 0) facts.push(["Questions", `${report.questions} open: rookery questions`]);
  if (database.setAside) facts.push(["Damaged", `an earlier database was set aside: ${database.setAside}`]);
  const lines = facts.map(([name, text]) => `${name.padEnd(9)} ${text}`);
  const hooks = Object.entries(report.hooks).map(([event, { count, p50Ms, p95Ms }]) => [
    event,
    String(count),
    String(p50Ms),
    String(p95Ms),
  ]);
  if (hooks.length > 0) lines.push("", formatTable(["Hook", "calls", "p50 ms", "p95 ms"], hooks, columns));
  return lines.join("\n");
}
