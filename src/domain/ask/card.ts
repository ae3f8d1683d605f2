import type { Asker, Prompt, QuestionKind, SessionRule, Subject } from "./question.ts";

/**
 * A question as a channel shows it: redacted, safe to leave the machine, and free of markup. The channel decides how
 * to render it and which long texts to upload as a file.
 */
export interface Card {
  questionId: string;
  /** Single-use, bound to this question, this channel and the exact input; buttons carry it back. */
  ticket: string;
  kind: QuestionKind;
  /** One line, also used as the push preview: never contains the input itself. */
  headline: string;
  asker: Asker;
  /** The agent's reason for asking. */
  context: string | null;
  prompts: Prompt[];
  subject: Subject | null;
  /** Why the command is dangerous, worded to follow "This": allowing it needs a second press. */
  danger: string | null;
  /** The agent that has claimed the file to be changed. */
  claimedBy: string | null;
  sessionRule: SessionRule | null;
  /** The answer given last time, and when. */
  earlier: { answer: string; at: number } | null;
}

/** The outcome of a question, for its card. */
export interface Outcome {
  state: "answered" | "declined" | "expired" | "cancelled";
  /** "You answered: SQLite", "Denied in the terminal": one or two lines of plain text. */
  text: string;
}

const noticeKinds = ["done", "failed", "idle", "needs-input", "news", "approved"] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/** A one-way notification. */
export interface Notice {
  kind: NoticeKind;
  level: "info" | "warning" | "error";
  headline: string;
  body: string;
  asker: Asker;
}
