import { pathToFileURL } from "node:url";
import { join } from "node:path";
import { repository } from "./rookery.ts";

/** A library of tests/tools, by its file: they have a lockfile of their own and are none of this package's dependencies. */
export function loadTool(path: string): Promise<any> {
  return import(pathToFileURL(join(repository, "tests", "tools", "node_modules", path)).href);
}
