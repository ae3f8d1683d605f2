import type { CallFailure, Rejection } from "./provider.ts";

/** The fields that we read from the SDKs' errors; `status` is set if there was a response. */
interface SdkError {
  status?: number;
  headers?: Headers;
  cause?: { code?: string };
}

const neverConnected = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"]);

/** Converts an SDK's exception into an outcome. Drops its message, which may quote the request. */
export function readFailure(thrown: unknown, signal: AbortSignal): CallFailure {
  if (signal.aborted) return { outcome: "lost", detail: "no answer in time" };
  const { status, headers, cause } = thrown as SdkError;
  if (status !== undefined)
    return {
      outcome: "rejected",
      why: judgeStatus(status),
      detail: `HTTP ${status}`,
      retryAfterMs: readRetryAfter(headers),
    };
  const code = findCode(cause) ?? "";
  if (neverConnected.has(code))
    return { outcome: "rejected", why: "unreachable", detail: code, retryAfterMs: undefined };
  return { outcome: "lost", detail: code || "invalid response" };
}

export function judgeStatus(status: number): Rejection {
  if (status === 429 || status === 503 || status === 529) return "busy";
  if (status === 401 || status === 402 || status === 403) return "denied";
  return status >= 500 || status === 408 ? "broken" : "unfit";
}

/** `Retry-After` is either seconds or a date. */
function readRetryAfter(headers: Headers | undefined): number | undefined {
  const value = headers?.get?.("retry-after");
  if (!value) return undefined;
  const seconds = Number(value);
  const ms = Number.isNaN(seconds) ? Date.parse(value) - Date.now() : seconds * 1000;
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

/** Finds the system error code in the chain of causes. */
function findCode(cause: unknown, depth = 0): string | undefined {
  if (typeof cause !== "object" || cause === null || depth > 4) return undefined;
  const { code, cause: next } = cause as { code?: unknown; cause?: unknown };
  return typeof code === "string" ? code : findCode(next, depth + 1);
}
