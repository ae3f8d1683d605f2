import { join } from "node:path";
import type { FolderFilesView } from "../../protocol/care.ts";
import type { FolderFileTable } from "../../store/folder-files.ts";
import type { ProjectTable } from "../../store/projects.ts";
import { locateCheckout } from "../identity/project.ts";

/** Files with sections by project, for projects that still have a checkout. */
export function listFolderFiles(table: FolderFileTable, names: Pick<ProjectTable, "byId">): FolderFilesView {
  const projects = table.projects().flatMap((id) => {
    const ours = table.ofProject(id);
    const root = ours.map((file) => file.root).find((each) => locateCheckout(each) !== undefined);
    const files = ours.map((file) => join(file.root, file.path, "CLAUDE.md"));
    return root === undefined ? [] : [{ project: names.byId(id)?.name ?? "", root, files }];
  });
  return { projects };
}
