import type { Command } from "../command.ts";
import { makeCompletion, shells } from "../completion.ts";
import { readCommandList } from "../help.ts";

export const completion: Command = {
  summary: "Print a completion script for your shell.",
  usage: "bash|zsh|fish | values SOURCE",
  examples: [
    "source <(rookery completion bash)",
    "rookery completion fish > ~/.config/fish/completions/rookery.fish",
  ],
  actions: {
    bash: "for ~/.bashrc",
    zsh: "for ~/.zshrc, after compinit",
    fish: "for ~/.config/fish/completions",
    values: "used by these scripts: agents, ids, projects, questions or rooms, one per line",
  },
  words: { min: 1, max: 2 },
  async run(context, { words: [name, source] }) {
    const { isJson, print } = context;
    if (name === "values") {
      const { listValues } = await import("../completion-values.ts");
      const values = await listValues(context, source);
      print(isJson ? JSON.stringify(values) : values.join("\n"));
      return 0;
    }
    const shell = shells.find((known) => known === name) ?? "bash";
    const script = makeCompletion(shell, readCommandList(context));
    print(isJson ? JSON.stringify({ shell, script }) : script);
    return 0;
  },
};
