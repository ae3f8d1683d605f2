import type { ProjectRow } from "../../store/projects.ts";

/** Whether texts of a project may be sent to a remote model. `listed`: names of the only projects, if there are any. */
export function maySendProject({ mode, name }: ProjectRow, listed: readonly string[]): boolean {
  if (mode === "off") return false;
  return listed.includes(name) || (mode === "on" && listed.length === 0);
}
