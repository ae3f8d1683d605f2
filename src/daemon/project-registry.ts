import { createHash } from "node:crypto";
import { closeSync, existsSync, openSync, readSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { makeId } from "../shared/ids.ts";
import type { Store } from "../store/open-store.ts";
import type { ProjectRow } from "../store/projects.ts";

/** Gives a project's folder its row, and finds a repository again that was moved. */
export function findOrCreateProject(store: Store, path: string, nowMs: number): ProjectRow {
  const known = store.projects.byPath(path);
  if (known) return known;
  const name = nameOf(path);
  const fingerprint = fingerprintOf(path);
  const moved =
    fingerprint && store.projects.byFingerprint(fingerprint).find((candidate) => !existsSync(candidate.path));
  if (moved) {
    store.projects.relocate(moved, path, name);
    return { ...moved, path, name };
  }
  const project: ProjectRow = {
    id: makeId(nowMs),
    path,
    name,
    fingerprint: fingerprint ?? null,
    mode: "on",
    createdAt: nowMs,
  };
  store.projects.insert(project);
  return project;
}

function nameOf(path: string): string {
  const name = basename(path);
  return (name === ".git" ? basename(dirname(path)) : name.replace(/\.git$/, "")) || "project";
}

/** The first line of a clone's own log of HEAD: when and from where it began. A move keeps it, a new clone does not. */
function fingerprintOf(path: string): string | undefined {
  try {
    const fd = openSync(join(path, "logs", "HEAD"), "r");
    const buffer = Buffer.alloc(1024);
    const read = readSync(fd, buffer, 0, buffer.length, 0);
    closeSync(fd);
    const line = buffer.subarray(0, read).toString("utf8").split("\n")[0] ?? "";
    return line ? createHash("sha256").update(line).digest("hex") : undefined;
  } catch {
    return undefined; // No git, or no commit yet: the folder's name is all there is.
  }
}
