import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** What stood in Claude Code's own files before we came, so that leaving restores exactly that. */
export interface Before {
  /** Per file: absent, or its top-level keys. */
  files: Record<string, string[] | null>;
}

type Json = Record<string, unknown>;

export function locateClaudeConfig(configDir: string | undefined, home: string | undefined): string {
  return configDir || join(home || homedir(), ".claude");
}

/** The files that installing a plugin touches. */
function touchedFiles(configDir: string): string[] {
  return [
    "settings.json",
    join("plugins", "known_marketplaces.json"),
    join("plugins", "installed_plugins.json"),
  ].map((file) => join(configDir, file));
}

export function recordBefore(configDir: string): Before {
  const entries = touchedFiles(configDir).map((file): [string, string[] | null] => {
    const content = readJson(file);
    return [file, content === undefined ? null : Object.keys(content)];
  });
  return { files: Object.fromEntries(entries) };
}

/**
 * `claude plugin uninstall` leaves empty containers behind. Removes those that were not there before us,
 * and only while they are empty: whatever anybody else put in stays.
 */
export function removeTraces(before: Before): void {
  for (const [file, keys] of Object.entries(before.files)) {
    const content = readJson(file);
    if (content === undefined) continue;
    const kept = Object.fromEntries(
      Object.entries(content).filter(([key, value]) => keys?.includes(key) || !isEmptyObject(value)),
    );
    const isOnlyVersion = Object.keys(kept).every((key) => key === "version");
    if (keys === null && isOnlyVersion) rmSync(file, { force: true });
    else if (Object.keys(kept).length < Object.keys(content).length)
      writeFileSync(file, `${JSON.stringify(kept, null, 2)}\n`);
  }
}

function isEmptyObject(value: unknown): boolean {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length === 0
  );
}

/** Undefined if it is absent or not ours to understand: then it is left alone. */
function readJson(file: string): Json | undefined {
  if (!existsSync(file)) return undefined;
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
  } catch {
    return undefined;
  }
}
