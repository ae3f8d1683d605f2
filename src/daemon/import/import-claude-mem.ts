import type { ImportState } from "../../protocol/import.ts";
import type { ClaudeMemPage, ClaudeMemPosition, ClaudeMemRow } from "../../store/claude-mem-reader.ts";
import type { ImportFilesDeps } from "./import-files.ts";
import { runInSlices } from "../runtime/run-in-slices.ts";
import { importClaudeMemRow } from "./import-claude-mem-row.ts";

/**
 * Imports the memory of claude-mem. It has few rows, so it is read from the start each time, and known rows are
 * skipped.
 */
export async function importClaudeMem(
  deps: ImportFilesDeps,
  path: string,
  wanted: (row: ClaudeMemRow) => boolean,
  state: ImportState,
  isCancelled: () => boolean,
): Promise<void> {
  const { store, clock, worker } = deps;
  let place: ClaudeMemPosition | undefined;
  do {
    const page: ClaudeMemPage = await worker.call.claudeMem({ path, place });
    state.damaged += page.empty;
    if (!state.dryRun)
      await runInSlices(deps, page.rows.filter(wanted), (row) => {
        if (!isCancelled()) importClaudeMemRow(store, row, state, clock());
      });
    place = page.next;
  } while (place && !isCancelled());
  if (!state.dryRun) state.filesDone = 1;
}
