import { callEndpoint } from "../../client/request.ts";
import { memoryEndpoints } from "../../protocol/endpoints/memory.ts";
import { memoryTypes } from "../../protocol/memory-kinds.ts";
import type { Command } from "../command.ts";
import { readChoice, readProject, readText } from "../read-flag.ts";

export const save: Command = {
  summary: "Save a note.",
  usage: '"text" [--type TYPE] [--title TITLE] [--project NAME]',
  examples: ['rookery save "We deploy only from tags v*." --type decision'],
  options: { type: { type: "string" }, title: { type: "string" }, project: { type: "string" } },
  optionHelp: {
    type: `${memoryTypes.join(", ")}; default discovery`,
    title: "default: its first sentence",
    project: "name or folder; default here",
  },
  words: { min: 1, max: 1 },
  async run(context, { flags, words }) {
    const title = readText(flags.title);
    const type = readChoice("--type", flags.type, memoryTypes);
    const body = {
      project: readProject(context.cwd, flags.project) ?? context.cwd,
      text: words[0] ?? "",
      ...(type ? { type } : {}),
      ...(title ? { title } : {}),
    };
    const kept = await callEndpoint(context.address, memoryEndpoints.saveNote, { body });
    context.print(
      context.isJson
        ? JSON.stringify(kept)
        : `Saved in ${kept.project} as ${kept.id.slice(-8)}. Undo: rookery forget ${kept.id.slice(-8)}`,
    );
    return 0;
  },
};
