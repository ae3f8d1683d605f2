import { asText } from "../fields.ts";

/** The command of a call: a text, or words that begin with the shell and its options. */
export function readCommand(command: unknown): string {
  if (!Array.isArray(command)) return asText(command) ?? "";
  const words = command.map((word) => asText(word) ?? "");
  const isShell = words.length === 3 && /^-l?c$/.test(words[1] ?? "");
  return isShell ? (words[2] ?? "") : words.join(" ");
}
