import { truncate } from "../../shared/text.ts";
const maxLetters = 200;
/** Input fields of tools, the most informative first. */
const informativeFields = [
  "file_path",
  "notebook_path",
  "command",
  "pattern",
  "url",
  "query",
  "description",
  "prompt",
  "path",
];

/** The target of a tool call in one line: a file, a command or a search term. */
export function describeToolInput(input: unknown): string {
  if (typeof input !== "object" || input === null) return "";
  const fields = input as Record<string, unknown>;
  for (const name of informativeFields) {
    const value = fields[name];
    if (typeof value === "string" && value.trim() !== "") return toLine(value);
  }
  const questions = fields.questions as { question?: unknown }[] | undefined;
  const asked = Array.isArray(questions) ? questions[0]?.question : undefined;
  return typeof asked === "string" ? toLine(asked) : "";
}

/** A text as one line, truncated. */
export function toLine(text: string, limit = maxLetters): string {
  const flat = text
    .slice(0, limit * 4)
    .replace(/\s+/g, " ")
    .trim();
  return truncate(flat, limit);
}
