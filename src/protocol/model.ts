import * as z from "zod";

/** `GET /api/spend` */
export const spendRequest = z.strictObject({ days: z.coerce.number().int().min(1).max(3650).default(30) });

/** What one model cost a project on one day. */
export interface SpendRow {
  day: string;
  provider: string;
  model: string;
  project: string;
  calls: number;
  /** Calls of which notes were kept. */
  answered: number;
  inputTokens: number;
  outputTokens: number;
  usd: number;
  /** Calls whose price is not known: they are not in `usd`. */
  unpriced: number;
}

export interface SpendView {
  /** Newest day first. */
  rows: SpendRow[];
  budget: { tokens: number; usd: number };
}

/** `POST /api/model/trial` */
export interface TrialView {
  provider: string;
  model: string;
  /** `kept`: it answered as it should. */
  outcome: string;
  inputTokens: number;
  outputTokens: number;
  usd: number | null;
  ms: number;
}
