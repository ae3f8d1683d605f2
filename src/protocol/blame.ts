import * as z from "zod";

/** `GET /api/blame` */
export const blameRequest = z.strictObject({
  project: z.string().min(1).max(8192),
  /** Absolute, or relative to the project's folder. */
  file: z.string().min(1).max(8192),
  /** The line itself, as it stands in the file; of a very long one its beginning. */
  text: z.string().max(20_000).default(""),
  /** The lines around it that are not empty: they tell one `}` from another. */
  before: z.string().max(20_000).optional(),
  after: z.string().max(20_000).optional(),
});
export type BlameRequest = z.infer<typeof blameRequest>;

/**
 * How sure it is: an edit brought this line in (`added`); it only passed it on, so the line is older (`kept`); no known
 * edit holds it, this is the newest one of the file (`file`); no edit is known, but a note about a change of the file
 * (`note`), as after an import. All but the first are guesses.
 */
export type BlameMatch = "added" | "kept" | "file" | "note";

export interface BlameView {
  /** Relative to its checkout. */
  file: string;
  match: BlameMatch;
  isGuess: boolean;
  tool: string | null;
  at: number;
  project: string;
  session: string;
  agent: string;
  /** Whether a subagent of that session did it. */
  bySubagent: boolean;
  prompt: string | null;
  observations: { id: string; type: string; title: string; text: string }[];
  summary: { request: string; completed: string; learned: string; nextSteps: string } | null;
}
