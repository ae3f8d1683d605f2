import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const fixtures = fileURLToPath(new URL("../fixtures/transcripts/", import.meta.url));

interface RecordedOptions {
  /** Recordings with different marks get different ids; a fork and its trunk share a mark. */
  mark: string;
  cwd: string;
  edit?: (text: string) => string;
}

/** A recorded transcript, rewritten as if it had happened in this folder. */
export function readRecorded(name: string, { mark, cwd, edit = (text) => text }: RecordedOptions): string {
  const text = readFileSync(join(fixtures, `${name}.jsonl`), "utf8");
  return edit(
    text
      .replaceAll("00000000-0000-4000", `${mark.padStart(8, "0")}-0000-4000`)
      .replaceAll("toolu_", `toolu_${mark}_`)
      .replaceAll("/home/sample/project", cwd),
  );
}

export function sessionIdOf(text: string): string {
  return /"sessionId":"([^"]+)"/.exec(text)?.[1] ?? "";
}

/** Writes it to Claude Code's transcript folder and returns the path. */
export function placeTranscript(claudeFolder: string, text: string, sessionId = lastSessionId(text)): string {
  const path = join(claudeFolder, "projects", "-home-sample-project", `${sessionId}.jsonl`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

/** A fork starts with copied lines that have the trunk's id. */
function lastSessionId(text: string): string {
  return [...text.matchAll(/"sessionId":"([^"]+)"/g)].at(-1)?.[1] ?? "";
}
