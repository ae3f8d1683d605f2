import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Environment } from "./environment.ts";
import { modelPresets, type ModelProviderName } from "./model-presets.ts";
import type { Config } from "./schema.ts";
import { readSecrets } from "./secrets.ts";

/** A provider as the settings name it, with all that is needed to reach it. */
export interface ModelChoice {
  provider: Exclude<ModelProviderName, "off">;
  model: string;
  baseUrl: string;
  /** Empty where none is needed. */
  apiKey: string;
}

/**
 * Undefined when no model is wanted; a sentence where one is wanted and something is missing. A key comes from the
 * environment, from Anthropic's own file, or from our secrets, where it stands under the address it is for; it is held
 * in memory alone.
 */
export function chooseModel(
  settings: Config["model"],
  environment: Environment,
  secretsFile: string,
): ModelChoice | { problem: string } | undefined {
  const { provider } = settings;
  if (provider === "off") return undefined;
  const preset = modelPresets[provider];
  const model = settings.name || preset.model;
  if (!model) return { problem: `provider ${provider} needs a model: set model.name` };
  const baseUrl = settings.baseUrl || preset.baseUrl;
  let apiKey: string;
  try {
    apiKey = findKey(provider, baseUrl, environment, secretsFile);
  } catch (error) {
    return { problem: (error as Error).message };
  }
  if (!apiKey && preset.keyVariable && baseUrl === preset.baseUrl)
    return {
      problem: `provider ${provider} needs a key: set ${preset.keyVariable}, or run rookery setup model`,
    };
  return { provider, model, baseUrl, apiKey };
}

function findKey(
  provider: ModelChoice["provider"],
  baseUrl: string,
  environment: Environment,
  secretsFile: string,
): string {
  if (provider === "claude") return "";
  if (provider === "anthropic") return environment.ANTHROPIC_API_KEY || readAnthropicFile(environment);
  const preset = modelPresets[provider];
  const stored = readSecrets(secretsFile).model.keys[baseUrl];
  // The environment's key is the provider's: another address must not get it.
  const fromEnvironment = baseUrl === preset.baseUrl ? environment[preset.keyVariable] : undefined;
  return fromEnvironment || stored || "";
}

function readAnthropicFile(environment: Environment): string {
  try {
    return readFileSync(join(environment.HOME || homedir(), ".anthropic", "api_key"), "utf8").trim();
  } catch {
    return ""; // There is none, and the provider will say that it needs one.
  }
}
