import type { Subject } from "./question.ts";

/**
 * What a person would consent to, exactly. Characters that cannot be seen are shown by their code: a text that reads
 * otherwise than it runs must not look harmless.
 */
export function describeSubject(
  toolName: string,
  input: Record<string, unknown>,
  hiddenSecrets: number,
): Subject {
  const { format, text } = describe(toolName, input);
  return { toolName, format, text: reveal(text), hiddenSecrets };
}

function describe(toolName: string, input: Record<string, unknown>): Pick<Subject, "format" | "text"> {
  const { command, file_path: path, plan } = input;
  if (toolName === "Bash" && typeof command === "string") return { format: "command", text: command };
  if (toolName === "ExitPlanMode" && typeof plan === "string") return { format: "markdown", text: plan };
  if (toolName === "Edit" && typeof path === "string") return diff(path, [input]);
  if (toolName === "MultiEdit" && typeof path === "string" && Array.isArray(input.edits))
    return diff(path, input.edits as Record<string, unknown>[]);
  if (toolName === "Write" && typeof path === "string")
    return diff(path, [{ old_string: "", new_string: input.content }]);
  if (toolName === "NotebookEdit" && typeof input.notebook_path === "string")
    return diff(input.notebook_path, [{ old_string: "", new_string: input.new_source }]);
  return { format: "json", text: JSON.stringify(input, null, 2) };
}

function diff(path: string, edits: readonly Record<string, unknown>[]): Pick<Subject, "format" | "text"> {
  const blocks = edits.map((edit) => {
    const everywhere = edit.replace_all === true ? ["@@ everywhere @@"] : [];
    return [...everywhere, ...marked("-", edit.old_string), ...marked("+", edit.new_string)].join("\n");
  });
  return { format: "diff", text: [path, ...blocks].join("\n") };
}

function marked(mark: string, text: unknown): string[] {
  return typeof text === "string" && text !== "" ? text.split("\n").map((line) => mark + line) : [];
}

/** Control and format characters, separators of lines that are none, and letters that are blank. */
const unseen = /[^\P{Cc}\t\n]|\p{Cf}|\p{Zl}|\p{Zp}|[\u115F\u1160\u2800\u3164\uFFA0]/gu;

function reveal(text: string): string {
  return text.replace(
    unseen,
    (found) => `[U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}]`,
  );
}
