import { existsSync, readFileSync } from "node:fs";
import { parseJson } from "../../shared/json.ts";

/** A hook in one of Claude Code's settings files that runs our script. */
export interface SettingsHook {
  file: string;
  event: string;
  script: string;
  /** `bash` with the script as an argument: a host that ignores `args` starts a bash that executes the payload. */
  runsPayload: boolean;
}

interface Handler {
  command?: unknown;
  args?: unknown;
}

/** Our script in any folder, followed by an event name. */
const ours =
  /((?:[A-Za-z]:)?[^\s"']*[\\/](?:hooks[\\/]hook\.sh|dist[\\/]hook-leaf\.js))["']?\s+["']?([A-Za-z]+)/;

/** Absent and unreadable files are skipped: Claude Code reports them itself. */
export function findSettingsHooks(files: readonly string[]): SettingsHook[] {
  return files.flatMap((file) =>
    readHandlers(file).flatMap(({ command, args }) => {
      const words = [command, ...(Array.isArray(args) ? (args as unknown[]) : [])];
      const [, script, event] = ours.exec(words.filter((word) => typeof word === "string").join(" ")) ?? [];
      return script && event ? [{ file, event, script, runsPayload: command === "bash" }] : [];
    }),
  );
}

function readHandlers(file: string): Handler[] {
  if (!existsSync(file)) return [];
  try {
    const { hooks } = parseJson(readFileSync(file, "utf8")) as { hooks?: Record<string, unknown> };
    return Object.values(hooks ?? {})
      .flatMap((entries) => (Array.isArray(entries) ? (entries as { hooks?: unknown }[]) : []))
      .flatMap((entry) => (Array.isArray(entry?.hooks) ? (entry.hooks as Handler[]) : []));
  } catch {
    return [];
  }
}
