import picomatch from "picomatch";
import type { ToolCall } from "./payload-rules.ts";

/** Files that must not be captured: their content in tool calls is dropped, and only the metadata is kept. */
export interface Exclusion {
  /** Whether a tool call concerns such a file, judged by its paths and the words of its command. */
  matches(call: Pick<ToolCall, "paths" | "command">): boolean;
}

const placeholder = "[excluded]";
/** Fields that identify the call without revealing its content. */
const frameFields = new Set([
  "session_id",
  "transcript_path",
  "cwd",
  "hook_event_name",
  "prompt_id",
  "permission_mode",
  "agent_id",
  "agent_type",
  "tool_name",
  "tool_use_id",
  "duration_ms",
]);

/** A pattern without a leading slash matches in any folder: `.env`, `secrets/**`. */
export function makeExclusion(patterns: readonly string[]): Exclusion {
  if (patterns.length === 0) return { matches: () => false };
  const anywhere = patterns.map((pattern) =>
    /^(?:\/|\*\*|[A-Za-z]:)/.test(pattern) ? pattern : `**/${pattern}`,
  );
  const matches = picomatch(anywhere, { dot: true, nocase: true });
  const isExcluded = (path: string): boolean =>
    matches(path.replaceAll("\\", "/").replace(/^(?:\.{1,2}\/)+/, ""));
  return {
    matches: ({ paths, command = "" }) =>
      paths.some(isExcluded) || command.split(shellBreak).some((word) => word !== "" && isExcluded(word)),
  };
}

/** Separators of words in a command line, so that `cat ./.env>x` names both files. */
const shellBreak = /[\s"'`=<>|;&()]+/;

/** The storable part of a hook payload that concerns an excluded file. */
export function removeContent<Payload extends object>(
  payload: Payload & { tool_input?: unknown },
  call: Pick<ToolCall, "paths">,
): Payload {
  const frame = Object.entries(payload).filter(([field]) => frameFields.has(field));
  return {
    ...Object.fromEntries(frame),
    tool_input: keepFileNames(payload.tool_input, call),
    tool_response: placeholder,
  } as Payload;
}

/** Keeps file names if the input has any, but never the command, which may contain file content. */
export function keepFileNames(
  toolInput: unknown,
  { paths }: Pick<ToolCall, "paths">,
): Record<string, unknown> {
  const fields = Object.entries(toolInput as object);
  const named = fields.filter(([, value]) => paths.includes(value as string));
  return Object.fromEntries(named.length > 0 ? named : fields.map(([field]) => [field, placeholder]));
}
