import type * as z from "zod";
import type { QuestionState } from "../domain/ask/question.ts";
import type {
  AskedView,
  noticeCreate,
  QuestionView,
  questionAnswer,
  questionCreate,
  questionHanded,
} from "../protocol/ask.ts";
import type { Peer } from "./peer.ts";

/** What the routes of asking need of the daemon. */
export interface AskBackend {
  list(state: QuestionState | undefined, limit: number): QuestionView[];
  /** By its id, or the end of one that fits only one. */
  get(id: string): QuestionView;
  ask(question: z.infer<typeof questionCreate>): AskedView;
  answer(id: string, answer: z.infer<typeof questionAnswer>, peer: Peer): Promise<QuestionView>;
  /** Resolves when it is settled, or when the time is up, or when the caller has gone. */
  wait(id: string, ms: number, signal: AbortSignal): Promise<QuestionView>;
  handed(id: string, handed: z.infer<typeof questionHanded>): QuestionView;
  notify(notice: z.infer<typeof noticeCreate>): { isQueued: boolean };
}
