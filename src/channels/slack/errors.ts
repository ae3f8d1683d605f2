import { ChannelError } from "../channel.ts";

/** The fields we read of the SDK's errors. Its classes are only loaded when Slack is on, so `instanceof` is not possible. */
interface SdkError {
  code?: string;
  message?: string;
  statusCode?: number;
  retryAfter?: number;
  data?: { error?: string; needed?: string };
}

const setup = "run `rookery setup slack`";
const refused = (code: string): string => `Slack rejected the bot token (${code}): ${setup} with a new one.`;
const unreachable = (code: string): string =>
  `Slack did not find the channel or user, or the bot is not a member (${code}): invite the bot, or ${setup} with another --channel or --user.`;
const unfit = (code: string): string => `Slack rejected this message (${code}).`;

/** Codes that a retry cannot fix, with a message that says what to do. All other codes are retried. */
const permanent: Record<string, (code: string) => string> = {
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

/** Converts an SDK error into a message that a person can act on. */
export function toChannelError(thrown: unknown): ChannelError {
  if (thrown instanceof ChannelError) return thrown;
  const error = thrown as SdkError;
  if (error.code === "slack_webapi_rate_limited_error") {
    const seconds = error.retryAfter ?? 30;
    return new ChannelError("later", `Slack's rate limit was reached: retry in ${seconds} s.`, {
      afterMs: seconds * 1000,
      cause: thrown,
    });
  }
  if (error.code === "slack_webapi_platform_error") return fromPlatform(error, thrown);
  if (error.code === "slack_webapi_http_error") {
    const status = error.statusCode ?? 0;
    return status >= 500
      ? new ChannelError("later", `Slack answered HTTP ${status}.`, { cause: thrown })
      : new ChannelError("never", `Slack answered HTTP ${status}: check the setting slack.apiUrl.`, {
          cause: thrown,
        });
  }
  return new ChannelError("later", `Cannot reach Slack: ${describeCause(thrown)}`, {
    cause: thrown,
  });
}

function fromPlatform(error: SdkError, cause: unknown): ChannelError {
  const code = error.data?.error ?? "unknown_error";
  if (code === "missing_scope")
    return new ChannelError(
      "never",
      `The Slack app lacks the scope ${error.data?.needed ?? "(not named)"}: add it, reinstall the app, then ${setup}.`,
      { cause },
    );
  const describe = permanent[code];
  if (describe) return new ChannelError("never", describe(code), { cause });
  return new ChannelError("later", `Slack answered ${describeCode(code)}.`, { cause });
}

/** The SDK's own message for a failed request is generic; the innermost cause names the problem (`ECONNREFUSED`). */
function describeCause(thrown: unknown): string {
  let cause = thrown;
  while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause;
  return `${cause instanceof Error ? cause.message : String(cause)}.`;
}

/** Like `toChannelError`, for calls with the app-level token. */
export function toAppTokenError(thrown: unknown): ChannelError {
  const error = toChannelError(thrown);
  const code = platformCode(error);
  if (error.retry === "later" || code === undefined) return error;
  return new ChannelError(
    "never",
    `Slack rejected the app-level token (${code}): make one with the scope connections:write (Basic Information), then ${setup}.`,
    { cause: error.cause },
  );
}

/** For a response that is not JSON, the SDK puts the whole body (an HTML page, say) into the code. */
function describeCode(code: string): string {
  return code.length > 80 ? "with a page instead of JSON" : code;
}

/** Slack's error code; undefined if Slack did not answer with one. */
export function platformCode(error: ChannelError): string | undefined {
  return (error.cause as SdkError | undefined)?.data?.error;
}

export function isRefusedToken(error: ChannelError): boolean {
  return permanent[platformCode(error) ?? ""] === refused;
}

/** True if the setup is broken until a person fixes it; false if Slack only rejected one message. */
export function isAboutSetup(error: ChannelError): boolean {
  const code = platformCode(error);
  if (code === undefined) return error.retry === "never";
  return code === "missing_scope" || permanent[code] === refused || permanent[code] === unreachable;
}

/** True if the response was lost or a 5xx: the call may have taken effect. */
export function isUncertain(error: ChannelError): boolean {
  const { code, statusCode = 0 } = (error.cause ?? {}) as SdkError;
  return code === "slack_webapi_request_error" || (code === "slack_webapi_http_error" && statusCode >= 500);
}
