// Runs everything of `npm test` in order: format, lint, types, dead code, then the test projects. Installs the programs that the
// tests use: the Claude Code and Codex CLIs, the MCP inspector, a Slack emulator, Matrix clients, Playwright and axe
// (tests/tools), with --long the Copilot CLI (tests/tools-long); tmux and Chromium from the system's packages.
// With arguments: only `vitest run ARGUMENTS`. `--long` alone: everything, including the slowest tests.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fail, installOnce, root, run } from "./run.mjs";

const isLong = process.argv[2] === "--long";
if (isLong) process.env.ROOKERY_LONG_TESTS = "1";
const args = process.argv.slice(isLong ? 3 : 2);
const started = Date.now();
const heavyProjects = ["integration", "conformance", "browser", "e2e"];

if (args.length > 0) {
  installTools();
  run("vitest", ["run", ...args]);
} else {
  run("biome", ["format", "."]);
  run("oxlint", ["--type-aware"]);
  run("tsc", ["--noEmit"]);
  run("tsc", ["--noEmit", "-p", "src/viewer"]);
  run("vitest", ["run", "--project", "architecture", "--project", "unit", "--project", "fuzz"]);
  installTools();
  run("tsc", ["--noEmit", "-p", "tests/browser"]);
  run("knip", []);
  run("vitest", ["run", ...heavyProjects.flatMap((name) => ["--project", name])]);
  console.log(`All passed in ${Math.round((Date.now() - started) / 1000)} s.`);
}

function installTools() {
  installOnce(
    join(root, "tests", "tools"),
    "the programs that the tests drive: Claude Code, Codex, Playwright, …",
  );
  if (isLong)
    installOnce(join(root, "tests", "tools-long"), "the programs that the long tests drive: Copilot");
  const missing = ["tmux", "chromium"].filter((name) => !isOnPath(name));
  if (missing.length === 0) return;
  console.log(`Installing ${missing.join(" and ")} for the tests …`);
  const canInstall = process.getuid?.() === 0 && isOnPath("apt-get");
  if (!canInstall) fail(`The tests drive ${missing.join(" and ")}: please install what is missing.`);
  run("apt-get", ["update", "-qq"]);
  run("apt-get", ["install", "-y", "-qq", ...missing]);
}

function isOnPath(name) {
  return spawnSync("sh", ["-c", `command -v ${name}`], { stdio: "ignore" }).status === 0;
}
