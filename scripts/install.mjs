// Installs what `npm start` and `npm test` need. Plain JavaScript for Node 18: it runs before the pinned Node is installed.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fail, root } from "./run.mjs";

/** Rookery's own dependencies. */
export function installPackages() {
  return installOnce(root, "Rookery's dependencies (half a minute, once)");
}

/**
 * The programs that the tests use: the Claude Code and Codex CLIs, the MCP inspector, a Slack emulator, Matrix clients, Playwright
 * and axe (tests/tools), with `isLong` the CLIs of other hosts and a package registry (tests/tools-long); tmux and Chromium from the system's packages.
 */
export function installTestTools(isLong) {
  const tools = [["tools", "the programs that the tests drive: Claude Code, Codex, Playwright, …"]];
  if (isLong)
    tools.push(["tools-long", "the programs that the long tests drive: Copilot, Gemini CLI, a registry, …"]);
  const installs = tools.map(([folder, what]) => installOnce(join(root, "tests", folder), what));
  return Promise.all([...installs, installSystemPackages(["tmux", "chromium"])]);
}

/**
 * Installs the packages of the lockfile, once per lockfile: a stamp file names the installed one. Uses `npm install`, because the
 * lockfile may lack packages for other platforms, which `npm ci` refuses to add.
 */
async function installOnce(folder, what) {
  const lock = createHash("sha256")
    .update(readFileSync(join(folder, "package-lock.json")))
    .digest("hex");
  const stamp = join(folder, "node_modules", ".rookery-installed");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return;
  console.log(`Installing ${what} …`);
  // Suppresses npm's warning that the machine's Node is too old for some packages: they run on the pinned one.
  const quiet = ["--no-save", "--no-audit", "--no-fund", "--loglevel=error"];
  await runProgram("npm", ["install", ...quiet], { cwd: folder, shell: process.platform === "win32" });
  mkdirSync(join(folder, "node_modules"), { recursive: true });
  writeFileSync(stamp, lock);
}

async function installSystemPackages(names) {
  const missing = names.filter((name) => !isOnPath(name));
  if (missing.length === 0) return;
  console.log(`Installing ${missing.join(" and ")} for the tests …`);
  const canInstall = process.getuid?.() === 0 && isOnPath("apt-get");
  if (!canInstall) fail(`The tests drive ${missing.join(" and ")}: please install what is missing.`);
  await runProgram("apt-get", ["update", "-qq"]);
  await runProgram("apt-get", ["install", "-y", "-qq", ...missing]);
}

/** With the machine's PATH: the pinned Node may be half installed at this moment. */
function runProgram(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: "inherit", ...options });
    child.on("error", (error) => fail(`${command}: ${error.message}`));
    child.on("exit", (status) => (status === 0 ? resolve() : process.exit(status ?? 1)));
  });
}

function isOnPath(name) {
  return spawnSync("sh", ["-c", `command -v ${name}`], { stdio: "ignore" }).status === 0;
}
