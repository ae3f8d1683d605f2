interface ModelRequest {
  system: string;
  user: string;
  /** JSON Schema of the answer, for providers with structured output. */
  schema: Record<string, unknown>;
  maxOutputTokens: number;
  /** Cost limit of this call, if the price is known. */
  maxUsd: number | undefined;
}

export interface Usage {
  inputTokens: number;
  outputTokens: number;
  /** Set if the provider reports the cost. */
  usd?: number;
}

/** Why a provider rejected a call; rejected calls cost nothing. `input`: it rejected the texts, not the caller. */
export type Rejection = "busy" | "broken" | "unreachable" | "denied" | "unfit" | "input";

export type CallFailure =
  | { outcome: "rejected"; why: Rejection; detail: string; retryAfterMs: number | undefined }
  /** The answer was cut off or timed out: the call may have been charged. */
  | { outcome: "lost"; detail: string };

/** Result of one call. Expected failures of a remote service are outcomes, not exceptions. */
export type Completion =
  | { outcome: "answered"; text: string; usage: Usage | undefined }
  | { outcome: "refused" | "truncated"; usage: Usage | undefined }
  | CallFailure;

/** Sends single requests to a model: no retries, no history, no tools. */
export interface Provider {
  complete(request: ModelRequest, signal: AbortSignal): Promise<Completion>;
}
