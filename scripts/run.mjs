// Shared by the scripts. Plain JavaScript for Node 18: it runs before the pinned Node is installed.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));

// The pinned Node and the project's own tools come first, as in an npm script.
const toolPath = `${join(root, "node_modules", ".bin")}${delimiter}${process.env.PATH}`;

/** Runs a command and waits for it; exits if it fails. */
export function run(command, args, options = {}) {
  const env = { ...process.env, PATH: toolPath };
  const { status, error } = spawnSync(command, args, { cwd: root, env, stdio: "inherit", ...options });
  if (error) fail(`${command}: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

export function fail(message) {
  console.error(message);
  process.exit(1);
}

/**
 * Installs the packages of the lockfile, once per lockfile: a stamp file names the installed one. Uses `npm install`, because the
 * lockfile may lack packages for other platforms, which `npm ci` refuses to add.
 */
export function installOnce(folder, what) {
  const lock = createHash("sha256")
    .update(readFileSync(join(folder, "package-lock.json")))
    .digest("hex");
  const stamp = join(folder, "node_modules", ".rookery-installed");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return;
  console.log(`Installing ${what} …`);
  // Suppresses npm's warning that the machine's Node is too old for some packages: they run on the pinned one.
  const quiet = ["--no-save", "--no-audit", "--no-fund", "--loglevel=error"];
  run("npm", ["install", ...quiet], { cwd: folder, shell: process.platform === "win32" });
  mkdirSync(join(folder, "node_modules"), { recursive: true });
  writeFileSync(stamp, lock);
}
