import { build } from "../../shared/build.ts";
import type { Command } from "../command.ts";
import { describeHelp, formatHelp, formatOverview, isTopLevel, readCommandList } from "../help.ts";
import { parseCommandLine } from "../parse-command-line.ts";

export const help: Command = {
  summary: "Show the help of a command, or list all commands.",
  usage: "[COMMAND]",
  examples: ["rookery help", "rookery help search", "rookery help setup slack"],
  words: { min: 0, max: 2 },
  async run(context, { words }) {
    const { commands, columns, isJson, print } = context;
    if (words.length === 0) {
      const listed = readCommandList(context);
      print(
        isJson
          ? JSON.stringify({ version: build.version, commands: listed.filter(isTopLevel) }, null, 2)
          : formatOverview(listed, build.version, columns),
      );
      return 0;
    }
    const { name, command } = await parseCommandLine(commands, [...words, "--help"]);
    const view = describeHelp(name, command);
    print(isJson ? JSON.stringify(view, null, 2) : formatHelp(view, columns));
    return 0;
  },
};
