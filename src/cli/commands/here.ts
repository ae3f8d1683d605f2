import type { Command } from "../command.ts";
import { setPresence } from "../presence.ts";

export const here: Command = {
  summary: "Set yourself as here: notifications are held until you leave, for an hour at most.",
  usage: "[--auto]",
  examples: ["rookery here", "rookery here --auto"],
  options: { auto: { type: "boolean" } },
  optionHelp: { auto: "detect your presence automatically again" },
  run: (context, { flags }) => setPresence(context, flags.auto ? "auto" : "here"),
};
