import { existsSync } from "node:fs";
import { join } from "node:path";
import { findCommand } from "../install/find-claude.ts";
import type { CliContext } from "./command.ts";

/** The name or path to type to run this program from the current folder. */
export function nameCommand({ environment, cwd, pluginRoot }: CliContext): string {
  if (findCommand("rookery", environment.PATH)) return "rookery";
  const isInClone = pluginRoot === join(cwd, "plugin") && existsSync(join(cwd, "bin", "rookery"));
  return isInClone ? "bin/rookery" : join(pluginRoot, "bin", "rookery");
}
