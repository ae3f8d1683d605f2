import { callEndpoint } from "../../client/request.ts";
import { mailEndpoints } from "../../protocol/endpoints/mail.ts";
import { sessionEndpoints } from "../../protocol/endpoints/sessions.ts";
import type { DeliveryView } from "../../protocol/api.ts";
import type { CliContext, Command } from "../command.ts";
import { formatMinute, formatTable } from "../format.ts";

export const inbox: Command = {
  summary: "Show messages to you, or those to an agent and their state: queued, injected, confirmed.",
  usage: "[--agent AGENT] [--id ID]",
  examples: ["rookery inbox", "rookery inbox --agent api-rook", "rookery inbox --id 4f2a9c1e"],
  options: { agent: { type: "string" }, id: { type: "string" } },
  optionHelp: {
    agent: "the agent; default: you, or inside a session its agent",
    id: "one delivery in full (id or suffix)",
  },
  completes: { agent: "agents" },
  async run(context, { flags }) {
    if (typeof flags.id === "string") {
      const call = { params: { id: flags.id } };
      const delivery = await callEndpoint(context.address, sessionEndpoints.getDelivery, call);
      context.print(context.isJson ? JSON.stringify(delivery, null, 2) : formatDelivery(delivery));
      return 0;
    }
    const agent = typeof flags.agent === "string" ? flags.agent : context.environment.ROOKERY_AGENT;
    if (!agent) return showOwn(context);
    const call = { query: { agent } };
    const { deliveries } = await callEndpoint(context.address, sessionEndpoints.listDeliveries, call);
    if (context.isJson) context.print(JSON.stringify(deliveries, null, 2));
    else if (deliveries.length === 0) context.print(`No messages for ${agent}.`);
    else {
      const rows = deliveries.map((d) => [
        d.id.slice(-8),
        d.state,
        d.from,
        formatMinute(d.createdAt),
        d.body,
      ]);
      context.print(formatTable(["Id", "State", "From", "Sent", "Text"], rows, context.columns));
      context.print("\nShow one in full: rookery inbox --id ID");
    }
    return 0;
  },
};

/** Messages from agents and people to the user. */
async function showOwn(context: CliContext): Promise<number> {
  const { messages } = await callEndpoint(context.address, mailEndpoints.listMessages);
  if (context.isJson) context.print(JSON.stringify(messages, null, 2));
  else if (messages.length === 0)
    context.print("No messages for you. Messages to an agent: rookery inbox --agent AGENT");
  else
    for (const { at, from, text } of messages.toReversed())
      context.print(`${formatMinute(at)}  ${from}: ${text}`);
  return 0;
}

function formatDelivery(d: DeliveryView): string {
  const trail = [`sent ${formatMinute(d.createdAt)}`];
  if (d.injectedAt) trail.push(`injected ${formatMinute(d.injectedAt)} at ${d.point} (try ${d.attempts})`);
  if (d.confirmedAt) trail.push(`confirmed ${formatMinute(d.confirmedAt)}`);
  return `To ${d.agent} from ${d.from} via ${d.source}: ${d.state}\n${trail.join(", ")}\n\n${d.body}`;
}
