import { formatBytes } from "../../shared/format-bytes.ts";
import { labelHost } from "../../hosts/marks.ts";
import { callEndpoint } from "../../client/request.ts";
import { daemonEndpoints } from "../../protocol/endpoints/daemon.ts";
import type { EmbeddingsReport } from "../../protocol/embeddings.ts";
import type { HubSummary } from "../../protocol/hub.ts";
import type { ModelReport } from "../../protocol/model.ts";
import type { RetentionState, StatusReport } from "../../protocol/status.ts";
import type { Command } from "../command.ts";
import { describeHomeserverTrouble } from "../homeserver-health.ts";
import { describePresence } from "../../protocol/reach.ts";
import { wrapLines, formatCount, formatDuration, formatMinute, formatTable, formatUsd } from "../format.ts";

export const status: Command = {
  summary: "Show what the daemon is doing: sessions, queues, sizes, hook latencies.",
  usage: "",
  examples: ["rookery status", "rookery status --json"],
  async run(context) {
    const report = await callEndpoint(context.address, daemonEndpoints.getStatus);
    context.print(context.isJson ? JSON.stringify(report, null, 2) : formatStatus(report, context.columns));
    return report.status === "ok" ? 0 : 6;
  },
};

function formatRetention({ eventDays, eventMegabytes, eventBytes, removed }: RetentionState): string {
  const limits = [
    ...(eventDays > 0 ? [formatCount(eventDays, "day")] : []),
    ...(eventMegabytes > 0 ? [formatBytes(eventMegabytes * 1_000_000)] : []),
  ];
  const held = eventBytes === null ? "" : `; ${formatBytes(eventBytes)} held, ${removed} removed`;
  return `raw events: ${limits.join(" or ") || "kept forever"}${held}`;
}

function describeModel({ provider, name, state, reason, waiting, today, budget }: ModelReport): string {
  const spent = `today ${formatCount(today.calls, "call")}, ${today.tokens} of ${budget.tokens} tokens, ${formatUsd(today.usd)} of ${formatUsd(budget.usd)}`;
  const trouble = state === "ready" ? "" : `; ${state.toUpperCase()}: ${reason}; notes are made without it`;
  return `${name} (${provider}), ${spent}, ${formatCount(waiting, "turn")} waiting${trouble}`;
}

function describeEmbeddings(report: EmbeddingsReport): string {
  const { provider, name, state, reason, rows, embedded } = report;
  const trouble =
    state === "ready" ? "" : `; ${state.toUpperCase()}: ${reason}, search uses the built-in table`;
  return `${name} (${provider}), ${embedded} of ${formatCount(rows, "text")} embedded${trouble}`;
}

function describeHosts(hosts: Record<string, number>): string {
  const counts = Object.entries(hosts).map(([host, count]) => `${labelHost(host) || host} ${count}`);
  return counts.length > 0 ? ` (${counts.join(", ")})` : "";
}

function describeChannels({ channels, outbox }: StatusReport): string {
  const named = channels.map(({ name, state, detail }) => `${name} ${state}${detail ? ` (${detail})` : ""}`);
  const { held, waiting, parked } = outbox;
  const parkedHint = parked > 0 ? `, ${parked} given up: rookery outbox` : "";
  return `${named.join(", ") || "none"}; ${held} held back, ${waiting} on their way${parkedHint}`;
}

function describeHub({
  state,
  host,
  member,
  device,
  projects,
  contactAt,
  waiting,
  error,
}: HubSummary): string {
  const place = `${host} as ${member} (${device})`;
  if (state === "revoked") return `${place}, REVOKED: rookery hub leave`;
  const shared = projects.length === 0 ? "shares nothing" : `shares ${projects.join(", ")}`;
  const contact = contactAt === null ? "no contact yet" : `last contact ${formatMinute(contactAt)}`;
  const trouble = error === null ? "" : `; NOT REACHED: ${error}`;
  return `${place}, ${shared}, ${contact}, ${formatCount(waiting, "note")} waiting${trouble}`;
}

function describeUnspooled(count: number): string {
  return count === 0
    ? ""
    : `; ${formatCount(count, "event")} not written by their hooks, read from transcripts instead`;
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
      `${formatBytes(database.bytes)} + ${formatBytes(database.walBytes)} log, ${formatCount(report.events, "event")}`,
    ],
    [
      "Spool",
      `${formatCount(spool.files, "file")}, ${formatBytes(spool.bytes)}; queue ${report.queue}; ${spool.rejected} set aside${describeUnspooled(report.counts.unspooled)}`,
    ],
    [
      "Sessions",
      `${sessions.active} active${describeHosts(sessions.hosts)} of ${sessions.total}, ${formatCount(report.agents, "agent")}, ${report.monitors} can be woken`,
    ],
    [
      "Mail",
      `${deliveries.queued} queued, ${deliveries.injected} injected, ${deliveries.confirmed} confirmed`,
    ],
  ];
  facts.push(["Retention", formatRetention(report.retention)]);
  if (report.model.state !== "off") facts.push(["Model", describeModel(report.model)]);
  if (report.embeddings.state !== "off") facts.push(["Embeddings", describeEmbeddings(report.embeddings)]);
  facts.push(
    ["You", describePresence(report.presence).replace(/^You are /, "")],
    ["Channels", describeChannels(report)],
  );
  if (report.questions > 0) facts.push(["Questions", `${report.questions} open: rookery questions`]);
  if (report.matrix) {
    const { url, users, rooms, events, isRegistrationOpen } = report.matrix;
    const registration = isRegistrationOpen ? "; REGISTRATION IS OPEN" : "";
    facts.push([
      "Matrix",
      `${url} ${formatCount(users, "user")}, ${formatCount(rooms, "room")}, ${formatCount(events, "event")}${registration}`,
    ]);
  }
  const trouble = report.homeserver && describeHomeserverTrouble(report.homeserver);
  if (trouble) facts.push(["Matrix", trouble]);
  if (report.hub) facts.push(["Hub", describeHub(report.hub)]);
  if (report.unconfirmedSettings.length > 0)
    facts.push([
      "Settings",
      `NOT IN FORCE, changed without you: ${report.unconfirmedSettings.join(", ")}. Check, then: rookery config --accept`,
    ]);
  if (database.setAside) facts.push(["Damaged", `an earlier database was set aside: ${database.setAside}`]);
  const lines = facts.map(([name, text]) => wrapLines(text, columns, `${name.padEnd(10)} `, " ".repeat(11)));
  const hooks = Object.entries(report.hooks).map(([event, { count, p50Ms, p95Ms }]) => [
    event,
    String(count),
    String(p50Ms),
    String(p95Ms),
  ]);
  if (hooks.length > 0) lines.push("", formatTable(["Hook", "calls", "p50 ms", "p95 ms"], hooks, columns));
  return lines.join("\n");
}
