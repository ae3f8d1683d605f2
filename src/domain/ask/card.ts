import type { Asker, Prompt, QuestionKind, SessionRule, Subject } from "./question.ts";

/**
 * A question as a channel shows it: everything in it is redacted and safe to leave the machine, nothing in it is markup.
 * How it is drawn, and what goes up as a file because it is long, is the channel's business.
 */
export interface Card {
  questionId: string;
  /** Single-use, bound to this question, this channel and the exact input; buttons carry it back. */
  ticket: string;
  kind: QuestionKind;
  /** One line, also the push preview: never holds the input itself. */
  headline: string;
  asker: Asker;
  /** Why it is asked, in the agent's words. */
  context: string | null;
  prompts: Prompt[];
  subject: Subject | null;
  sessionRule: SessionRule | null;
  /** What was answered the last time this came up, and when. */
  earlier: { answer: string; at: number } | null;
}

/** How a question ended, for the card it was shown on. */
export interface Outcome {
  state: "answered" | "declined" | "expired" | "cancelled";
  /** "You answered: SQLite", "Denied in the terminal": one or two lines of plain text. */
  text: string;
}

export const noticeKinds = ["done", "failed", "idle", "needs-input", "news"] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/** One-way news. */
export interface Notice {
  kind: NoticeKind;
  level: "info" | "warning" | "error";
  headline: string;
  body: string;
  asker: Asker;
}
