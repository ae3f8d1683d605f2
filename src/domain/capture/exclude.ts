import picomatch from "picomatch";

/** Which files nothing may be kept of: what a tool read, wrote or said of them is dropped, only the frame stays. */
export interface Exclusion {
  /** Whether a call of a tool concerns such a file, by its input. */
  concerns(toolInput: unknown): boolean;
}

const standIn = "[excluded]";
const pathFields = ["file_path", "notebook_path", "path"] as const;
/** What says which call it was, and nothing of what it was about. */
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

/** A pattern without a leading slash holds in any folder: `.env`, `secrets/**`. */
export function makeExclusion(patterns: readonly string[]): Exclusion {
  if (patterns.length === 0) return { concerns: () => false };
  const anywhere = patterns.map((pattern) =>
    /^(?:\/|\*\*|[A-Za-z]:)/.test(pattern) ? pattern : `**/${pattern}`,
  );
  const matches = picomatch(anywhere, { dot: true, nocase: true });
  const isExcluded = (path: string): boolean =>
    matches(path.replaceAll("\\", "/").replace(/^(?:\.{1,2}\/)+/, ""));
  return {
    concerns(toolInput) {
      if (typeof toolInput !== "object" || toolInput === null) return false;
      const input = toolInput as Record<string, unknown>;
      const { command } = input;
      return (
        pathFields.some((field) => typeof input[field] === "string" && isExcluded(input[field])) ||
        (typeof command === "string" &&
          command.split(shellBreak).some((word) => word !== "" && isExcluded(word)))
      );
    },
  };
}

/** What stands between the words of a command line, so that `cat ./.env>x` names both files. */
const shellBreak = /[\s"'`=<>|;&()]+/;

/** A hook's payload as it may be stored when it concerns an excluded file. */
export function withoutContent<Payload extends object>(payload: Payload & { tool_input?: unknown }): Payload {
  const frame = Object.entries(payload).filter(([field]) => frameFields.has(field));
  return {
    ...Object.fromEntries(frame),
    tool_input: inputFrame(payload.tool_input),
    tool_response: standIn,
  } as Payload;
}

/** The names of the files, where the input has them; never the command, which may hold what is written. */
export function inputFrame(toolInput: unknown): Record<string, unknown> {
  const named = Object.entries(toolInput as object).filter(([field]) =>
    (pathFields as readonly string[]).includes(field),
  );
  return named.length > 0 ? Object.fromEntries(named) : { command: standIn };
}
