import { callDaemon } from "../../client/request.ts";
import type { ObservationView } from "../../protocol/memory.ts";
import type { Command } from "../command.ts";

export const forget: Command = {
  summary: "Remove an observation, from the store and from search.",
  usage: "ID",
  examples: ["rookery forget 4f2a9c1e"],
  words: { min: 1, max: 1 },
  async run(context, { words }) {
    const path = `/api/observations/${encodeURIComponent(words[0] ?? "")}`;
    const { id, title } = await callDaemon<ObservationView>(context.address, { path });
    await callDaemon(context.address, { method: "DELETE", path: `/api/observations/${id}` });
    context.print(context.isJson ? JSON.stringify({ forgotten: id }) : `Forgotten: ${title}`);
    return 0;
  },
};
