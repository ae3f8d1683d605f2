import { callOverTcp } from "../../client/call-over-tcp.ts";
import { mailEndpoints } from "../../protocol/endpoints/mail.ts";
import type { MessageView } from "../../protocol/mail.ts";
import { AppError } from "../../shared/errors.ts";
import type { Command } from "../command.ts";

export const send: Command = {
  summary: "Send a message: a busy agent reads it after its next tool call, an idle one wakes.",
  usage: '--to WHOM "text"',
  examples: [
    'rookery send --to api-rook "The schema is merged, rebase please."',
    'rookery send --to "#orders-api" "Standup in five minutes."',
  ],
  options: { to: { type: "string" } },
  optionHelp: { to: "an agent as `rookery agents` shows it, a #room, or @user:server" },
  completes: { to: "agents" },
  words: { min: 1, max: 1 },
  async run(context, { flags, words }) {
    if (typeof flags.to !== "string")
      throw new AppError("invalid_argument", 'Missing --to. Usage: rookery send --to AGENT "text"');
    // The daemon identifies the caller: inside a session the sender is the agent, never the person.
    const message = await callOverTcp(context.home, mailEndpoints.sendMessage, {
      body: { to: flags.to, text: words[0] ?? "" },
    });
    if (message.state === "failed")
      throw new AppError("room_not_found", message.error ?? "The homeserver refused the message.");
    context.print(context.isJson ? JSON.stringify(message) : describe(message));
    return 0;
  },
};

function describe({ from, to, state, error, isAbsent }: MessageView): string {
  const when = isAbsent ? ` ${to} has no running session and reads it when it returns.` : "";
  if (state === "sent") return `Sent, from ${from} to ${to}.${when}`;
  const reason = error ? `\nNot sent yet: ${error}\nSee: rookery doctor` : "";
  return `Queued from ${from} to ${to}; it is sent as soon as the homeserver accepts it.${reason}`;
}
