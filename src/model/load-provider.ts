import type { ApiAccess } from "./anthropic.ts";
import type { ClaudeAccess } from "./claude.ts";
import type { Provider } from "./provider.ts";

export type ProviderAccess =
  | ({ kind: "claude" } & ClaudeAccess)
  | ({ kind: "anthropic" | "openai" } & ApiAccess);

/** Each SDK is a separate bundle, loaded on first use: a daemon without a model loads none. */
export async function loadProvider(access: ProviderAccess): Promise<Provider> {
  if (access.kind === "claude") return (await import("./claude.ts")).makeClaudeProvider(access);
  if (access.kind === "anthropic") return (await import("./anthropic.ts")).makeAnthropicProvider(access);
  return (await import("./openai.ts")).makeOpenAiProvider(access);
}
