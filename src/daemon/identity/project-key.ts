import { normaliseRemote } from "../../domain/hub/project-key.ts";
import type { ProjectRow } from "../../store/projects.ts";
import type { Git } from "./git.ts";
import { folderOf } from "./project.ts";

/** Proposes the identity that all checkouts of a project share: its remote. Undefined without a repository or remote. */
export async function readProjectKey(
  git: Git,
  { path }: Pick<ProjectRow, "path">,
): Promise<string | undefined> {
  const remote = await git(folderOf(path), ["config", "--get", "remote.origin.url"]).catch(() => ""); // No repository, or no remote.
  return normaliseRemote(remote);
}
