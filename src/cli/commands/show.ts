import { callEndpoint } from "../../client/request.ts";
import { memoryEndpoints } from "../../protocol/endpoints/memory.ts";
import type { Command } from "../command.ts";
import { fillLines, formatMinute } from "../format.ts";

export const show: Command = {
  summary: "Show a note in full.",
  usage: "ID",
  examples: ["rookery show 4f2a9c1e"],
  words: { min: 1, max: 1 },
  async run(context, { words }) {
    const call = { params: { id: words[0] ?? "" } };
    const note = await callEndpoint(context.address, memoryEndpoints.getNote, call);
    if (context.isJson) {
      context.print(JSON.stringify(note, null, 2));
      return 0;
    }
    const { title, text, facts, supersededBy, supersedes } = note;
    const fill = (paragraph: string, first = "", rest = first): string =>
      fillLines(paragraph, context.columns, first, rest);
    const paragraphs = [
      `${fill(title)}\n${note.type} · ${note.project} · ${formatMinute(note.createdAt)} · ${note.id}`,
      text
        .split("\n")
        .map((line) => fill(line))
        .join("\n"),
    ];
    if (facts.length > 0) paragraphs.push(facts.map((fact) => fill(fact, "- ", "  ")).join("\n"));
    const files = [...new Set([...note.filesModified, ...note.filesRead])];
    if (files.length > 0) paragraphs.push(fill(`Files: ${files.join(", ")}`));
    if (note.pinnedAt !== null) paragraphs.push("Pinned: it comes first at the start of every session.");
    if (supersededBy)
      paragraphs.push(
        `Replaced by ${supersededBy.slice(-8)} (${note.supersededBecause}): rookery show ${supersededBy.slice(-8)}`,
      );
    if (supersedes.length > 0)
      paragraphs.push(`Replaces ${supersedes.map((older) => older.slice(-8)).join(", ")}.`);
    paragraphs.push(
      `Session ${note.session ?? "–"}, from ${note.provenance}, about ${note.tokens} tokens. Around it: rookery timeline ${note.id.slice(-8)}`,
    );
    context.print(paragraphs.join("\n\n"));
    return 0;
  },
};
