import * as z from "zod";
import { type ConfigKey, configSchema, listConfigKeys } from "./schema.ts";

/** A setting with what a form needs to ask for it. */
export interface ShapedKey extends ConfigKey {
  /** Where only these values fit, with what each means. */
  choices: { value: string; meaning: string }[] | null;
  least: number | null;
  most: number | null;
}

/** What each value of a setting with few values means. */
export const choiceMeanings: Record<string, Record<string, string>> = {
  "log.level": {
    debug: "everything, also what goes well",
    info: "what happens, a few lines a session",
    warn: "only what may need a look",
    error: "only what went wrong",
  },
  "model.provider": {
    off: "no model: nothing is sent anywhere, nothing is spent",
    claude: "your own login, through Claude Code",
    anthropic: "Anthropic's API, with ANTHROPIC_API_KEY",
    openai: "OpenAI's API, with OPENAI_API_KEY",
    gemini: "Google's API, with GEMINI_API_KEY",
    openrouter: "OpenRouter, with OPENROUTER_API_KEY",
    ollama: "a model on this machine",
  },
  "desktop.enabled": {
    auto: "on where there is a desktop",
    on: "always",
    off: "never",
  },
  "matrix.registration": {
    closed: "only accounts that you make with `rookery matrix invite`",
    open: "anybody who reaches the homeserver can make one",
  },
};

interface LeafShape {
  enum?: string[];
  minimum?: number;
  maximum?: number;
}

/** Takes the schema apart: not for where a session waits. */
export function listShapedKeys(): ShapedKey[] {
  const root: unknown = z.toJSONSchema(configSchema, { io: "input", unrepresentable: "any" });
  return listConfigKeys().map((key) => {
    const { enum: values, minimum, maximum } = findLeaf(root, key.path);
    const meanings = choiceMeanings[key.path] ?? {};
    return {
      ...key,
      choices: values?.map((value) => ({ value, meaning: meanings[value] ?? "" })) ?? null,
      least: minimum ?? null,
      most: maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? null : maximum,
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
