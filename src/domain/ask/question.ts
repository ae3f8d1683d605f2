import type { questionStates } from "../../protocol/ask.ts";

/** Where a question comes from; it decides what an answer may look like. */
export const questionKinds = ["choice", "permission", "plan"] as const;
export type QuestionKind = (typeof questionKinds)[number];

/** Who asks, in words a person recognises on a phone. */
export interface Asker {
  project: string;
  agent: string;
  sessionId: string | null;
  /** The type of the subagent that asks, where it is not the session itself. */
  subagent: string | null;
}

/** One thing that is asked; a question of the host may hold several. */
export interface Prompt {
  text: string;
  header: string | null;
  options: { label: string; description: string | null }[];
  isMulti: boolean;
}

/** What a permission or a plan is about, exactly, with secrets as placeholders. */
export interface Subject {
  toolName: string;
  /** What the call does, for headlines; rows of earlier versions have none. */
  action?: "run" | "write" | "edit" | "use";
  format: "command" | "diff" | "json" | "markdown";
  text: string;
  hiddenSecrets: number;
}

/** The narrow rule that "allow for session" would add, built by us and shown to the person. */
export interface SessionRule {
  toolName: string;
  ruleContent: string | null;
}

/**
 * What a person may say. `answers` has one list per prompt: labels of options, or one text of their own. Only an
 * explicit allow is consent: a text never is.
 */
export type Answer =
  | { type: "answers"; answers: string[][] }
  | { type: "allow"; scope: "once" | "session" }
  | { type: "deny"; reason: string };

/** Who answered, and where. `by` is the name shown on every card that lost the race. */
export interface Answerer {
  place: "terminal" | "viewer" | "cli" | "slack" | "matrix";
  by: string;
}

/**
 * open → answered (an answer or a deny) | declined (dismissed in the terminal) | expired | cancelled (nobody waits for it
 * any more). A remote verdict is sent first, then confirmed by the host's own events, or overruled by the terminal.
 */
export type QuestionState = (typeof questionStates)[number];
export type Verdict = "sent" | "confirmed" | "overruled";
