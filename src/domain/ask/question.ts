import type { AnswerPlace, questionStates } from "../../protocol/ask.ts";

/** The kind of a question determines the form of its answer. */
const questionKinds = ["choice", "permission", "plan"] as const;
export type QuestionKind = (typeof questionKinds)[number];

/** The asker, in terms that a person recognises on a phone. */
export interface Asker {
  project: string;
  agent: string;
  sessionId: string | null;
  /** The type of the asking subagent; null if the session itself asks. */
  subagent: string | null;
}

/** A single question; a request of the host may contain several. */
export interface Prompt {
  text: string;
  header: string | null;
  options: { label: string; description: string | null }[];
  isMulti: boolean;
}

/** The exact subject of a permission or a plan, with secrets replaced by placeholders. */
export interface Subject {
  toolName: string;
  /** The action, for headlines; rows of earlier versions have none. */
  action?: "run" | "write" | "edit" | "use";
  format: "command" | "diff" | "json" | "markdown";
  text: string;
  hiddenSecrets: number;
}

/** A host's request to the person: questions with options, or a call that needs consent. */
export type HostRequest =
  | { kind: "choice"; questions: AskedQuestion[] }
  | ({ kind: "permission" | "plan"; context: unknown } & Pick<Subject, "format" | "text"> &
      Required<Pick<Subject, "action">>);

export interface AskedQuestion {
  text: string;
  header: unknown;
  options: { label?: unknown; description?: unknown }[];
  isMulti: boolean;
}

/** The narrow rule that "allow for session" would add; built by us and shown to the person. */
export interface SessionRule {
  toolName: string;
  ruleContent: string | null;
}

/**
 * A person's answer. `answers` has one list per prompt: option labels, or one free text. Only an explicit allow is
 * consent; a text never is.
 */
export type Answer =
  | { type: "answers"; answers: string[][] }
  | { type: "allow"; scope: "once" | "session" }
  | { type: "deny"; reason: string };

/** Who answered, and where. `by` is the name shown on the question's other cards. */
export interface Answerer {
  place: AnswerPlace;
  by: string;
}

/**
 * open → answered (an answer or a deny) | declined (dismissed in the terminal) | expired | cancelled (no longer
 * needed). A remote verdict is first sent, then confirmed by the host's own events or overruled by the terminal.
 */
export type QuestionState = (typeof questionStates)[number];
export type Verdict = "sent" | "confirmed" | "overruled";
