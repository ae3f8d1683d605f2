import { isAbsolute } from "node:path";
import type { Clock } from "../../shared/clock.ts";
import { AppError } from "../../shared/errors.ts";
import { findNearest } from "../../shared/find-nearest.ts";
import type { Store } from "../../store/open-store.ts";
import type { ProjectRow } from "../../store/projects.ts";
import { locateProject } from "./project.ts";
import { findOrCreateProject } from "./project-registry.ts";

/** Resolves a typed id, name or folder to a project. */
interface ProjectFinder {
  /** Several projects may share a name. */
  findAll(text: string): ProjectRow[];
  findOne(text: string): ProjectRow;
  findOrCreate(text: string): ProjectRow;
}

export function makeProjectFinder(store: Store, clock: Clock): ProjectFinder {
  /** By id, name or folder. */
  function findAll(text: string): ProjectRow[] {
    const byId = store.projects.byId(text) ?? store.projects.byPath(text);
    if (byId) return [byId];
    const named = store.projects.named(text);
    if (named.length > 0) return named;
    const located = isAbsolute(text) && store.projects.byPath(locateProject(text).key);
    if (located) return [located];
    const guess = findNearest(
      text,
      store.projects.all().map(({ name }) => name),
    );
    throw new AppError(
      "project_not_found",
      `There is no project ${text}.${guess ? ` Did you mean ${guess}?` : ""}`,
    );
  }

  /** Throws unless exactly one project matches. */
  function findOne(text: string): ProjectRow {
    const [first, ...others] = findAll(text);
    if (others.length > 0) {
      const paths = [first, ...others].map((project) => project?.path).join(", ");
      throw new AppError(
        "invalid_argument",
        `Several projects are called ${text}: name one by its folder (${paths}).`,
      );
    }
    return first as ProjectRow;
  }

  /** A folder resolves to the project that contains it; an unknown name becomes a project of its own. */
  function findOrCreate(text: string): ProjectRow {
    if (store.projects.byPath(text) || store.projects.byId(text) || store.projects.named(text).length > 0)
      return findOne(text);
    return findOrCreateProject(store, isAbsolute(text) ? locateProject(text).key : text, clock());
  }

  return { findAll, findOne, findOrCreate };
}
