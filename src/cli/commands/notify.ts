import { callOverTcp } from "../../client/call-over-tcp.ts";
import { askEndpoints } from "../../protocol/endpoints/ask.ts";
import type { Command } from "../command.ts";
import { readChoice } from "../read-flag.ts";

export const notify: Command = {
  summary: "Send the person a notification.",
  usage: '"text" [--level info|warning|error]',
  examples: ['rookery notify "The migration has finished"'],
  options: { level: { type: "string" } },
  optionHelp: { level: "its importance; default info" },
  words: { min: 1, max: 1 },
  async run(context, { flags, words }) {
    const { ROOKERY_AGENT: agent } = context.environment;
    const level = readChoice("--level", flags.level, ["info", "warning", "error"]);
    const body = {
      message: words[0] ?? "",
      cwd: context.cwd,
      ...(level === undefined ? {} : { level }),
      ...(agent ? { agent } : {}),
    };
    const receipt = await callOverTcp(context.home, askEndpoints.notifyPerson, { body });
    if (context.isJson) context.print(JSON.stringify(receipt));
    else
      context.print(
        receipt.isQueued
          ? "Notification queued."
          : "Not sent: no channel is set up. Run rookery setup telegram, rookery setup slack or rookery pair matrix.",
      );
    return 0;
  },
};
