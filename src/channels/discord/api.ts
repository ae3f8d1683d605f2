import * as z from "zod";
import { tryParseJson } from "../../shared/json.ts";
import type { CardFile } from "../card-text.ts";
import { ChannelError } from "../channel.ts";
import { describeCause } from "../describe-cause.ts";

/** Discord's REST API without retries: the caller decides whether to retry. All calls throw `ChannelError`. */
export interface DiscordApi {
  /** `path` is below the API's address, with a leading slash. */
  call(method: "GET" | "POST" | "PATCH", path: string, body?: object, file?: CardFile): Promise<unknown>;
  /** Aborts pending calls. */
  stop(): void;
}

interface DiscordApiOptions {
  token: string;
  apiUrl: string;
  timeoutMs: number;
}

const refusal = z.looseObject({
  message: z.string().optional(),
  retry_after: z.number().optional(),
});

const setupHint = "run `rookery setup discord`";

export function openDiscordApi({ token, apiUrl, timeoutMs }: DiscordApiOptions): DiscordApi {
  const stopped = new AbortController();
  return {
    async call(method, path, body, file) {
      const signal = AbortSignal.any([stopped.signal, AbortSignal.timeout(timeoutMs)]);
      let answer: Response;
      let text: string;
      try {
        answer = await fetch(`${apiUrl.replace(/\/+$/, "")}${path}`, {
          method,
          redirect: "error",
          signal,
          headers: {
            authorization: `Bot ${token}`,
            "user-agent": "DiscordBot (rookery, 1)",
            ...(body && !file ? { "content-type": "application/json" } : {}),
          },
          ...(body ? { body: file ? makeForm(body, file) : JSON.stringify(body) } : {}),
        });
        text = await answer.text();
      } catch (thrown) {
        throw new ChannelError("later", `Cannot reach Discord: ${describeCause(thrown)}.`, { cause: thrown });
      }
      if (answer.ok) return tryParseJson(text);
      const { data } = refusal.safeParse(tryParseJson(text));
      throw toChannelError(answer.status, data?.message ?? "", data?.retry_after);
    },
    stop: () => stopped.abort(),
  };
}

function makeForm(body: object, { name, text }: CardFile): FormData {
  const form = new FormData();
  form.append("payload_json", JSON.stringify(body));
  form.append("files[0]", new Blob([text], { type: "text/plain" }), name);
  return form;
}

function toChannelError(status: number, description: string, retryAfter = 30): ChannelError {
  const cause = { status };
  const reason = description ? ` (${description.slice(0, 200)})` : "";
  if (status === 429) {
    const message = `Discord's rate limit was reached: retry in ${Math.ceil(retryAfter)} s.`;
    return new ChannelError("later", message, { afterMs: Math.ceil(retryAfter * 1000), cause });
  }
  if (status === 401) return makeTokenError(cause);
  if (status === 403) {
    const fix = "add the bot to a server that you are in, and allow direct messages from it";
    return new ChannelError("never", `Discord does not let the bot write to you${reason}: ${fix}.`, {
      cause,
    });
  }
  if (status >= 400 && status < 500)
    return new ChannelError("never", `Discord rejected this message${reason}.`, { cause });
  return new ChannelError("later", `Discord answered HTTP ${status}.`, { cause });
}

export function makeTokenError(cause: unknown = { status: 401 }): ChannelError {
  return new ChannelError("never", `Discord rejected the bot token: ${setupHint} with a new one.`, { cause });
}

/** The HTTP status of Discord's answer; undefined if there was none. */
function statusOf(error: unknown): number | undefined {
  return ((error as ChannelError | undefined)?.cause as { status?: number } | undefined)?.status;
}

export const isTokenError = (error: unknown): boolean => statusOf(error) === 401;

/** True if only this call was wrong: for an edit, the message is gone or the chat is closed. */
export function isRefusedCall(error: unknown): boolean {
  return [400, 403, 404].includes(statusOf(error) ?? 0);
}
