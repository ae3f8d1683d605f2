// Everything `npm test` runs, in order: format, lint, types, dead code, then the test projects. Installs what they
// drive: the Claude Code CLI, the MCP inspector, a Slack emulator and Matrix clients (tests/tools), and tmux from the system's
// packages.
// With arguments: only `vitest run ARGUMENTS`.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fail, installOnce, root, run } from "./run.mjs";

const args = process.argv.slice(2);
const started = Date.now();

if (args.length > 0) {
  installTools();
  run("vitest", ["run", ...args]);
} else {
  run("biome", ["format", "."]);
  run("oxlint", ["--type-aware"]);
  run("tsc", ["--noEmit"]);
  run("knip", []);
  run("vitest", ["run", "--project", "architecture", "--project", "unit"]);
  installTools();
  run("vitest", ["run", "--project", "integration", "--project", "conformance", "--project", "e2e"]);
  console.log(`All passed in ${Math.round((Date.now() - started) / 1000)} s.`);
}

function installTools() {
  installOnce(
    join(root, "tests", "tools"),
    "the Claude Code CLI, the MCP inspector, a Slack emulator and Matrix clients for the tests",
  );
  if (spawnSync("tmux", ["-V"]).status === 0) return;
  console.log("Installing tmux for the tests …");
  const canInstall = process.getuid?.() === 0 && spawnSync("apt-get", ["--version"]).status === 0;
  if (!canInstall) fail("The tests drive tmux: please install it.");
  run("apt-get", ["update", "-qq"]);
  run("apt-get", ["install", "-y", "-qq", "tmux"]);
}
