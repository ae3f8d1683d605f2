import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const fixtures = fileURLToPath(new URL("../fixtures/transcripts/", import.meta.url));

export interface RecordedOptions {
  /** Ids of recordings with different marks are different; those of one family (a fork and its trunk) share one. */
  mark: string;
  cwd: string;
  edit?: (text: string) => string;
}

/** A recorded transcript as if it had happened in a folder of ours. */
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

/** Puts it where Claude Code keeps its transcripts, and says where. */
export function placeTranscript(claudeFolder: string, text: string, sessionId = lastSessionId(text)): string {
  const path = join(claudeFolder, "projects", "-home-sample-project", `${sessionId}.jsonl`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

/** A branch begins with copied lines that name the trunk. */
function lastSessionId(text: string): string {
  return [...text.matchAll(/"sessionId":"([^"]+)"/g)].at(-1)?.[1] ?? "";
}
