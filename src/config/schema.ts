import * as z from "zod";
import { logLevels } from "../shared/log.ts";
import { modelProviders } from "./model-presets.ts";

/**
 * The one description of every setting: types, validation, `config --explain` and docs come from here.
 * The environment variable of `a.b` is `ROOKERY_A_B`.
 */
export const configSchema = z.strictObject({
  port: z
    .number()
    .int()
    .min(0)
    .max(65535)
    .default(37777)
    .describe(
      "Port of the viewer and the API on 127.0.0.1. 0 takes any free one; a port in use falls back to a free one.",
    ),
  log: z
    .strictObject({
      level: z.enum(logLevels).default("info").describe("How much the daemon writes to its log."),
    })
    .prefault({}),
  delivery: z
    .strictObject({
      wake: z.boolean().default(true).describe("Wake an idle session when something for it arrives."),
      characters: z
        .number()
        .int()
        .min(1000)
        .max(9500)
        .default(8000)
        .describe("Most characters injected into a session at one point; the rest waits for the next point."),
    })
    .prefault({}),
  context: z
    .strictObject({
      observations: z
        .number()
        .int()
        .min(0)
        .max(500)
        .default(50)
        .describe("Most rows of the index that a session starts with."),
      summaries: z
        .number()
        .int()
        .min(0)
        .max(50)
        .default(10)
        .describe("Most earlier turns looked at for what was done and left open."),
      tokens: z
        .number()
        .int()
        .min(0)
        .max(2400)
        .default(1000)
        .describe("Most tokens (estimated) that the index may cost; 0 turns it off."),
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
  presence: z
    .strictObject({
      awaySeconds: z
        .number()
        .int()
        .min(0)
        .max(86_400)
        .default(60)
        .describe("How long without a sign of you until you count as away; 0 is always."),
    })
    .prefault({}),
  notify: z
    .strictObject({
      done: z.boolean().default(true).describe("Tell you when a longer turn is finished."),
      doneAfterSeconds: z
        .number()
        .int()
        .min(0)
        .max(86_400)
        .default(60)
        .describe("Turns shorter than this end without a word."),
      failed: z
        .boolean()
        .default(true)
        .describe("Tell you when a turn ends with an error, or tools keep failing."),
      idle: z.boolean().default(true).describe("Tell you when a session waits for your next prompt."),
      needsInput: z.boolean().default(true).describe("Tell you when a dialog waits in the terminal."),
      news: z.boolean().default(true).describe("Pass on what an agent wants you to know."),
      quietHours: z
        .string()
        .regex(/^(?:(?:[01]?\d|2[0-3]):[0-5]\d-(?:[01]?\d|2[0-3]):[0-5]\d)?$/, "must look like 22:00-07:00")
        .default("")
        .describe("Local time in which only urgent questions go out, such as 22:00-07:00; empty for none."),
    })
    .prefault({}),
  slack: z
    .strictObject({
      apiUrl: z
        .url()
        .refine(isSafeAddress, "must begin with https:// (the tokens are sent there)")
        .default("https://slack.com/api/")
        .describe("Where Slack's API is reached; GovSlack is https://slack-gov.com/api/."),
      userId: z
        .string()
        .regex(/^([UW][A-Z0-9]+)?$/, "must be a user's id, such as U0123ABCD")
        .default("")
        .describe("Whom Slack messages go to, directly. Set it with `rookery setup slack`."),
      channelId: z
        .string()
        .regex(/^([CGDUW][A-Z0-9]+)?$/, "must be a channel's id, such as C0123ABCD")
        .default("")
        .describe("A channel to write to instead; `SLACK_CHANNEL_ID` works too."),
    })
    .prefault({}),
  desktop: z
    .strictObject({
      enabled: z
        .enum(["auto", "on", "off"])
        .default("auto")
        .describe("Notifications of this machine's desktop; auto is on where there is one."),
    })
    .prefault({}),
  ask: z
    .strictObject({
      waitSeconds: z
        .number()
        .int()
        .min(1)
        .max(14_000)
        .default(3600)
        .describe("How long a question stays open for an answer from elsewhere than the terminal."),
      subagentSeconds: z
        .number()
        .int()
        .min(0)
        .max(3600)
        .default(120)
        .describe("The same for a subagent: in the background it shows its dialog only when this is over."),
      always: z
        .boolean()
        .default(false)
        .describe(
          "Hold questions open even where no channel and no viewer could show them: for answers by API and command line.",
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
});

/** The environment can only say a list as text. */
function splitList(value: unknown): unknown {
  if (typeof value !== "string") return value;
  return value
    .split(",")
    .map((item) => item.trim())
    .filter(Boolean);
}

/** Secrets go there: nobody on the way may read them. */
function isSafeAddress(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === "https:" || (protocol === "http:" && ["127.0.0.1", "localhost"].includes(hostname));
}

export type Config = z.infer<typeof configSchema>;

export interface ConfigKey {
  path: string;
  env: string;
  description: string;
  default: unknown;
}

/** Every leaf of the schema, in order. */
export function listConfigKeys(schema: z.ZodObject = configSchema, prefix = ""): ConfigKey[] {
  return Object.entries(schema.shape).flatMap(([name, field]) => {
    const path = prefix ? `${prefix}.${name}` : name;
    const inner = unwrap(field as z.ZodType);
    if (inner instanceof z.ZodObject) return listConfigKeys(inner, path);
    const leaf = field as z.ZodDefault<z.ZodType>;
    return [
      { path, env: envName(path), description: leaf.description ?? "", default: leaf.def.defaultValue },
    ];
  });
}

function unwrap(field: z.ZodType): unknown {
  return field instanceof z.ZodPrefault ? field.def.innerType : field;
}

function envName(path: string): string {
  return `ROOKERY_${path
    .replace(/[.]/g, "_")
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .toUpperCase()}`;
}
