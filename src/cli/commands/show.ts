import { callEndpoint } from "../../client/request.ts";
import { memoryEndpoints } from "../../protocol/endpoints/memory.ts";
import type { ItemsView, MemoryItem, NoteView } from "../../protocol/memory.ts";
import { AppError } from "../../shared/errors.ts";
import type { Command } from "../command.ts";
import { wrapLines, formatMinute } from "../format.ts";

const exitMissing = 4;

export const show: Command = {
  summary: "Show notes, summaries, prompts, questions, messages or sessions in full.",
  usage: "ID…",
  examples: ["rookery show 4f2a9c1e", "rookery show 4f2a9c1e 77d01b3c"],
  completes: { "": "ids" },
  words: { min: 1, max: 20 },
  async run(context, { words }) {
    const query = { ids: words.join(",") };
    const { items, missing } = await callEndpoint(context.address, memoryEndpoints.getItems, { query });
    if (items.length === 0)
      throw new AppError("observation_not_found", missing.map(describeMissing).join(" "));
    if (context.isJson) context.print(JSON.stringify({ items, missing }, null, 2));
    else context.print(items.map((item) => formatItem(item, context.columns)).join("\n\n\n"));
    for (const each of missing) context.printNote(`rookery: ${describeMissing(each)}`);
    return missing.length > 0 ? exitMissing : 0;
  },
};

function describeMissing({ id, reason }: ItemsView["missing"][number]): string {
  return reason === "unknown"
    ? `There is nothing with the id ${id}.`
    : `Several ids end with ${id}: use more characters.`;
}

function formatItem(
  { id, kind, type, title, text, project, session, createdAt, note }: MemoryItem,
  columns: number,
): string {
  const fill = (paragraph: string): string => wrapLines(paragraph, columns, "", "");
  const paragraphs = [
    `${fill(title)}\n${[type ?? kind, project, formatMinute(createdAt), id].filter(Boolean).join(" · ")}`,
    text.split("\n").map(fill).join("\n"),
    ...(note ? describeNote(note, columns) : []),
  ];
  const origin = note
    ? `, ${note.author === null ? "" : `by ${note.author}, `}from ${note.provenance}, about ${note.tokens} tokens`
    : "";
  const around = `Around it: rookery timeline ${kind === "session" ? id : id.slice(-8)}`;
  paragraphs.push(
    kind === "session"
      ? around
      : `Session ${session ?? "–"}${note?.hostLabel ? ` in ${note.hostLabel}` : ""}${origin}. ${around}`,
  );
  return paragraphs.filter(Boolean).join("\n\n");
}

function describeNote(note: NoteView, columns: number): string[] {
  const { facts, supersededBy, supersedes } = note;
  const files = [...new Set([...note.filesModified, ...note.filesRead])];
  const newer = supersededBy?.slice(-8);
  return [
    facts.map((fact) => wrapLines(fact, columns, "- ", "  ")).join("\n"),
    files.length > 0 ? wrapLines(`Files: ${files.join(", ")}`, columns, "", "") : "",
    note.pinnedAt === null ? "" : "Pinned: it comes first at the start of every session.",
    newer ? `Replaced by ${newer} (${note.supersededBecause}): rookery show ${newer}` : "",
    supersedes.length > 0 ? `Replaces ${supersedes.map((older) => older.slice(-8)).join(", ")}.` : "",
  ];
}
