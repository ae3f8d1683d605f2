import { callDaemon } from "../../client/request.ts";
import type { ObservationView } from "../../protocol/memory.ts";
import type { Command } from "../command.ts";

export const show: Command = {
  summary: "One observation in full.",
  usage: "ID",
  examples: ["rookery show 4f2a9c1e"],
  words: { min: 1, max: 1 },
  async run(context, { words }) {
    const path = `/api/observations/${encodeURIComponent(words[0] ?? "")}`;
    const o = await callDaemon<ObservationView>(context.address, { path });
    if (context.isJson) {
      context.print(JSON.stringify(o, null, 2));
      return 0;
    }
    context.print(
      `${o.title}\n${o.type} · ${o.project} · ${new Date(o.createdAt).toLocaleString()} · ${o.id}\n\n${o.text}`,
    );
    if (o.facts.length > 0) context.print(`\n${o.facts.map((fact) => `- ${fact}`).join("\n")}`);
    const files = [...new Set([...o.filesModified, ...o.filesRead])];
    if (files.length > 0) context.print(`\nFiles: ${files.join(", ")}`);
    if (o.supersededBy)
      context.print(
        `\nReplaced by ${o.supersededBy.slice(-8)} (${o.supersededBecause}): rookery show ${o.supersededBy.slice(-8)}`,
      );
    if (o.supersedes.length > 0)
      context.print(`\nReplaces ${o.supersedes.map((older) => older.slice(-8)).join(", ")}.`);
    context.print(
      `\nSession ${o.session ?? "–"}, from ${o.provenance}, about ${o.tokens} tokens. Around it: rookery timeline ${o.id.slice(-8)}`,
    );
    return 0;
  },
};
