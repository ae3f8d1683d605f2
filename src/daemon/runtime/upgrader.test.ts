import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Build } from "../../shared/build.ts";
import { locateSourceFile, locateStaged } from "../../shared/staged.ts";
import { findNewerBuild } from "./upgrader.ts";

let folder: string;
let app: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rk-newer-"));
  app = join(folder, "app");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const makeBuild = (version: string, builtAt: number): Build => ({
  version,
  build: `${version}-${builtAt}`,
  builtAt,
});

function put(plugin: string, build: Build | undefined): void {
  if (!build) return;
  mkdirSync(join(plugin, "dist"), { recursive: true });
  writeFileSync(join(plugin, "dist", "build.json"), JSON.stringify(build));
}

const one = makeBuild("1.0.0", 1);
const rebuilt = makeBuild("1.0.0", 2);
const two = makeBuild("2.0.0", 1);

it.each([
  { case: "nothing has changed", running: one, staged: one, source: one, expected: undefined },
  { case: "a newer version was installed", running: one, staged: one, source: two, expected: "source" },
  {
    case: "the same version was built again",
    running: one,
    staged: one,
    source: rebuilt,
    expected: "source",
  },
  { case: "an older version was installed", running: two, staged: two, source: one, expected: undefined },
  {
    case: "an older build was checked out",
    running: rebuilt,
    staged: rebuilt,
    source: one,
    expected: undefined,
  },
  { case: "the package is gone", running: one, staged: one, source: undefined, expected: undefined },
  { case: "sessions have it already, we do not", running: one, staged: two, source: two, expected: "staged" },
  { case: "we have it already, sessions do not", running: two, staged: one, source: two, expected: "source" },
  { case: "nothing is in place", running: one, staged: undefined, source: two, expected: undefined },
])("$case: $expected", ({ running, staged, source, expected }) => {
  const places = { source: join(folder, "package", "plugin"), staged: locateStaged(app) };
  put(places.staged, staged);
  put(places.source, source);
  if (staged) writeFileSync(locateSourceFile(app), `${places.source}\n`);
  expect(findNewerBuild(app, running)).toBe(expected && places[expected as keyof typeof places]);
});
