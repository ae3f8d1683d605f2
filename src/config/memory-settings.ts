import * as z from "zod";
import { personOnly } from "./person-only.ts";
import { embeddingsProviders } from "./embeddings-presets.ts";
import { modelProviders } from "./model-presets.ts";
import { splitList } from "./split-list.ts";

const usdPerMillion = z.number().min(0).nullable().default(null);
const projectNames = z.preprocess(splitList, z.array(z.string().min(1))).default([]);

/** Settings of capture, retention, extraction and recall. */
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
        .describe("Maximum number of earlier sessions that are searched for finished and unfinished work."),
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
      prompts: z.boolean().default(true).describe("Add relevant notes to a prompt when you submit it."),
      files: z.boolean().default(true).describe("Add notes about a file when a session first reads it."),
    })
    .prefault({}),
  folders: z
    .strictObject({
      notes: z
        .number()
        .int()
        .min(1)
        .max(200)
        .default(12)
        .describe("Maximum number of notes in the `CLAUDE.md` section of a folder (`rookery folders`)."),
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
          "Raw events older than this many days are deleted; the notes made from them stay. 0 keeps all events.",
        ),
      eventMegabytes: z
        .number()
        .int()
        .min(0)
        .max(1_000_000)
        .default(2000)
        .describe("Max size of raw events in megabytes; the oldest are deleted first. 0 means no limit."),
      dailyBackup: z
        .boolean()
        .default(true)
        .describe("Keep one copy of the database, made once a day; `rookery restore` returns to it."),
    })
    .prefault({}),
  model: z
    .strictObject({
      provider: z
        .enum(modelProviders)
        .default("off")
        .describe(
          "Model provider that extracts notes from turns: off (no model, no cost), claude (your own login), anthropic, or an OpenAI-compatible service: openai, gemini, openrouter, ollama. Set it with `rookery setup model`.",
        )
        .meta(personOnly),
      name: z
        .string()
        .max(200)
        .default("")
        .describe(
          "Model name as used by the provider; empty uses the provider's default small model, if there is one.",
        )
        .meta(personOnly),
      baseUrl: z
        .union([z.literal(""), z.url()])
        .default("")
        .describe("Base URL of the provider; empty uses its default.")
        .meta(personOnly),
      executable: z
        .string()
        .max(4096)
        .default("")
        .describe(
          "Path of Claude Code, for the provider claude; empty looks up `claude` in the daemon's PATH.",
        )
        .meta(personOnly),
      dailyTokens: z
        .number()
        .int()
        .min(0)
        .default(500_000)
        .describe("Daily limit of input and output tokens; above it, notes are made without a model.")
        .meta(personOnly),
      dailyUsd: z
        .number()
        .min(0)
        .default(1)
        .describe("Daily limit in US dollars, if the model's price is known.")
        .meta(personOnly),
      inputUsd: usdPerMillion
        .describe("Price in US dollars per million input tokens; null uses the built-in price list.")
        .meta(personOnly),
      outputUsd: usdPerMillion
        .describe("Price in US dollars per million output tokens; null uses the built-in price list.")
        .meta(personOnly),
      outputTokens: z
        .number()
        .int()
        .min(200)
        .max(8000)
        .default(2000)
        .describe("Max length of a model's answer in tokens; a longer one is discarded."),
      timeoutMs: z.number().int().min(100).max(300_000).default(60_000).describe("Timeout of one call."),
      projects: projectNames
        .describe(
          "Only send turns of these projects; empty sends turns of all projects that are neither off nor isolated. An isolated project is only sent if it is listed here.",
        )
        .meta(personOnly),
    })
    .prefault({}),
  embeddings: z
    .strictObject({
      provider: z
        .enum(embeddingsProviders)
        .default("off")
        .describe(
          "Where search gets better vectors from: off (the built-in table), ollama, or openai for any OpenAI-compatible endpoint. Set it with `rookery setup embeddings`.",
        )
        .meta(personOnly),
      name: z
        .string()
        .max(200)
        .default("")
        .describe("Name of the embedding model; empty uses the provider's default.")
        .meta(personOnly),
      baseUrl: z
        .union([z.literal(""), z.url({ protocol: /^https?$/ })])
        .default("")
        .describe("Base URL of the endpoint; empty uses the provider's default.")
        .meta(personOnly),
      dimensions: z
        .number()
        .int()
        .min(0)
        .max(8192)
        .default(0)
        .describe(
          "Dimensions of this model's vectors, as measured by `rookery setup embeddings`; other answers are rejected.",
        )
        .meta(personOnly),
      inputUsd: usdPerMillion
        .describe(
          "Price in US dollars per million tokens; null means free on this machine and with ollama, unknown elsewhere.",
        )
        .meta(personOnly),
      projects: projectNames
        .describe(
          "Only send texts of these projects; empty sends texts of all projects that are neither off nor isolated. An isolated project is only sent if it is listed here.",
        )
        .meta(personOnly),
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
        .describe("Max size of one field of an event in bytes; a longer one is cut to its head and tail."),
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
          "Files whose content is never stored, only the fact that they were used. A pattern without a leading slash matches in any folder.",
        )
        .meta(personOnly),
    })
    .prefault({}),
};
