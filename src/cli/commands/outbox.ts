import { callEndpoint } from "../../client/request.ts";
import { reachEndpoints } from "../../protocol/endpoints/reach.ts";
import type { OutboxView } from "../../protocol/reach.ts";
import { callAsPerson } from "../call-as-person.ts";
import type { CliContext, Command } from "../command.ts";
import { formatMinute, formatTable } from "../format.ts";
import { resolveId } from "../resolve-id.ts";

export const outbox: Command = {
  summary: "List messages to you that are held back, being sent, or failed.",
  usage: "[--all] [--retry ID | --drop ID]",
  examples: ["rookery outbox", "rookery outbox --all", "rookery outbox --retry 4f2a9c1e"],
  options: { all: { type: "boolean" }, retry: { type: "string" }, drop: { type: "string" } },
  optionHelp: {
    all: "include sent and dropped messages",
    retry: "retry this message now (id or suffix)",
    drop: "drop this message (only you may do this)",
  },
  async run(context, { flags }) {
    const { address } = context;
    const query = { all: flags.all ? "1" : "0" } as const;
    const { messages } = await callEndpoint(address, reachEndpoints.listOutbox, { query });
    const one = (id: string) => ({ params: { id: resolveId(id, messages) } });
    if (typeof flags.retry === "string")
      return report(context, await callEndpoint(address, reachEndpoints.retryMessage, one(flags.retry)));
    if (typeof flags.drop === "string")
      return report(context, await callAsPerson(context, reachEndpoints.dropMessage, one(flags.drop)));
    if (context.isJson) context.print(JSON.stringify(messages, null, 2));
    else if (messages.length === 0) context.print("No pending messages.");
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

function report(context: CliContext, message: OutboxView): number {
  context.print(
    context.isJson ? JSON.stringify(message) : `${message.about} on ${message.channel}: ${message.state}.`,
  );
  return 0;
}
