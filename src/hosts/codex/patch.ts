import { isAbsolute, join } from "node:path";
import type { Change } from "../../domain/capture/payload-rules.ts";

/** One file of an `apply_patch` text. */
interface PatchedFile {
  path: string;
  changes: Change[];
}

const header = /^\*\*\* (Add File|Update File|Delete File|Move to): (.+)$/;

/** The same patch with absolute paths: the text names them relative to the session's folder. */
export function resolvePatch(patch: string, cwd: string): string {
  return patch
    .split("\n")
    .map((line) =>
      line.replace(header, (_, act: string, path: string) => `*** ${act}: ${resolve(cwd, path)}`),
    )
    .join("\n");
}

function resolve(cwd: string, path: string): string {
  const name = path.trim();
  return isAbsolute(name) ? name : join(cwd, name);
}

/** The files of a patch and the texts that it replaces. A text that is no patch has none. */
export function readPatch(patch: string): PatchedFile[] {
  const files: PatchedFile[] = [];
  let file: PatchedFile | undefined;
  let hunk = openHunk();

  function closeHunk(): void {
    const { before, after, isNew } = hunk;
    if (file && before.length + after.length > 0)
      file.changes.push({ before: isNew ? "" : before.join("\n"), after: after.join("\n") });
    hunk = openHunk();
  }

  for (const line of patch.split("\n")) {
    const [, act, path = ""] = header.exec(line) ?? [];
    if (act === "Move to" && file) file.path = path.trim();
    else if (act !== undefined) {
      closeHunk();
      file = { path: path.trim(), changes: [] };
      files.push(file);
      hunk.isNew = act === "Add File";
    } else if (line.startsWith("@@") || line.startsWith("***")) closeHunk();
    else if (line.startsWith("+")) hunk.after.push(line.slice(1));
    else if (line.startsWith("-")) hunk.before.push(line.slice(1));
    else if (line.startsWith(" ")) for (const side of [hunk.before, hunk.after]) side.push(line.slice(1));
  }
  closeHunk();
  return files;
}

function openHunk(): { before: string[]; after: string[]; isNew: boolean } {
  return { before: [], after: [], isNew: false };
}

/** A change of a file as the rollout records it. */
export type RecordedChange =
  | { type: "add" | "delete"; path: string; content: string }
  | { type: "update"; path: string; diff: string; movedTo: string | undefined };

/** The patch text for recorded changes, so that hooks and rollouts yield the same input. */
export function formatPatch(changes: readonly RecordedChange[]): string {
  const files = changes.flatMap((change) => {
    if (change.type === "update") {
      const moved = change.movedTo === undefined ? [] : [`*** Move to: ${change.movedTo}`];
      return [`*** Update File: ${change.path}`, ...moved, ...trimEnd(change.diff).split("\n")];
    }
    if (change.type === "delete") return [`*** Delete File: ${change.path}`];
    const lines = trimEnd(change.content).split("\n");
    return [`*** Add File: ${change.path}`, ...lines.map((line) => `+${line}`)];
  });
  return ["*** Begin Patch", ...files, "*** End Patch"].join("\n");
}

function trimEnd(text: string): string {
  return text.endsWith("\n") ? text.slice(0, -1) : text;
}
