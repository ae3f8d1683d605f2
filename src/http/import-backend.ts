import type { ImportRequest, ImportState, ImportView } from "../protocol/import.ts";

/** What the import routes need of the daemon. */
export interface ImportBackend {
  /** Begins; throws `import_running` if one runs already. */
  start(request: ImportRequest): ImportState;
  /** The one that runs, else the last one. With a folder of Claude Code also how many transcripts it holds. */
  view(folder: string | undefined): Promise<ImportView>;
  /** Answers when it has ended. What was stored stays. */
  cancel(): Promise<ImportState>;
}
