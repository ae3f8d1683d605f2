import type { Card, Outcome } from "../../domain/ask/card.ts";
import type { Answer, Answerer, QuestionKind } from "../../domain/ask/question.ts";

export interface OpenQuestion {
  id: string;
  kind: QuestionKind;
  agent: string;
  project: string;
  sessionId: string | null;
  createdAt: number;
  expiresAt: number;
  /** `now` is sent whether or not the person is here. */
  urgency: "normal" | "now";
}

/**
 * The questions and their only transition, from open to settled. Announces `question.opened` and `question.settled`,
 * the latter again when a verdict is confirmed or overruled.
 */
export interface Questions {
  listOpen(): OpenQuestion[];
  /** The card as it may be shown outside; undefined for an unknown id. */
  makeCard(id: string, ticket: string): Card | undefined;
  /** The outcome; undefined while it is open. */
  getOutcome(id: string): Outcome | undefined;
  /** A hash of the exact input: a ticket is bound to it. */
  getInputHash(id: string): string | undefined;
  /**
   * The first answer wins. `late` comes with a message for the person who was too late; `unfit` means that this kind of
   * question does not accept such an answer (for example a text for a permission).
   */
  answer(id: string, answer: Answer, answerer: Answerer): AnswerResult;
}

type AnswerResult =
  | { result: "accepted" }
  | { result: "late"; message: string }
  | { result: "unfit"; message: string }
  | { result: "unknown" };
