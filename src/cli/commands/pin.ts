import { callEndpoint } from "../../client/request.ts";
import { memoryEndpoints } from "../../protocol/endpoints/memory.ts";
import { AppError } from "../../shared/errors.ts";
import type { Command } from "../command.ts";
import { readProject } from "../read-flag.ts";

export const pin: Command = {
  summary: "Pin a note: it comes first at the start of every session of its project.",
  usage: "ID | ID --undo | --list [--project NAME]",
  examples: [
    "rookery pin 4f2a9c1e",
    "rookery pin 4f2a9c1e --undo",
    "rookery pin --list",
    "rookery pin --list --project orders-api",
  ],
  options: { list: { type: "boolean" }, undo: { type: "boolean" }, project: { type: "string" } },
  optionHelp: {
    list: "list the pinned notes",
    undo: "unpin the note",
    project: "with --list: name or folder; default all",
  },
  completes: { "": "ids", project: "projects" },
  words: { min: 0, max: 1 },
  async run(context, { flags, words }) {
    const [id] = words;
    if ((flags.list === true) === (id !== undefined))
      throw new AppError("invalid_argument", "Usage: rookery pin ID, or rookery pin --list");
    if (id === undefined) {
      const query = { project: readProject(context.cwd, flags.project) };
      const { notes } = await callEndpoint(context.address, memoryEndpoints.listPinnedNotes, { query });
      const lines = notes.map((note) => `${note.id.slice(-8)}  ${note.project}  ${note.type}  ${note.title}`);
      const text = lines.join("\n") || "No pinned notes. Pin one: rookery pin ID";
      context.print(context.isJson ? JSON.stringify(notes, null, 2) : text);
      return 0;
    }
    const note = await callEndpoint(context.address, memoryEndpoints.changeNote, {
      params: { id },
      body: { pinned: flags.undo !== true },
    });
    const sentence =
      note.pinnedAt === null
        ? `Unpinned: ${note.title}`
        : `Pinned: ${note.title}. Undo: rookery pin ${note.id.slice(-8)} --undo`;
    context.print(context.isJson ? JSON.stringify(note, null, 2) : sentence);
    return 0;
  },
};
