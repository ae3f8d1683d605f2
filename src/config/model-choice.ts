import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Environment } from "./environment.ts";
import { modelPresets, type ModelProviderName } from "./model-presets.ts";
import type { Config } from "./schema.ts";
import { readSecrets } from "./secrets.ts";

/** The configured provider with everything needed to call it. */
export interface ModelChoice {
  provider: Exclude<ModelProviderName, "off">;
  model: string;
  baseUrl: string;
  /** Empty if none is needed. */
  apiKey: string;
}

/**
 * Undefined if no model is configured; `problem` if a setting is missing. The key comes from the environment, from
 * Anthropic's own file, or from our secrets, where it is stored by address; it is only kept in memory.
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
  if (!model) return { problem: `provider ${provider} needs a model name: set model.name` };
  const baseUrl = settings.baseUrl || preset.baseUrl;
  let apiKey: string;
  try {
    apiKey = findKey(provider, baseUrl, environment, secretsFile);
  } catch (error) {
    return { problem: (error as Error).message };
  }
  if (!apiKey && preset.keyVariable && baseUrl === preset.baseUrl)
    return {
      problem: `provider ${provider} needs an API key: set ${preset.keyVariable} or run rookery setup model`,
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
  // A key from the environment belongs to the provider: never send it to another address.
  const fromEnvironment = baseUrl === preset.baseUrl ? environment[preset.keyVariable] : undefined;
  return fromEnvironment || stored || "";
}

function readAnthropicFile(environment: Environment): string {
  try {
    return readFileSync(join(environment.HOME || homedir(), ".anthropic", "api_key"), "utf8").trim();
  } catch {
    return ""; // No file; the caller reports the missing key.
  }
}
