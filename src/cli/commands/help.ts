import { build } from "../../shared/build.ts";
import type { Command } from "../command.ts";
import { describeHelp, formatHelp, formatOverview } from "../help.ts";
import { readLine } from "../read-line.ts";

export const help: Command = {
  summary: "Show the help of a command, or list all commands.",
  usage: "[COMMAND]",
  examples: ["rookery help", "rookery help search", "rookery help setup slack"],
  words: { min: 0, max: 2 },
  async run({ commands, columns, isJson, print }, { words }) {
    if (words.length === 0) {
      const all = Object.entries(commands).map(async ([name, { load }]) => describeHelp(name, await load()));
      print(
        isJson
          ? JSON.stringify({ version: build.version, commands: await Promise.all(all) }, null, 2)
          : await formatOverview(commands, build.version, columns),
      );
      return 0;
    }
    const { name, command } = await readLine(commands, [...words, "--help"]);
    const view = describeHelp(name, command);
    print(isJson ? JSON.stringify(view, null, 2) : formatHelp(view, columns));
    return 0;
  },
};
