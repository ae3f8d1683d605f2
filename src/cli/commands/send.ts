import { callDaemon } from "../../client/request.ts";
import type { Environment } from "../../config/environment.ts";
import type { DeliveryView } from "../../protocol/api.ts";
import { AppError } from "../../shared/errors.ts";
import type { Command } from "../command.ts";

export const send: Command = {
  summary: "Send a text to an agent: a busy one reads it after its next tool call, an idle one wakes.",
  usage: '--to AGENT "text"',
  examples: ['rookery send --to api-rook "The schema is merged, rebase please."'],
  options: { to: { type: "string" } },
  optionHelp: { to: "the agent's name, as `rookery agents` shows it" },
  words: { min: 1, max: 1 },
  async run(context, { flags, words }) {
    if (typeof flags.to !== "string")
      throw new AppError("invalid_argument", 'Say whom: rookery send --to AGENT "text"');
    const from = nameSender(context.environment);
    const body = { to: flags.to, body: words[0], from, source: "cli" };
    const delivery = await callDaemon<DeliveryView>(context.address, {
      method: "POST",
      path: "/api/deliveries",
      body,
    });
    context.print(
      context.isJson
        ? JSON.stringify(delivery)
        : `Queued for ${delivery.agent}. Follow it: rookery inbox --id ${delivery.id}`,
    );
    return 0;
  },
};

/** An agent is named, never taken for the person: its text must not pass for theirs. */
function nameSender(environment: Environment): string {
  if (environment.ROOKERY_AGENT) return environment.ROOKERY_AGENT;
  return environment.CLAUDECODE ? "an agent" : "someone at the terminal";
}
