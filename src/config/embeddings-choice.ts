import { isLoopback } from "./addresses.ts";
import { embeddingsPresets, type EmbeddingsProviderName } from "./embeddings-presets.ts";
import type { Environment } from "./environment.ts";
import type { Config } from "./schema.ts";
import { readSecrets } from "./secrets.ts";

/** Where and how to get vectors. */
export interface EmbeddingsAccess {
  provider: EmbeddingsProviderName;
  baseUrl: string;
  model: string;
  /** Empty if none is needed. */
  apiKey: string;
}

export interface EmbeddingsChoice extends EmbeddingsAccess {
  dimensions: number;
}

/** Undefined if no endpoint is configured; `problem` if a setting is missing or unsafe. */
export function chooseEmbeddings(
  settings: Config["embeddings"],
  environment: Environment,
  secretsFile: string,
): EmbeddingsChoice | { problem: string } | undefined {
  const { provider, dimensions } = settings;
  if (provider === "off") return undefined;
  if (dimensions === 0) return { problem: "embeddings.dimensions is not set: run rookery setup embeddings" };
  try {
    const access = completeAccess(
      { provider, baseUrl: settings.baseUrl, model: settings.name, apiKey: "" },
      environment,
      secretsFile,
    );
    return "problem" in access ? access : { ...access, dimensions };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

/**
 * Fills in defaults and the key. A stored key belongs to its address; a key from the environment belongs to OpenAI's
 * own address.
 */
export function completeAccess(
  given: EmbeddingsAccess,
  environment: Environment,
  secretsFile: string,
): EmbeddingsAccess | { problem: string } {
  const preset = embeddingsPresets[given.provider];
  const baseUrl = (given.baseUrl || preset.baseUrl).replace(/\/+$/, "");
  const isOwn = baseUrl === preset.baseUrl && preset.keyVariable !== "";
  const fromEnvironment = isOwn ? environment[preset.keyVariable] : undefined;
  const apiKey = given.apiKey || fromEnvironment || readSecrets(secretsFile).model.keys[baseUrl] || "";
  if (isOwn && !apiKey)
    return {
      problem: `${baseUrl} needs an API key: set ${preset.keyVariable} or run rookery setup embeddings`,
    };
  if (apiKey && !baseUrl.startsWith("https://") && !isLoopback(baseUrl))
    return { problem: `${baseUrl} is not encrypted, so no key is sent there: use https` };
  return { provider: given.provider, baseUrl, model: given.model || preset.model, apiKey };
}
