import { existsSync } from "node:fs";
import { join, sep } from "node:path";
import { findCommand } from "../install/find-claude.ts";
import { locateStaged } from "../shared/staged.ts";
import type { CliContext } from "./command.ts";

/** The name or path to type to run this program from the current folder. */
export function nameCommand({ environment, cwd, home, pluginRoot }: CliContext): string {
  if (findCommand("rookery", environment.PATH)) return "rookery";
  if (pluginRoot === join(cwd, "plugin") && existsSync(join(cwd, "bin", "rookery"))) return "bin/rookery";
  // The path in npm's cache changes with every version, and npm may empty it.
  if (pluginRoot.includes(`${sep}_npx${sep}`)) return "npx rookery";
  const staged = join(locateStaged(home.app), "bin", "rookery");
  return existsSync(staged) ? staged : join(pluginRoot, "bin", "rookery");
}
