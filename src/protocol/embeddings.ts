import * as z from "zod";

/** The endpoint to test. Empty fields use the provider's defaults, and the stored key of the address. */
export const embeddingsTrialRequest = z.strictObject({
  provider: z.enum(["ollama", "openai"]),
  baseUrl: z.union([z.literal(""), z.url({ protocol: /^https?$/ })]).default(""),
  model: z.string().max(200).default(""),
  apiKey: z.string().max(1000).default(""),
});

export const embeddingsTrial = z.object({
  provider: z.string(),
  baseUrl: z.string(),
  model: z.string(),
  dimensions: z.number(),
  inputTokens: z.number(),
  usd: z.number().nullable(),
  ms: z.number(),
});
export type EmbeddingsTrial = z.infer<typeof embeddingsTrial>;

/** State of the endpoint that search gets better vectors from. */
export const embeddingsReport = z.object({
  provider: z.string(),
  name: z.string(),
  baseUrl: z.string(),
  /** `spent`: today's budget is used up; the built-in table is used until tomorrow. */
  state: z.enum(["off", "ready", "paused", "spent"]),
  /** Why it is paused or spent. */
  reason: z.string(),
  /** Searchable rows of the projects that may be sent. */
  rows: z.number(),
  /** Rows among them that have a vector of this model. */
  embedded: z.number(),
});
export type EmbeddingsReport = z.infer<typeof embeddingsReport>;
