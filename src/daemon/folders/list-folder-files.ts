import { existsSync } from "node:fs";
import { join } from "node:path";
import type { FolderFilesView } from "../../protocol/care.ts";
import type { FolderFileTable } from "../../store/folder-files.ts";
import type { ProjectTable } from "../../store/projects.ts";

/** Files with sections by project, for projects whose folder still exists. */
export function listFolderFiles(table: FolderFileTable, names: Pick<ProjectTable, "byId">): FolderFilesView {
  const projects = table.projects().flatMap((id) => {
    const ours = table.ofProject(id);
    const root = ours.map((file) => file.root).find((each) => existsSync(each));
    const files = ours.map((file) => join(file.root, file.path, "CLAUDE.md"));
    return root === undefined ? [] : [{ project: names.byId(id)?.name ?? "", root, files }];
  });
  return { projects };
}
