import type { Command } from "../command.ts";
import { makeCompletion, shells } from "../completion.ts";
import { readCommandList } from "../help.ts";

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
  async run(context, { words: [name] }) {
    const { isJson, print } = context;
    const shell = shells.find((known) => known === name) ?? "bash";
    const script = makeCompletion(shell, readCommandList(context));
    print(isJson ? JSON.stringify({ shell, script }) : script);
    return 0;
  },
};
