import Anthropic from "@anthropic-ai/sdk";
import type { Provider } from "./provider.ts";
import { readFailure } from "./read-failure.ts";

export interface ApiAccess {
  model: string;
  baseUrl: string;
  apiKey: string;
}

/** Anthropic's Messages API with structured output. */
export function makeAnthropicProvider({ model, baseUrl, apiKey }: ApiAccess): Provider {
  // The caller retries and enforces limits; the SDK must not log or read credentials from the environment.
  const client = new Anthropic({
    apiKey,
    authToken: null,
    baseURL: baseUrl,
    maxRetries: 0,
    logLevel: "off",
  });
  return {
    async complete({ system, user, schema, maxOutputTokens }, signal) {
      try {
        const message = await client.messages.create(
          {
            model,
            max_tokens: maxOutputTokens,
            system,
            messages: [{ role: "user", content: user }],
            output_config: { format: { type: "json_schema", schema } },
          },
          { signal },
        );
        const { input_tokens, output_tokens, cache_creation_input_tokens, cache_read_input_tokens } =
          message.usage;
        const inputTokens =
          input_tokens + (cache_creation_input_tokens ?? 0) + (cache_read_input_tokens ?? 0);
        const usage = { inputTokens, outputTokens: output_tokens };
        if (message.stop_reason === "refusal") return { outcome: "refused", usage };
        if (message.stop_reason === "max_tokens") return { outcome: "truncated", usage };
        const text = message.content.map((block) => (block.type === "text" ? block.text : "")).join("");
        return { outcome: "answered", text, usage };
      } catch (error) {
        return readFailure(error, signal);
      }
    },
  };
}
