import * as z from "zod";
import { time } from "./fields.ts";

const importSource = z.enum(["transcripts", "claude-mem", "jsonl"]);

export const importRequest = z.strictObject({
  source: importSource,
  path: z.string().min(1).max(8192).describe("Claude Code's own folder, the database file, or the export"),
  project: z.string().max(8192).optional(),
  since: z.number().int().nonnegative().default(0),
  dryRun: z.boolean().default(false),
});
export type ImportRequest = z.infer<typeof importRequest>;

/** Progress of an import, or the result of the last one. */
export const importState = z.object({
  state: z.enum(["idle", "running", "done", "cancelled", "failed"]),
  source: importSource.nullable(),
  dryRun: z.boolean(),
  startedAt: time.nullable(),
  endedAt: time.nullable(),
  files: z.number(),
  filesDone: z.number(),
  /** Unchanged since the last import. */
  filesKnown: z.number(),
  /** Skipped files: from another project, from a project that is off, or our own. */
  filesLeftOut: z.number(),
  bytes: z.number(),
  bytesDone: z.number(),
  sessions: z.number(),
  turns: z.number(),
  /** Already stored: from hooks, an earlier import, or another copy of the same session. */
  turnsKnown: z.number(),
  notes: z.number(),
  summaries: z.number(),
  prompts: z.number(),
  /** Lines or rows that could not be read. */
  damaged: z.number(),
  /** Transcripts that Claude Code is about to delete, and after how many days it does. */
  expiring: z.number(),
  cleanupDays: z.number(),
  error: z.string().nullable(),
});
export type ImportState = z.infer<typeof importState>;

export const importView = importState.extend({
  /** Files that were ever imported, of all or below the given folder. */
  imported: z.number(),
  /** Transcripts in the given folder. */
  found: z.number().nullable(),
});
export type ImportView = z.infer<typeof importView>;
