// Shared by the scripts. Plain JavaScript for Node 18: it runs before the pinned Node is installed.
import { spawnSync } from "node:child_process";
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
