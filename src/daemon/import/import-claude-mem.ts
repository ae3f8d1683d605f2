import type { ImportState } from "../../protocol/import.ts";
import type { ClaudeMemPage, ClaudeMemPosition, ClaudeMemRow } from "../../store/claude-mem-reader.ts";
import type { ImportFilesDeps } from "./import-files.ts";
import { makePace } from "../runtime/pace.ts";
import { importClaudeMemRow } from "./import-claude-mem-row.ts";

/**
 * Imports the memory of claude-mem. It has few rows, so it is read from the start each time, and known rows are
 * skipped.
 */
export async function importClaudeMem(
  { store, clock, worker, waitingHooks }: ImportFilesDeps,
  path: string,
  wanted: (row: ClaudeMemRow) => boolean,
  state: ImportState,
  isCancelled: () => boolean,
): Promise<void> {
  const pace = makePace(waitingHooks);
  let place: ClaudeMemPosition | undefined;
  do {
    const page: ClaudeMemPage = await worker.call.claudeMem({ path, place });
    state.damaged += page.empty;
    if (!state.dryRun) await keepAll(page.rows.filter(wanted));
    place = page.next;
  } while (place && !isCancelled());
  if (!state.dryRun) state.filesDone = 1;

  async function keepAll(rows: readonly ClaudeMemRow[]): Promise<void> {
    for (let next = 0; next < rows.length && !isCancelled(); ) {
      await pace.yieldToHooks();
      next = store.db.transaction(() => keepSlice(rows, next));
    }
  }

  function keepSlice(rows: readonly ClaudeMemRow[], first: number): number {
    const until = performance.now() + pace.sliceMs();
    let next = first;
    do importClaudeMemRow(store, rows[next++] as ClaudeMemRow, state, clock());
    while (next < rows.length && performance.now() < until);
    return next;
  }
}
