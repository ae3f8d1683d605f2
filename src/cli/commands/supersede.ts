import { callEndpoint } from "../../client/request.ts";
import { memoryEndpoints } from "../../protocol/endpoints/memory.ts";
import { AppError } from "../../shared/errors.ts";
import type { Command } from "../command.ts";

export const supersede: Command = {
  summary: "Mark a note as replaced by a newer one (--undo reverts it).",
  usage: "OLD NEW | OLD --undo",
  examples: ["rookery supersede 4f2a9c1e 77b0d3aa", "rookery supersede 4f2a9c1e --undo"],
  options: { undo: { type: "boolean" } },
  optionHelp: { undo: "the older note is current again" },
  completes: { "": "ids" },
  words: { min: 1, max: 2 },
  async run(context, { flags, words }) {
    const [older = "", newer] = words;
    const isUndo = flags.undo === true;
    if (isUndo === (newer !== undefined))
      throw new AppError(
        "invalid_argument",
        "Usage: rookery supersede OLD NEW, or rookery supersede OLD --undo",
      );
    const note = await callEndpoint(context.address, memoryEndpoints.changeNote, {
      params: { id: older },
      body: { supersededBy: newer ?? null },
    });
    const sentence = isUndo
      ? `Current again: ${note.title}`
      : `Replaced by ${note.supersededBy?.slice(-8)}: ${note.title}. Undo: rookery supersede ${note.id.slice(-8)} --undo`;
    context.print(context.isJson ? JSON.stringify(note, null, 2) : sentence);
    return 0;
  },
};
