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
 * How certain it is: an edit added this line (`added`); an edit only kept it, so the line is older (`kept`); no recorded
 * edit has it, this is the newest edit of the file (`file`); no edit is recorded, but a note about a change of the file
 * (`note`), as after an import. All but the first are guesses.
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
