import { truncate } from "../../shared/text.ts";
const maxLetters = 200;
/** The field that tells a reader most, by what tools call it. */
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

/** What a tool was used on, in one line: the file, the command, what was looked for. */
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

/** One line of a text, cut to size. */
export function toLine(text: string, most = maxLetters): string {
  const flat = text
    .slice(0, most * 4)
    .replace(/\s+/g, " ")
    .trim();
  return truncate(flat, most);
}
