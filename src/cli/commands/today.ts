import { callEndpoint } from "../../client/request.ts";
import { memoryEndpoints } from "../../protocol/endpoints/memory.ts";
import type { DayView } from "../../protocol/memory.ts";
import type { Command } from "../command.ts";
import { wrapLines, formatClock, formatMinute } from "../format.ts";
import { labelHost } from "../../hosts/marks.ts";
import { hostHelp, hostNames } from "../host-option.ts";
import { readChoice, readCount } from "../read-flag.ts";
import { truncateLine } from "../text-width.ts";

export const today: Command = {
  summary: "Show what every session did today, and what is unfinished.",
  usage: "[--days N] [--host NAME]",
  examples: ["rookery today", "rookery today --days 7", "rookery today --host opencode"],
  options: { days: { type: "string" }, host: { type: "string" } },
  optionHelp: { days: "how many days back (1: since midnight)", host: hostHelp },
  completes: { host: hostNames },
  async run(context, { flags }) {
    const days = readCount("--days", flags.days, 1);
    const midnight = new Date();
    midnight.setHours(0, 0, 0, 0);
    midnight.setDate(midnight.getDate() - days + 1);
    const query = { from: midnight.getTime(), host: readChoice("--host", flags.host, hostNames) };
    const view = await callEndpoint(context.address, memoryEndpoints.getDay, { query });
    context.print(
      context.isJson ? JSON.stringify(view, null, 2) : formatDayView(view, days, context.columns),
    );
    return 0;
  },
};

function formatDayView({ sessions }: DayView, days: number, columns: number): string {
  if (sessions.length === 0) return days === 1 ? "Nothing yet today." : `Nothing in the last ${days} days.`;
  const at = days === 1 ? formatClock : formatMinute;
  const indent = " ".repeat(days === 1 ? 9 : 20);
  const lines: string[] = [];
  for (const { agent, host, project, branch, status, turns } of sessions) {
    const where = branch === null ? project : `${project} on ${branch}`;
    const about = [where, labelHost(host), status].filter(Boolean).join(", ");
    lines.push(`${agent || project} (${about})`);
    for (const { request, completed, at: atMs } of turns) {
      lines.push(after(`  ${at(atMs)}  `, request, columns));
      if (completed) lines.push(after(`${indent}→ `, completed, columns));
    }
    lines.push("");
  }
  const open = sessions.flatMap(({ agent, turns }) =>
    turns.flatMap(({ nextSteps }) =>
      nextSteps ? [wrapLines(`${agent}: ${nextSteps.replace(/\s+/g, " ")}`, columns, "  ", "    ")] : [],
    ),
  );
  if (open.length > 0) lines.push("Open:", ...open);
  return lines.join("\n").trimEnd();
}

/** One line: the prefix is kept, the rest is truncated to fit. */
function after(lead: string, text: string, columns: number): string {
  return lead + truncateLine(text, columns - lead.length);
}
