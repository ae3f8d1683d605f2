// Runs everything of `npm test` in order: format, lint, types, dead code, then the test projects.
// With arguments: only `vitest run ARGUMENTS`. `--long` alone: everything, including the slowest tests.
import { run } from "./run.mjs";

const isLong = process.argv[2] === "--long";
if (isLong) process.env.ROOKERY_LONG_TESTS = "1";
const args = process.argv.slice(isLong ? 3 : 2);
const started = Date.now();
const heavyProjects = ["integration", "conformance", "browser", "e2e"];

if (args.length > 0) {
  run("vitest", ["run", ...args]);
} else {
  run("biome", ["format", "."]);
  run("oxlint", ["--type-aware"]);
  run("tsc", ["--noEmit"]);
  run("tsc", ["--noEmit", "-p", "src/viewer"]);
  run("tsc", ["--noEmit", "-p", "tests/browser"]);
  run("knip", []);
  run("vitest", ["run", "--project", "architecture", "--project", "unit", "--project", "fuzz"]);
  run("vitest", ["run", ...heavyProjects.flatMap((name) => ["--project", name])]);
  console.log(`All passed in ${Math.round((Date.now() - started) / 1000)} s.`);
}
