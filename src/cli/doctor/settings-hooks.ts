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

/** Our script, whatever folder it lies in, with an event's name after it. */
const ours =
  /((?:[A-Za-z]:)?[^\s"']*[\\/](?:hooks[\\/]hook\.sh|dist[\\/]hook-leaf\.js))["']?\s+["']?([A-Za-z]+)/;

/** Files that are absent or cannot be read hold none: Claude Code itself complains of those. */
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
