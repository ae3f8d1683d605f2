import type {
  CompactState,
  FolderFilesView,
  FoldersReport,
  FoldersRequest,
  ForgetReport,
  ForgetRequest,
} from "../protocol/care.ts";
import type { ExportRequest } from "../protocol/export.ts";

/** What the routes that look after the store need of the daemon. */
export interface CareBackend {
  forget(request: ForgetRequest): Promise<ForgetReport>;
  /** Begins in the background, or tells of the one that runs. */
  compact(): CompactState;
  compactState(): CompactState;
  folders(request: FoldersRequest): Promise<FoldersReport>;
  folderFiles(): FolderFilesView;
  /** Lines, as fast as they are taken. */
  export(request: ExportRequest): AsyncGenerator<string>;
}
