import * as z from "zod";

/** `POST /api/questions`: a tool or a command asks; hooks come their own way. */
export const questionCreate = z.strictObject({
  question: z.string().trim().min(1).max(4_000),
  options: z.array(z.string().trim().min(1).max(300)).max(20).default([]),
  multi: z.boolean().default(false),
  context: z.string().max(4_000).optional(),
  urgency: z.enum(["normal", "now"]).default("normal"),
  /** Whose question it is: the host process of a session, or an agent by name. Neither: somebody's in `cwd`. */
  pid: z.number().int().positive().optional(),
  agent: z.string().max(200).optional(),
  cwd: z.string().max(8192).optional(),
  /** Is somebody going to wait for the answer? If not, it goes to the agent's inbox at once when it comes. */
  wait: z.boolean().default(true),
});

/** Who says so. `key` is what whoever asked was given: it lets the asking tool bring the answer of its own dialog. */
const answerer = {
  place: z.enum(["viewer", "cli", "terminal"]).default("viewer"),
  by: z.string().trim().min(1).max(80).default("the user"),
  key: z.string().max(100).optional(),
};

/** `POST /api/questions/:id/answer` */
export const questionAnswer = z.union([
  z.strictObject({
    answers: z
      .array(z.array(z.string().max(20_000)).max(50))
      .min(1)
      .max(20),
    ...answerer,
  }),
  z.strictObject({ allow: z.enum(["once", "session"]), ...answerer }),
  z.strictObject({ deny: z.string().max(20_000), ...answerer }),
]);

/** `POST /api/questions/:id/handed`: whoever asked has the answer, or does not want one any more. */
export const questionHanded = z.strictObject({
  key: z.string().max(100),
  dismissed: z.boolean().default(false),
});

export const noticeCreate = z.strictObject({
  message: z.string().trim().min(1).max(4_000),
  level: z.enum(["info", "warning", "error"]).default("info"),
  pid: z.number().int().positive().optional(),
  agent: z.string().max(200).optional(),
  cwd: z.string().max(8192).optional(),
});

export interface QuestionView {
  id: string;
  kind: "choice" | "permission" | "plan";
  state: "open" | "answered" | "declined" | "expired" | "cancelled";
  /** What became of a verdict that was not given in the terminal. */
  verdict: "sent" | "confirmed" | "overruled" | null;
  headline: string;
  project: string;
  agent: string;
  session: string | null;
  subagent: string | null;
  context: string | null;
  prompts: {
    text: string;
    header: string | null;
    options: { label: string; description: string | null }[];
    isMulti: boolean;
  }[];
  subject: { toolName: string; format: string; text: string; hiddenSecrets: number } | null;
  /** What "allow for session" would add; null where that is not offered. */
  sessionRule: string | null;
  earlier: { answer: string; at: number } | null;
  urgency: "normal" | "now";
  createdAt: number;
  expiresAt: number;
  settledAt: number | null;
  answer: { answers: string[][] } | { allow: "once" | "session" } | { deny: string } | null;
  answerer: { place: string; by: string } | null;
  /** How it ended, in words. */
  outcome: string | null;
}

/** What `POST /api/questions` answers. */
export interface AskedView {
  question: QuestionView;
  key: string;
  /** The person is at the keyboard: a dialog there may be quicker than anything remote. */
  isHere: boolean;
  /** Whether it can be seen anywhere but in the terminal. */
  canReach: boolean;
}
