import * as z from "zod";
import { type ConfigKey, configSchema, listConfigKeys } from "./schema.ts";

/** A setting with the details that a form needs. */
interface ShapedKey extends ConfigKey {
  /** The allowed values with their meanings; null if the setting is not an enum. */
  choices: { value: string; meaning: string }[] | null;
  min: number | null;
  max: number | null;
}

/** The meaning of each value of the enum settings. */
export const choiceMeanings: Record<string, Record<string, string>> = {
  "log.level": {
    debug: "everything, including routine work",
    info: "main events, a few lines per session",
    warn: "possible problems and errors",
    error: "errors only",
  },
  "model.provider": {
    off: "no model: sends nothing, costs nothing",
    claude: "your own login, through Claude Code",
    anthropic: "Anthropic's API, with ANTHROPIC_API_KEY",
    openai: "OpenAI's API, with OPENAI_API_KEY",
    gemini: "Google's API, with GEMINI_API_KEY",
    openrouter: "OpenRouter, with OPENROUTER_API_KEY",
    ollama: "a model on this machine",
  },
  "embeddings.provider": {
    off: "the built-in table: sends nothing, costs nothing",
    ollama: "Ollama, on this machine or another",
    openai: "OpenAI's API, or any endpoint that is compatible with it",
  },
  "desktop.enabled": {
    auto: "on if there is a desktop",
    on: "always",
    off: "never",
  },
  "matrix.accounts": {
    machine: "one account sends the messages of all agents of this machine",
    agents: "each agent has an account of its own, created by an application service",
  },
  "matrix.registration": {
    closed: "only accounts that you create with `rookery matrix invite`",
    open: "anybody who can reach the homeserver can create an account",
  },
};

interface LeafShape {
  enum?: string[];
  minimum?: number;
  maximum?: number;
}

/** Converts the full schema, which is slow: do not call it where a session waits. */
export function listShapedKeys(): ShapedKey[] {
  const root: unknown = z.toJSONSchema(configSchema, { io: "input", unrepresentable: "any" });
  return listConfigKeys().map((key) => {
    const { enum: values, minimum, maximum } = findLeaf(root, key.path);
    const meanings = choiceMeanings[key.path] ?? {};
    return {
      ...key,
      choices: values?.map((value) => ({ value, meaning: meanings[value] ?? "" })) ?? null,
      min: minimum ?? null,
      max: maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? null : maximum,
    };
  });
}

function findLeaf(root: unknown, path: string): LeafShape {
  const leaf = path
    .split(".")
    .reduce(
      (node, name) => (node as { properties?: Record<string, unknown> }).properties?.[name] ?? {},
      root,
    );
  return leaf as LeafShape;
}
