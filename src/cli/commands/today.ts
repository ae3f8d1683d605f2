import { callDaemon } from "../../client/request.ts";
import type { DayView } from "../../protocol/memory.ts";
import { AppError } from "../../shared/errors.ts";
import type { Command } from "../command.ts";

export const today: Command = {
  summary: "What every session did today, and what is open.",
  usage: "[--days N]",
  examples: ["rookery today", "rookery today --days 7"],
  options: { days: { type: "string" } },
  optionHelp: { days: "how many days back (1: since midnight)" },
  async run(context, { flags }) {
    const days = Number(flags.days ?? 1);
    if (!Number.isInteger(days) || days < 1)
      throw new AppError("invalid_argument", "--days takes a positive whole number.");
    const midnight = new Date();
    midnight.setHours(0, 0, 0, 0);
    midnight.setDate(midnight.getDate() - days + 1);
    const view = await callDaemon<DayView>(context.address, {
      path: `/api/today?from=${midnight.getTime()}`,
    });
    context.print(context.isJson ? JSON.stringify(view, null, 2) : formatDayView(view));
    return 0;
  },
};

function formatDayView({ sessions }: DayView): string {
  if (sessions.length === 0) return "Nothing yet today.";
  const lines: string[] = [];
  for (const { agent, project, branch, status, turns } of sessions) {
    const where = branch === null ? project : `${project} on ${branch}`;
    lines.push(`${agent || project} (${where}, ${status})`);
    for (const { request, completed, at } of turns) {
      const time = new Date(at).toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" });
      lines.push(`  ${time}  ${cut(request, 70)}${completed ? `\n         → ${cut(completed, 110)}` : ""}`);
    }
    lines.push("");
  }
  const open = sessions.flatMap(({ agent, turns }) =>
    turns.filter(({ nextSteps }) => nextSteps).map(({ nextSteps }) => `  ${agent}: ${cut(nextSteps, 160)}`),
  );
  if (open.length > 0) lines.push("Open:", ...open);
  return lines.join("\n").trimEnd();
}

function cut(text: string, most: number): string {
  const flat = text.replace(/\s+/g, " ");
  return flat.length <= most ? flat : `${flat.slice(0, most - 1)}…`;
}
