import { modelPresets } from "./model-presets.ts";

export const embeddingsProviders = ["off", "ollama", "openai"] as const;
export type EmbeddingsProviderName = Exclude<(typeof embeddingsProviders)[number], "off">;

/** Defaults of each provider. */
export const embeddingsPresets: Record<
  EmbeddingsProviderName,
  { baseUrl: string; model: string; keyVariable: string }
> = {
  ollama: { baseUrl: "http://127.0.0.1:11434", model: "nomic-embed-text", keyVariable: "" },
  openai: { ...modelPresets.openai, model: "text-embedding-3-small" },
};
