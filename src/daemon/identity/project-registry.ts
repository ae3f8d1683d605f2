import { hash } from "node:crypto";
import { closeSync, existsSync, readSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { makeId } from "../../shared/ids.ts";
import type { Store } from "../../store/open-store.ts";
import type { ProjectRow } from "../../store/projects.ts";
import { openRegularSync } from "../../shared/regular-file.ts";
import { projectName } from "./project.ts";

/** Finds or creates the row of a project's folder, and recognises a repository that was moved. */
export function findOrCreateProject(store: Store, path: string, nowMs: number): ProjectRow {
  const here = store.projects.byPath(path);
  if (here) return here;
  const name = nameOf(path);
  const fingerprint = fingerprintOf(path);
  const moved =
    fingerprint && store.projects.byFingerprint(fingerprint).find((candidate) => !existsSync(candidate.path));
  const known = moved || store.projects.byPath(nameOnlyPath(name));
  if (known) {
    store.projects.relocate(known, path, name);
    return { ...known, path, name };
  }
  const project: ProjectRow = {
    id: makeId(nowMs),
    path,
    name,
    fingerprint: fingerprint ?? null,
    mode: "on",
    leases: "warn",
    createdAt: nowMs,
  };
  store.projects.insert(project);
  return project;
}

/** Placeholder path of a project that is known by name only, until a folder of that name is found. */
export function nameOnlyPath(name: string): string {
  return `name:${name}`;
}

function nameOf(path: string): string {
  return path.startsWith("name:") ? path.slice("name:".length) : projectName(path);
}

/**
 * The first line of a clone's own log of HEAD: when and from where it was created. A move keeps it, a new clone does
 * not.
 */
function fingerprintOf(path: string): string | undefined {
  try {
    const log = join(path, "logs", "HEAD");
    if (realpathSync(log) !== log) return undefined; // A link to another repository's log proves nothing.
    const line = readStart(log).split("\n")[0];
    return line ? hash("sha256", line) : undefined;
  } catch {
    return undefined; // No git, or no commit yet: the folder's name is the only identity.
  }
}

function readStart(path: string): string {
  const file = openRegularSync(path);
  if (!file) return "";
  try {
    const buffer = Buffer.alloc(1024);
    return buffer.toString("utf8", 0, readSync(file.fd, buffer, 0, buffer.length, 0));
  } finally {
    closeSync(file.fd);
  }
}
