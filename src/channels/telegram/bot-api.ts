import * as z from "zod";
import { tryParseJson } from "../../shared/json.ts";
import { ChannelError } from "../channel.ts";
import { describeCause } from "../describe-cause.ts";

/** Telegram's Bot API without retries: the caller decides whether to retry. All calls throw `ChannelError`. */
export interface BotApi {
  /** `waitMs`: how long the server may hold the call (long polling), on top of the usual timeout. */
  call(method: string, parameters: object, options?: { waitMs?: number }): Promise<unknown>;
  upload(
    method: string,
    parameters: Record<string, string>,
    file: { name: string; text: string },
  ): Promise<unknown>;
  /** Aborts pending calls. */
  stop(): void;
}

interface BotApiOptions {
  token: string;
  apiUrl: string;
  timeoutMs: number;
}

const response = z.looseObject({
  ok: z.boolean(),
  result: z.unknown(),
  error_code: z.number().optional(),
  description: z.string().optional(),
  parameters: z.looseObject({ retry_after: z.number().optional() }).optional(),
});

const setupHint = "run `rookery setup telegram`";

export function openBotApi({ token, apiUrl, timeoutMs }: BotApiOptions): BotApi {
  const stopped = new AbortController();

  /** The address contains the token, so it never appears in an error. */
  async function request(method: string, init: RequestInit, waitMs = 0): Promise<unknown> {
    const signal = AbortSignal.any([stopped.signal, AbortSignal.timeout(timeoutMs + waitMs)]);
    let answer: Response;
    let text: string;
    try {
      const url = `${apiUrl.replace(/\/+$/, "")}/bot${token}/${method}`;
      answer = await fetch(url, { method: "POST", redirect: "error", ...init, signal });
      text = await answer.text();
    } catch (thrown) {
      throw new ChannelError("later", `Cannot reach Telegram: ${describeCause(thrown)}.`, { cause: thrown });
    }
    const { data } = response.safeParse(tryParseJson(text));
    if (data?.ok) return data.result;
    throw toChannelError(
      data?.error_code ?? answer.status,
      data?.description ?? "",
      data?.parameters?.retry_after,
    );
  }

  return {
    call: (method, parameters, { waitMs } = {}) =>
      request(
        method,
        { headers: { "content-type": "application/json" }, body: JSON.stringify(parameters) },
        waitMs,
      ),
    upload(method, parameters, { name, text }) {
      const body = new FormData();
      for (const [field, value] of Object.entries(parameters)) body.append(field, value);
      body.append("document", new Blob([text], { type: "text/plain" }), name);
      return request(method, { body });
    },
    stop: () => stopped.abort(),
  };
}

/** A rejected token is 401; one that cannot be a token is 404. */
const isTokenStatus = (status: number): boolean => status === 401 || status === 404;

function toChannelError(status: number, description: string, retryAfter: number | undefined): ChannelError {
  const cause = { status };
  const reason = description ? ` (${description.slice(0, 200)})` : "";
  if (status === 429) {
    const seconds = retryAfter ?? 30;
    const message = `Telegram's rate limit was reached: retry in ${seconds} s.`;
    return new ChannelError("later", message, { afterMs: seconds * 1000, cause });
  }
  if (isTokenStatus(status))
    return new ChannelError("never", `Telegram rejected the bot token: ${setupHint} with a new one.`, {
      cause,
    });
  if (status === 409)
    return new ChannelError(
      "later",
      `Another program reads this bot's messages${reason}. Stop it, or ${setupHint} with a bot of its own.`,
      { cause },
    );
  if (status === 403)
    return new ChannelError(
      "never",
      `Telegram does not let the bot write to you${reason}: unblock it there.`,
      {
        cause,
      },
    );
  if (status >= 400 && status < 500)
    return new ChannelError("never", `Telegram rejected this message${reason}.`, { cause });
  return new ChannelError("later", `Telegram answered HTTP ${status}.`, { cause });
}

/** The HTTP status of Telegram's answer; undefined if there was none. */
function statusOf(error: unknown): number | undefined {
  return ((error as ChannelError | undefined)?.cause as { status?: number } | undefined)?.status;
}

export function isTokenError(error: unknown): boolean {
  return isTokenStatus(statusOf(error) ?? 0);
}

/** True if only this call was wrong: for an edit, the message is gone, too old, or already as it should be. */
export function isBadRequest(error: unknown): boolean {
  return statusOf(error) === 400;
}
