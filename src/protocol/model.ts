import * as z from "zod";

export const spendRequest = z.strictObject({
  days: z.coerce.number<number | string>().int().min(1).max(3650).default(30),
});

/** The cost of one model for one project on one day. */
const spendRow = z.object({
  day: z.string(),
  provider: z.string(),
  model: z.string(),
  project: z.string(),
  calls: z.number(),
  /** Calls whose notes were kept. */
  answered: z.number(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  usd: z.number(),
  /** Calls whose price is not known: they are not in `usd`. */
  unpriced: z.number(),
});
export type SpendRow = z.infer<typeof spendRow>;

const budget = z.object({ tokens: z.number(), usd: z.number() });

/** Newest day first. */
export const spendView = z.object({ rows: z.array(spendRow), budget });
export type SpendView = z.infer<typeof spendView>;

export const trialView = z.object({
  provider: z.string(),
  model: z.string(),
  /** `kept`: the answer was usable. */
  outcome: z.string(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  usd: z.number().nullable(),
  ms: z.number(),
});
export type TrialView = z.infer<typeof trialView>;

/** State and cost of the model that distils turns; the ledger is `GET /api/spend`. */
export const modelReport = z.object({
  provider: z.string(),
  name: z.string(),
  /** `spent`: today's budget is used up; turns are kept without a model until tomorrow. */
  state: z.enum(["off", "ready", "paused", "spent"]),
  /** Why it is paused or spent. */
  reason: z.string(),
  /** Turns that wait for it. */
  waiting: z.number(),
  today: z.object({ calls: z.number(), tokens: z.number(), usd: z.number() }),
  budget,
  /** US dollars per million tokens; null if unknown. */
  price: z.object({ input: z.number(), output: z.number() }).nullable(),
});
export type ModelReport = z.infer<typeof modelReport>;
