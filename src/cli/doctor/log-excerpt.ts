import { existsSync, readFileSync } from "node:fs";
import { tryParseJson } from "../../shared/json.ts";

/** Fields whose values we define; all others may contain the user's names or paths. */
const plainFields = new Set([
  "id",
  "event",
  "code",
  "reason",
  "kind",
  "state",
  "channel",
  "via",
  "by",
  "signal",
  "node",
  "version",
  "build",
]);
const stackLines = 4;

/** The last lines of the log, reduced to what is useful for debugging, without text that a person wrote. */
export function excerptLog(path: string, lines: number): string[] {
  const text = [`${path}.1`, path]
    .map((file) => (existsSync(file) ? readFileSync(file, "utf8") : ""))
    .join("");
  return text.split("\n").filter(Boolean).slice(-lines).map(excerptLine);
}

export function excerptLine(line: string): string {
  const entry = tryParseJson(line) as Record<string, unknown> | undefined;
  if (entry === undefined) return "(incomplete line)";
  const { at, level, message, ...fields } = entry;
  const rest = Object.entries(fields).map(([name, value]) => `${name}=${excerptValue(name, value)}`);
  return [String(at), String(level), withoutQuotes(String(message)), ...rest].join(" ");
}

function excerptValue(name: string, value: unknown): string {
  if (typeof value === "number" || typeof value === "boolean" || value === null) return String(value);
  if (name === "error" || name === "cause") return excerptError(value);
  if (typeof value === "string" && plainFields.has(name)) return withoutQuotes(value);
  return "(left out)";
}

interface LoggedError {
  name?: string;
  message?: string;
  stack?: string;
  cause?: unknown;
}

function excerptError(value: unknown): string {
  const { name = "Error", message = "", stack, cause } = (value ?? {}) as LoggedError;
  const frames = (stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  const text = `${name}: ${withoutQuotes(message)}`;
  const why = cause === undefined ? "" : ` because ${excerptError(cause)}`;
  return [text, ...frames.slice(0, stackLines).map((line) => line.trim())].join(" | ") + why;
}

/** Parsers and shells quote their input in error messages. */
function withoutQuotes(text: string): string {
  return text.replace(/(["'`])(?:(?!\1).)*\1/gs, "$1…$1").slice(0, 500);
}
