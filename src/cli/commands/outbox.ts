import { callDaemon } from "../../client/request.ts";
import type { OutboxView } from "../../protocol/reach.ts";
import type { CliContext, Command } from "../command.ts";
import { formatMinute, formatTable } from "../format.ts";
import { wholeId } from "../whole-id.ts";

export const outbox: Command = {
  summary: "Messages to you that are held back, on their way, or given up.",
  usage: "[--all] [--retry ID | --drop ID]",
  examples: ["rookery outbox", "rookery outbox --all", "rookery outbox --retry 4f2a9c1e"],
  options: { all: { type: "boolean" }, retry: { type: "string" }, drop: { type: "string" } },
  optionHelp: {
    all: "also what was sent or dropped",
    retry: "try this one again now; the end of its id is enough",
    drop: "give this one up",
  },
  async run(context, { flags }) {
    const path = `/api/outbox${flags.all ? "?all=1" : ""}`;
    const { messages } = await callDaemon<{ messages: OutboxView[] }>(context.address, { path });
    const pathOf = (id: string): string => `/api/outbox/${encodeURIComponent(wholeId(id, messages))}`;
    if (typeof flags.retry === "string")
      return report(context, { method: "POST", path: `${pathOf(flags.retry)}/retry` });
    if (typeof flags.drop === "string")
      return report(context, { method: "DELETE", path: pathOf(flags.drop) });
    if (context.isJson) context.print(JSON.stringify(messages, null, 2));
    else if (messages.length === 0) context.print("Nothing is waiting.");
    else {
      const rows = messages.map((m) => [
        m.id.slice(-8),
        m.state,
        m.channel,
        formatMinute(m.createdAt),
        String(m.attempts),
        m.about,
      ]);
      context.print(
        formatTable(["Id", "State", "Channel", "Since", "Tries", "About"], rows, context.columns),
      );
      const errors = new Set(
        messages.flatMap(({ channel, error }) => (error ? [`${channel}: ${error}`] : [])),
      );
      for (const error of errors) context.print(`\n${error}`);
    }
    return 0;
  },
};

async function report(
  context: CliContext,
  call: { method: "POST" | "DELETE"; path: string },
): Promise<number> {
  const message = await callDaemon<OutboxView>(context.address, call);
  context.print(
    context.isJson ? JSON.stringify(message) : `${message.about} on ${message.channel}: ${message.state}.`,
  );
  return 0;
}
