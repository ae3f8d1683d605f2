import type { ImportRequest, ImportState } from "../../protocol/import.ts";
import { makeExportImporter } from "./export-importer.ts";
import { runInSlices } from "../runtime/run-in-slices.ts";
import type { JsonlPage } from "./read-jsonl.ts";
import type { ImportFilesDeps } from "./import-files.ts";
import { fileSize } from "../../shared/regular-file.ts";

/** Imports an export of this or another Rookery. Reads from the start each time and skips known rows. */
export async function importJsonl(
  deps: ImportFilesDeps,
  { path, project, since, dryRun }: ImportRequest,
  state: ImportState,
  isCancelled: () => boolean,
): Promise<void> {
  state.files = 1;
  state.bytes = fileSize(path);
  const keeper = makeExportImporter(deps.store, { project, since }, state, deps.clock());
  let page: JsonlPage | undefined;
  do {
    page = await deps.worker.call.jsonl({ path, fromByte: page?.nextByte ?? 0 });
    state.damaged += page.damaged;
    if (!dryRun) await runInSlices(deps, page.rows, keeper.add);
    state.bytesDone = page.nextByte;
  } while (!page.isLast && !isCancelled());
  if (!dryRun) state.filesDone = 1;
}
