import { readFileSync } from "node:fs";
import { parseJson } from "./json.ts";

export interface Build {
  version: string;
  /** Hash of the shipped code: two builds of one version can differ. */
  build: string;
  builtAt: number;
}

/** Reads the file that scripts/build.mjs writes next to the bundles; undefined if there is none. */
export function readBuildFile(file: string | URL): Build | undefined {
  try {
    return parseJson(readFileSync(file, "utf8")) as Build;
  } catch {
    return undefined; // Absent or invalid: no build.
  }
}

/** A placeholder if the sources run unbundled. */
export const build: Build = readBuildFile(new URL("./build.json", import.meta.url)) ?? {
  version: "0.0.0-dev",
  build: "dev",
  builtAt: 0,
};

/** True if `a` should replace a running `b`. */
export function isNewerBuild(a: Build, b: Build): boolean {
  const order = compareVersions(a.version, b.version);
  if (order !== 0) return order > 0;
  return a.build !== b.build && a.builtAt > b.builtAt;
}

function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((v) => v.split(/[.-]/).map((part) => Number.parseInt(part, 10) || 0));
  for (let i = 0; i < 3; i++) {
    const difference = (left?.[i] ?? 0) - (right?.[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
