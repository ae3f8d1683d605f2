import { callDaemon } from "../../client/request.ts";
import type { ObservationView } from "../../protocol/memory.ts";
import { AppError } from "../../shared/errors.ts";
import type { Command } from "../command.ts";

export const supersede: Command = {
  summary: "Say that a newer note takes an older one's place; with --undo, that the older one holds again.",
  usage: "OLD NEW | OLD --undo",
  examples: ["rookery supersede 4f2a9c1e 77b0d3aa", "rookery supersede 4f2a9c1e --undo"],
  options: { undo: { type: "boolean" } },
  optionHelp: { undo: "the older one holds again" },
  words: { min: 1, max: 2 },
  async run(context, { flags, words }) {
    const [older = "", newer] = words;
    const isUndo = flags.undo === true;
    if (isUndo === (newer !== undefined))
      throw new AppError(
        "invalid_argument",
        "Usage: rookery supersede OLD NEW, or rookery supersede OLD --undo",
      );
    const o = await callDaemon<ObservationView>(context.address, {
      method: "PATCH",
      path: `/api/observations/${encodeURIComponent(older)}`,
      body: { supersededBy: newer ?? null },
    });
    const said = isUndo
      ? `Holds again: ${o.title}`
      : `Replaced by ${o.supersededBy?.slice(-8)}: ${o.title}. Undo: rookery supersede ${o.id.slice(-8)} --undo`;
    context.print(context.isJson ? JSON.stringify(o, null, 2) : said);
    return 0;
  },
};
