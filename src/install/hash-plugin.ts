import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";

/**
 * Hash over the name and content of every shipped file. `dist` may be in another folder; its `build.json` is left out,
 * because it contains the hash.
 */
export function hashPlugin(plugin: string, dist: string = join(plugin, "dist")): string {
  const files = [
    ...listFiles(plugin).filter(([name]) => !/^dist[^/]*\//.test(name)),
    ...listFiles(dist).map(([name, path]): [string, string] => [`dist/${name}`, path]),
  ].filter(([name]) => name !== "dist/build.json");
  const hash = createHash("sha256");
  for (const [name, path] of files.toSorted(([a], [b]) => (a < b ? -1 : 1)))
    hash.update(`${name}\0`).update(createHash("sha256").update(readFileSync(path)).digest());
  return hash.digest("hex").slice(0, 16);
}

function listFiles(folder: string): [name: string, path: string][] {
  return (
    readdirSync(folder, { recursive: true, withFileTypes: true })
      // File managers create this file in every folder they show.
      .filter((entry) => entry.isFile() && entry.name !== ".DS_Store")
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [relative(folder, path).replaceAll(sep, "/"), path])
  );
}
