import { ChannelError } from "../channel.ts";

/** What the web client throws, as far as we look at it; its classes are loaded only when Slack is on. */
interface ThrownBySdk {
  code?: string;
  message?: string;
  statusCode?: number;
  retryAfter?: number;
  data?: { error?: string; needed?: string };
}

const again = "run `rookery setup slack`";
const refused = (code: string): string => `Slack refuses the bot token (${code}): ${again} with a new one.`;
const unreachable = (code: string): string =>
  `Slack does not know the place to write to, or the bot is not in it (${code}): invite the bot, or ${again} with another --channel or --user.`;
const unfit = (code: string): string => `Slack does not take this message (${code}).`;

/** Codes after which trying again changes nothing, and what to do. Every other one is tried again. */
const lasting: Record<string, (code: string) => string> = {
  invalid_auth: refused,
  not_authed: refused,
  account_inactive: refused,
  token_revoked: refused,
  token_expired: refused,
  not_allowed_token_type: refused,
  org_login_required: refused,
  ekm_access_denied: refused,
  channel_not_found: unreachable,
  not_in_channel: unreachable,
  is_archived: unreachable,
  user_not_found: unreachable,
  users_not_found: unreachable,
  user_disabled: unreachable,
  cannot_dm_bot: unreachable,
  restricted_action: unreachable,
  invalid_blocks: unfit,
  invalid_blocks_format: unfit,
  invalid_arguments: unfit,
  msg_too_long: unfit,
  msg_blocks_too_long: unfit,
  no_text: unfit,
  message_not_found: unfit,
  thread_not_found: unfit,
  cant_update_message: unfit,
  edit_window_closed: unfit,
  expired_trigger_id: unfit,
  invalid_trigger_id: unfit,
};

/** What failed, in words a person can act on. */
export function toChannelError(thrown: unknown): ChannelError {
  if (thrown instanceof ChannelError) return thrown;
  const error = thrown as ThrownBySdk;
  if (error.code === "slack_webapi_rate_limited_error") {
    const seconds = error.retryAfter ?? 30;
    return new ChannelError("later", `Slack asks to wait ${seconds} s.`, {
      afterMs: seconds * 1000,
      cause: thrown,
    });
  }
  if (error.code === "slack_webapi_platform_error") return fromPlatform(error, thrown);
  if (error.code === "slack_webapi_http_error") {
    const status = error.statusCode ?? 0;
    return status >= 500
      ? new ChannelError("later", `Slack has trouble (HTTP ${status}).`, { cause: thrown })
      : new ChannelError("never", `Slack answers HTTP ${status}: check the setting slack.apiUrl.`, {
          cause: thrown,
        });
  }
  return new ChannelError("later", `Slack cannot be reached: ${describeCause(thrown)}`, {
    cause: thrown,
  });
}

function fromPlatform(error: ThrownBySdk, cause: unknown): ChannelError {
  const code = error.data?.error ?? "unknown_error";
  if (code === "missing_scope")
    return new ChannelError(
      "never",
      `The Slack app lacks the scope ${error.data?.needed ?? "(not named)"}: add it, reinstall the app, then ${again}.`,
      { cause },
    );
  const describe = lasting[code];
  if (describe) return new ChannelError("never", describe(code), { cause });
  return new ChannelError("later", `Slack answers ${describeCode(code)}.`, { cause });
}

/** The SDK's own words for a failed request say nothing; what lies beneath does (`ECONNREFUSED`). */
function describeCause(thrown: unknown): string {
  let cause = thrown;
  while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause;
  return `${cause instanceof Error ? cause.message : String(cause)}.`;
}

/** The same for a call with the app-level token, which has its own page on Slack's side. */
export function toAppTokenError(thrown: unknown): ChannelError {
  const error = toChannelError(thrown);
  const code = platformCode(error);
  if (error.retry === "later" || code === undefined) return error;
  return new ChannelError(
    "never",
    `Slack refuses the app-level token (${code}): make one with the scope connections:write (Basic Information), then ${again}.`,
    { cause: error.cause },
  );
}

/** An answer that is not JSON comes back as its code: a page of HTML is no message. */
function describeCode(code: string): string {
  return code.length > 80 ? "with something that is not its API" : code;
}

/** The code of Slack's own refusal, where that is what it was. */
export function platformCode(error: ChannelError): string | undefined {
  return (error.cause as ThrownBySdk | undefined)?.data?.error;
}

export function isRefusedToken(error: ChannelError): boolean {
  return lasting[platformCode(error) ?? ""] === refused;
}

/** What a person has to mend before anything works, as against one message that Slack does not like. */
export function isAboutSetup(error: ChannelError): boolean {
  const code = platformCode(error);
  if (code === undefined) return error.retry === "never";
  return code === "missing_scope" || lasting[code] === refused || lasting[code] === unreachable;
}

/** Nobody told us no: the call may have been carried out. */
export function isUncertain(error: ChannelError): boolean {
  const { code, statusCode = 0 } = (error.cause ?? {}) as ThrownBySdk;
  return code === "slack_webapi_request_error" || (code === "slack_webapi_http_error" && statusCode >= 500);
}
