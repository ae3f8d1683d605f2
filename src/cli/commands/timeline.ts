import { callEndpoint } from "../../client/request.ts";
import { memoryEndpoints } from "../../protocol/endpoints/memory.ts";
import type { MemoryItem, NoteView } from "../../protocol/memory.ts";
import type { Command } from "../command.ts";
import { formatMinute, formatTable } from "../format.ts";
import { readCount } from "../read-flag.ts";

export const timeline: Command = {
  summary: "Show the notes of a project just before and after something in memory.",
  usage: "ID [--count N]",
  examples: ["rookery timeline 4f2a9c1e"],
  options: { count: { type: "string" } },
  optionHelp: { count: "how many on each side (5)" },
  completes: { "": "ids" },
  words: { min: 1, max: 1 },
  async run(context, { flags, words }) {
    const query = { around: words[0] ?? "", limit: readCount("--count", flags.count, 5) };
    const view = await callEndpoint(context.address, memoryEndpoints.getTimeline, { query });
    if (context.isJson) {
      context.print(JSON.stringify(view, null, 2));
      return 0;
    }
    const row = (o: NoteView | MemoryItem): string[] => [
      o.id === view.at.id ? "▶" : "",
      o.id.slice(-8),
      formatMinute(o.createdAt),
      o.type ?? view.at.kind,
      o.title,
    ];
    context.print(
      formatTable(
        ["", "Id", "When", "Type", "Title"],
        [...view.before, view.at, ...view.after].map(row),
        context.columns,
      ),
    );
    if (view.chain.length > 0) {
      const link = (o: NoteView): string[] => [
        o.supersededBy === null ? "now" : "↓",
        o.id.slice(-8),
        formatMinute(o.createdAt),
        o.supersededBecause ?? "holds",
        o.title,
      ];
      context.print(`\nNewer replaces older:`);
      context.print(
        formatTable(["", "Id", "When", "Because", "Title"], view.chain.map(link), context.columns),
      );
    }
    return 0;
  },
};
