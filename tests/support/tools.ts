import { pathToFileURL } from "node:url";
import { join } from "node:path";
import { repository } from "./rookery.ts";

/** Loads a library of tests/tools by its file: these have their own lockfile and are not dependencies of this package. */
export function loadTool(path: string): Promise<any> {
  return import(pathToFileURL(join(repository, "tests", "tools", "node_modules", path)).href);
}
