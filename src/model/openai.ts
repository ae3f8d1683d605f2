import OpenAI from "openai";
import type { ApiAccess } from "./anthropic.ts";
import type { Provider } from "./provider.ts";
import { readFailure } from "./read-failure.ts";

const ownHost = "api.openai.com";

/** Any service with OpenAI's chat completions API, with structured output. */
export function makeOpenAiProvider({ model, baseUrl, apiKey }: ApiAccess): Provider {
  // The SDK requires a key; local services need none. Organization and project from the environment only apply to OpenAI.
  const client = new OpenAI({
    apiKey: apiKey || "none",
    organization: null,
    project: null,
    baseURL: baseUrl,
    maxRetries: 0,
    logLevel: "off",
  });
  // OpenAI's newer models only accept the new name, most other services only the old one.
  const limit = new URL(baseUrl).host === ownHost ? "max_completion_tokens" : "max_tokens";
  return {
    async complete({ system, user, schema, maxOutputTokens }, signal) {
      try {
        const answer = await client.chat.completions.create(
          {
            model,
            [limit]: maxOutputTokens,
            messages: [
              { role: "system", content: system },
              { role: "user", content: user },
            ],
            response_format: { type: "json_schema", json_schema: { name: "notes", strict: true, schema } },
          },
          { signal },
        );
        const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = answer.usage ?? {};
        const usage =
          inputTokens === undefined || outputTokens === undefined ? undefined : { inputTokens, outputTokens };
        const [choice] = answer.choices;
        if (!choice) return { outcome: "lost", detail: "response without a choice" };
        const { message, finish_reason: reason } = choice;
        if (reason === "content_filter" || message.refusal) return { outcome: "refused", usage };
        if (reason === "length") return { outcome: "truncated", usage };
        return { outcome: "answered", text: message.content ?? "", usage };
      } catch (error) {
        return readFailure(error, signal);
      }
    },
  };
}
