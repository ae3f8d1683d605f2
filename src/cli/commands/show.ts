import { callDaemon } from "../../client/request.ts";
import type { ObservationView } from "../../protocol/memory.ts";
import type { Command } from "../command.ts";
import { fillLines, formatMinute } from "../format.ts";

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
    const { title, text, facts, supersededBy, supersedes } = o;
    const fill = (paragraph: string, first = "", rest = first): string =>
      fillLines(paragraph, context.columns, first, rest);
    const paragraphs = [
      `${fill(title)}\n${o.type} · ${o.project} · ${formatMinute(o.createdAt)} · ${o.id}`,
      text
        .split("\n")
        .map((line) => fill(line))
        .join("\n"),
    ];
    if (facts.length > 0) paragraphs.push(facts.map((fact) => fill(fact, "- ", "  ")).join("\n"));
    const files = [...new Set([...o.filesModified, ...o.filesRead])];
    if (files.length > 0) paragraphs.push(fill(`Files: ${files.join(", ")}`));
    if (o.pinnedAt !== null) paragraphs.push("Pinned: it comes first at the start of every session.");
    if (supersededBy)
      paragraphs.push(
        `Replaced by ${supersededBy.slice(-8)} (${o.supersededBecause}): rookery show ${supersededBy.slice(-8)}`,
      );
    if (supersedes.length > 0)
      paragraphs.push(`Replaces ${supersedes.map((older) => older.slice(-8)).join(", ")}.`);
    paragraphs.push(
      `Session ${o.session ?? "–"}, from ${o.provenance}, about ${o.tokens} tokens. Around it: rookery timeline ${o.id.slice(-8)}`,
    );
    context.print(paragraphs.join("\n\n"));
    return 0;
  },
};
