import { readFileSync } from "node:fs";

export interface Build {
  version: string;
  /** Hash of the shipped code: two builds of one version can differ. */
  build: string;
  builtAt: number;
}

/** Written beside the bundles by scripts/build.mjs; absent when the sources run directly. */
function readBuild(): Build {
  try {
    return JSON.parse(readFileSync(new URL("./build.json", import.meta.url), "utf8")) as Build;
  } catch {
    // No build file means a run from source: nothing is lost by saying so.
    return { version: "0.0.0-dev", build: "dev", builtAt: 0 };
  }
}

export const build: Build = readBuild();

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
