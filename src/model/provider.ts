export interface ModelRequest {
  system: string;
  user: string;
  /** JSON Schema of the answer, for providers that can hold a model to it. */
  schema: Record<string, unknown>;
  maxOutputTokens: number;
  /** Most that this one call may cost, where its price is known. */
  maxUsd: number | undefined;
}

export interface Usage {
  inputTokens: number;
  outputTokens: number;
  /** Where the provider itself says what it charges. */
  usd?: number;
}

/** Why a provider did nothing, and charged nothing. */
export type Rejection = "busy" | "broken" | "unreachable" | "denied" | "unfit";

/** What came of one call. Everything that is expected of a service far away is an outcome, not an exception. */
export type Completion =
  | { outcome: "answered"; text: string; usage: Usage | undefined }
  | { outcome: "refused" | "truncated"; usage: Usage | undefined }
  | { outcome: "rejected"; why: Rejection; detail: string; retryAfterMs: number | undefined }
  /** No whole answer came, or none in time: it may have been charged. */
  | { outcome: "lost"; detail: string };

/** One way to ask a model one thing once: no retries, no history, no tools. */
export interface Provider {
  complete(request: ModelRequest, signal: AbortSignal): Promise<Completion>;
}
