import { isAbsolute, relative, sep } from "node:path";
import { makePathPattern, makePhrasePattern } from "../../domain/memory/forget-pattern.ts";
import type { ForgetRequest } from "../../protocol/care.ts";
import type { Clock } from "../../shared/clock.ts";
import { AppError } from "../../shared/errors.ts";
import type { Store } from "../../store/open-store.ts";
import type { ProjectRow } from "../../store/projects.ts";
import type { Document, ForgetTarget } from "../../store/select-forgotten.ts";
import { makeProjectFinder } from "../identity/find-project.ts";
import { folderOf } from "../identity/project.ts";

/** Resolves a request. Throws for an unknown project or note. */
export function makeTargetReader(store: Store, clock: Clock): (request: ForgetRequest) => ForgetTarget {
  const { findOne } = makeProjectFinder(store, clock);

  /** A full id or an unambiguous suffix. */
  function findDocument(id: string): Document {
    const found = store.index.bySuffix(id);
    if (!found[0]) throw new AppError("observation_not_found", `There is no note ${id}.`);
    if (found[1]) throw new AppError("invalid_argument", `${id} matches several items: use more of the id.`);
    return found[0];
  }

  return ({ ids, query, file, project, from, to }) => {
    const where = project === undefined ? undefined : findOne(project);
    if (ids) return { by: "documents", documents: ids.map(findDocument) };
    if (query !== undefined)
      return { by: "words", pattern: makePhrasePattern(query), ...(where ? { project: where } : {}) };
    if (file !== undefined && where) {
      const path = withinProject(file, where);
      return { by: "file", path, pattern: makePathPattern(path), project: where };
    }
    const isWhole = from === undefined && to === undefined;
    const span = { from: from ?? 0, to: Math.min(to ?? Number.MAX_SAFE_INTEGER, clock()), isWhole };
    return { by: "span", ...span, ...(where ? { project: where } : {}) };
  };
}

function withinProject(file: string, { path }: ProjectRow): string {
  if (!isAbsolute(file)) return file.replace(/^\.[\\/]/, "");
  const inside = relative(folderOf(path), file);
  return inside.startsWith("..") ? file : inside.split(sep).join("/");
}
