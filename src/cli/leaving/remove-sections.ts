import { toAppError } from "../../shared/errors.ts";
import type { Running } from "./find-running.ts";
import type { LeavingReport } from "./report.ts";

/** Removes our sections from the CLAUDE.md files of projects, or lists them if they are to stay. */
export async function removeSections(
  { sections, clean }: Running,
  { isWanted, dryRun }: { isWanted: boolean; dryRun: boolean },
  report: LeavingReport,
): Promise<void> {
  for (const { project, root, files } of sections) {
    const what = `sections in ${files.length} CLAUDE.md files of ${project} (${root})`;
    if (!isWanted) {
      report.stays.push(`${what}: rookery folders clean there, or rookery uninstall --folders`);
      continue;
    }
    try {
      const { changes } = dryRun ? { changes: [] } : await clean(root);
      report.removed.push(what);
      for (const { file, did, reason } of changes)
        if (did === "left alone") report.stays.push(`the section in ${file}: ${reason ?? "left alone"}`);
    } catch (thrown) {
      report.failed.push(`${what}: ${toAppError(thrown).message}`);
    }
  }
}
