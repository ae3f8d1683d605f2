import * as z from "zod";
import { time } from "./fields.ts";

export const blameRequest = z.strictObject({
  project: z.string().min(1).max(8192).describe("name or folder of a project"),
  file: z.string().min(1).max(8192).describe("absolute, or relative to the project's folder"),
  text: z.string().max(20_000).default("").describe("the line itself, or its beginning"),
  before: z.string().max(20_000).optional().describe("the non-empty line before it"),
  after: z.string().max(20_000).optional().describe("the non-empty line after it"),
});
export type BlameRequest = z.infer<typeof blameRequest>;

/**
 * The basis of the result. `added`: an edit added this line. `kept`: an edit only kept it, so the line is older. `file`: no
 * recorded edit contains it; this is the latest edit of the file. `note`: no edit is recorded (for example after an
 * import), only a note about a change of the file. All but the first are guesses.
 */
const blameMatch = z.enum(["added", "kept", "file", "note"]);
export type BlameMatch = z.infer<typeof blameMatch>;

export const blameView = z.object({
  /** Relative to its checkout. */
  file: z.string(),
  match: blameMatch,
  isGuess: z.boolean(),
  tool: z.string().nullable(),
  at: time,
  project: z.string(),
  session: z.string(),
  agent: z.string(),
  /** Whether a subagent of that session made the edit. */
  bySubagent: z.boolean(),
  prompt: z.string().nullable(),
  notes: z.array(z.object({ id: z.string(), type: z.string(), title: z.string(), text: z.string() })),
  summary: z
    .object({ request: z.string(), completed: z.string(), learned: z.string(), nextSteps: z.string() })
    .nullable(),
});
export type BlameView = z.infer<typeof blameView>;

export const blameFileRequest = z.strictObject({
  project: z.string().min(1).max(8192).describe("name or folder of a project"),
  file: z
    .string()
    .min(1)
    .max(8192)
    .describe("a file that a session has edited: absolute, or relative to the project's folder"),
});

export const blameFileView = z.object({
  /** Relative to its checkout. */
  file: z.string(),
  /** Secrets are replaced by placeholders. */
  lines: z.array(
    z.object({
      text: z.string(),
      /** Index into `origins`; null if no recorded edit has the line. */
      origin: z.number().nullable(),
      /** An edit only kept the line, so it is older. */
      isGuess: z.boolean(),
    }),
  ),
  origins: z.array(blameView),
  /** The file has more lines. */
  isCut: z.boolean(),
});
export type BlameFileView = z.infer<typeof blameFileView>;

export const editedFilesView = z.object({
  /** Last edit first. */
  files: z.array(z.object({ path: z.string(), edits: z.number(), sessions: z.number(), lastAt: time })),
});
export type EditedFilesView = z.infer<typeof editedFilesView>;
