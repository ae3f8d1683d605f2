import type { Command, CommandTable } from "../command.ts";
import { makeCompletion, shells } from "../completion.ts";
import { describeHelp, type HelpView } from "../help.ts";

export const completion: Command = {
  summary: "Print a completion script for your shell.",
  usage: "bash|zsh|fish",
  examples: [
    "source <(rookery completion bash)",
    "rookery completion fish > ~/.config/fish/completions/rookery.fish",
  ],
  actions: {
    bash: "for ~/.bashrc",
    zsh: "for ~/.zshrc, after compinit",
    fish: "for ~/.config/fish/completions",
  },
  words: { min: 1, max: 1 },
  async run({ commands, isJson, print }, { words: [name] }) {
    const shell = shells.find((known) => known === name) ?? "bash";
    const script = makeCompletion(shell, await describeAll(commands));
    print(isJson ? JSON.stringify({ shell, script }) : script);
    return 0;
  },
};

async function describeAll(table: CommandTable): Promise<HelpView[]> {
  const views = Object.entries(table).map(async ([name, { load }]) => {
    const command = await load();
    const parts = Object.entries(command.parts ?? {});
    return [
      describeHelp(name, command),
      ...parts.map(([part, below]) => describeHelp(`${name} ${part}`, below)),
    ];
  });
  return (await Promise.all(views)).flat();
}
