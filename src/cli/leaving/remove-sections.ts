import { callDaemon } from "../../client/request.ts";
import { toAppError } from "../../shared/errors.ts";
import type { CliContext } from "../command.ts";
import type { Running } from "./ask-what-runs.ts";
import type { LeavingReport } from "./report.ts";

/** What we wrote into the CLAUDE.md files of projects: taken out where that is wanted, named where it is not. */
export async function removeSections(
  { address }: CliContext,
  { sections }: Running,
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
      const body = { action: "clean", folder: root, dryRun };
      await callDaemon(address, { method: "POST", path: "/api/folders", body, timeoutMs: 60_000 });
      report.removed.push(what);
    } catch (thrown) {
      report.failed.push(`${what}: ${toAppError(thrown).message}`);
    }
  }
}
