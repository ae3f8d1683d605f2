import { callOverTcp } from "../../client/call-over-tcp.ts";
import { reachEndpoints } from "../../protocol/endpoints/reach.ts";
import { describeNewPresence } from "../../protocol/reach.ts";
import type { CliContext, Command } from "../command.ts";

export const away: Command = {
  summary: "Set yourself as away: questions and notifications go to your channels until you are back.",
  usage: "",
  examples: ["rookery away"],
  run: (context) => setPresence(context, "away"),
};

export const here: Command = {
  summary: "Set yourself as here: notifications are held until you leave, for at most an hour.",
  usage: "[--auto]",
  examples: ["rookery here", "rookery here --auto"],
  options: { auto: { type: "boolean" } },
  optionHelp: { auto: "detect your presence automatically again" },
  run: (context, { flags }) => setPresence(context, flags.auto ? "auto" : "here"),
};

async function setPresence(context: CliContext, state: "here" | "away" | "auto"): Promise<number> {
  const view = await callOverTcp(context.home, reachEndpoints.setPresence, { body: { state } });
  context.print(context.isJson ? JSON.stringify(view, null, 2) : describeNewPresence(view));
  return 0;
}
