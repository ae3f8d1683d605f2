import type { ClaudeMemPage, ClaudeMemPosition } from "../../store/claude-mem-reader.ts";
import type { FoundTranscript, TranscriptBeginning } from "../transcripts/find-transcripts.ts";
import type { FileToRead, Piece } from "../transcripts/transcript-reader.ts";
import type { JsonlPage } from "./read-jsonl.ts";

export interface ImportJobs {
  /** The beginnings of transcripts, in the same order. */
  readBeginnings(files: Pick<FoundTranscript, "host" | "path">[]): TranscriptBeginning[];
  /** Starts reading these transcripts; `next` returns the pieces, and an empty list at the end. */
  open(files: FileToRead[]): void;
  next(): Promise<Piece[]>;
  close(): void;
  claudeMem(page: { path: string; place: ClaudeMemPosition | undefined }): ClaudeMemPage;
  jsonl(page: { path: string; fromByte: number }): JsonlPage;
}
