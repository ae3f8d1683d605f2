import * as z from "zod";
import { modelProviders } from "./model-presets.ts";

/** What is captured, kept, distilled and brought back. */
export const memorySettings = {
  context: z
    .strictObject({
      observations: z
        .number()
        .int()
        .min(0)
        .max(500)
        .default(50)
        .describe("Maximum number of notes in the context that a session starts with."),
      summaries: z
        .number()
        .int()
        .min(0)
        .max(50)
        .default(10)
        .describe("Maximum number of earlier sessions read for what was done and left open."),
      tokens: z
        .number()
        .int()
        .min(0)
        .max(2400)
        .default(1000)
        .describe("Maximum number of tokens (estimated) of that context; 0 turns it off."),
    })
    .prefault({}),
  recall: z
    .strictObject({
      prompts: z.boolean().default(true).describe("Bring back what bears on a prompt, when it is submitted."),
      files: z
        .boolean()
        .default(true)
        .describe("Bring back what is known about a file, at the first look at it."),
    })
    .prefault({}),
  retention: z
    .strictObject({
      eventDays: z
        .number()
        .int()
        .min(0)
        .max(36_500)
        .default(90)
        .describe(
          "Raw events older than this many days are removed; what was learned from them stays. 0 keeps them.",
        ),
      eventMegabytes: z
        .number()
        .int()
        .min(0)
        .max(1_000_000)
        .default(2000)
        .describe("Most megabytes of raw events; the oldest go first. 0 sets no limit."),
    })
    .prefault({}),
  model: z
    .strictObject({
      provider: z
        .enum(modelProviders)
        .default("off")
        .describe(
          "Who distils turns: off (no model, no cost), claude (your own login), anthropic, or an OpenAI-compatible service: openai, gemini, openrouter, ollama. Set it with `rookery setup model`.",
        ),
      name: z
        .string()
        .max(200)
        .default("")
        .describe(
          "The model, as its provider names it; empty takes the provider's small one, where we know it.",
        ),
      baseUrl: z
        .union([z.literal(""), z.url()])
        .default("")
        .describe("Where the provider is reached; empty takes its own address."),
      executable: z
        .string()
        .max(4096)
        .default("")
        .describe("Provider claude: the path of Claude Code; empty looks for `claude` on the daemon's PATH."),
      dailyTokens: z
        .number()
        .int()
        .min(0)
        .default(500_000)
        .describe("Most tokens a day, in and out; beyond it turns are kept without a model."),
      dailyUsd: z
        .number()
        .min(0)
        .default(1)
        .describe("Most US dollars a day, where the model's price is known."),
      inputUsd: z
        .number()
        .min(0)
        .nullable()
        .default(null)
        .describe("US dollars per million tokens in; null takes the built-in price list."),
      outputUsd: z
        .number()
        .min(0)
        .nullable()
        .default(null)
        .describe("US dollars per million tokens out; null takes the built-in price list."),
      outputTokens: z
        .number()
        .int()
        .min(200)
        .max(8000)
        .default(2000)
        .describe("Longest answer, in tokens; a longer one is not used."),
      timeoutMs: z
        .number()
        .int()
        .min(100)
        .max(300_000)
        .default(60_000)
        .describe("How long one call may take before it is ended."),
      projects: z
        .preprocess(splitList, z.array(z.string().min(1)))
        .default([])
        .describe(
          "Names of the only projects whose turns are sent; empty sends those of all that are neither off nor isolated. An isolated one is sent only if it is named here.",
        ),
    })
    .prefault({}),
  capture: z
    .strictObject({
      fieldBytes: z
        .number()
        .int()
        .min(1024)
        .max(4_000_000)
        .default(64_000)
        .describe(
          "Longest text kept of one field of an event; head and tail survive, the middle is counted.",
        ),
      exclude: z
        .preprocess(splitList, z.array(z.string().min(1)))
        .default([
          ".env",
          ".env.*",
          "*.pem",
          "*.key",
          "*.p12",
          "id_{rsa,dsa,ecdsa,ed25519}",
          ".ssh/**",
          ".aws/credentials",
          ".netrc",
          ".pgpass",
        ])
        .describe(
          "Files nothing is kept of but that they were touched. A pattern without a leading slash holds in any folder.",
        ),
    })
    .prefault({}),
};

/** The environment can only say a list as text. */
function splitList(value: unknown): unknown {
  if (typeof value !== "string") return value;
  return value
    .split(",")
    .map((item) => item.trim())
    .filter(Boolean);
}
