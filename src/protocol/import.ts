import * as z from "zod";

/** `POST /api/import` */
export const importRequest = z.strictObject({
  source: z.enum(["transcripts", "claude-mem", "jsonl"]),
  /** Claude Code's own folder, the database file, or the export. */
  path: z.string().min(1).max(8192),
  project: z.string().max(8192).optional(),
  since: z.number().int().nonnegative().default(0),
  dryRun: z.boolean().default(false),
});
export type ImportRequest = z.infer<typeof importRequest>;

/** How far an import is, or what the last one came to. */
export interface ImportState {
  state: "idle" | "running" | "done" | "cancelled" | "failed";
  source: ImportRequest["source"] | null;
  dryRun: boolean;
  startedAt: number | null;
  endedAt: number | null;
  files: number;
  filesDone: number;
  /** Unchanged since the last import. */
  filesKnown: number;
  /** Of another project than asked for, of one that is off, or our own. */
  filesLeftOut: number;
  bytes: number;
  bytesDone: number;
  sessions: number;
  turns: number;
  /** Already there: from hooks, an earlier import, or another copy of the same session. */
  turnsKnown: number;
  observations: number;
  summaries: number;
  prompts: number;
  /** Lines that could not be read, or rows. */
  damaged: number;
  /** Transcripts that Claude Code is about to delete, and after how many days it does. */
  expiring: number;
  cleanupDays: number;
  error: string | null;
}

/** `GET /api/import` */
export interface ImportView extends ImportState {
  /** Files that were ever imported. */
  imported: number;
  /** Transcripts in the folder that was asked about. */
  found: number | null;
}
