export const modelProviders = [
  "off",
  "claude",
  "anthropic",
  "openai",
  "gemini",
  "openrouter",
  "ollama",
] as const;
export type ModelProviderName = (typeof modelProviders)[number];

export interface ModelPreset {
  /** Empty if the provider is not called over the network. */
  baseUrl: string;
  /** The environment variable with its key; empty if it needs none. */
  keyVariable: string;
  /** The default model; empty if the user must name one. */
  model: string;
}

/** Defaults of each provider. */
export const modelPresets: Record<Exclude<ModelProviderName, "off">, ModelPreset> = {
  claude: { baseUrl: "", keyVariable: "", model: "haiku" },
  anthropic: {
    baseUrl: "https://api.anthropic.com",
    keyVariable: "ANTHROPIC_API_KEY",
    model: "claude-haiku-5-5",
  },
  openai: { baseUrl: "https://api.openai.com/v1", keyVariable: "OPENAI_API_KEY", model: "" },
  gemini: {
    baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai/",
    keyVariable: "GEMINI_API_KEY",
    model: "",
  },
  openrouter: { baseUrl: "https://openrouter.ai/api/v1", keyVariable: "OPENROUTER_API_KEY", model: "" },
  ollama: { baseUrl: "http://127.0.0.1:11434/v1", keyVariable: "", model: "" },
};
