import { ChannelError } from "../channel.ts";

/** The fields we read of the SDK's errors. Its classes are only loaded when Slack is on, so `instanceof` is not possible. */
interface SdkError {
  code?: string;
  message?: string;
  statusCode?: number;
  retryAfter?: number;
  data?: { error?: string; needed?: string };
}

const setupHint = "run `rookery setup slack`";
const describeRejectedToken = (code: string): string =>
  `Slack rejected the bot token (${code}): ${setupHint} with a new one.`;
const describeUnknownTarget = (code: string): string =>
  `Slack did not find the channel or user, or the bot is not a member (${code}): invite the bot, or ${setupHint} with another --channel or --user.`;
const describeRejectedMessage = (code: string): string => `Slack rejected this message (${code}).`;

/** Codes that a retry cannot fix, with a message that says what to do. All other codes are retried. */
const permanentErrors: Record<string, (code: string) => string> = {
  invalid_auth: describeRejectedToken,
  not_authed: describeRejectedToken,
  account_inactive: describeRejectedToken,
  token_revoked: describeRejectedToken,
  token_expired: describeRejectedToken,
  not_allowed_token_type: describeRejectedToken,
  org_login_required: describeRejectedToken,
  ekm_access_denied: describeRejectedToken,
  channel_not_found: describeUnknownTarget,
  not_in_channel: describeUnknownTarget,
  is_archived: describeUnknownTarget,
  user_not_found: describeUnknownTarget,
  users_not_found: describeUnknownTarget,
  user_disabled: describeUnknownTarget,
  cannot_dm_bot: describeUnknownTarget,
  restricted_action: describeUnknownTarget,
  invalid_blocks: describeRejectedMessage,
  invalid_blocks_format: describeRejectedMessage,
  invalid_arguments: describeRejectedMessage,
  msg_too_long: describeRejectedMessage,
  msg_blocks_too_long: describeRejectedMessage,
  no_text: describeRejectedMessage,
  message_not_found: describeRejectedMessage,
  thread_not_found: describeRejectedMessage,
  cant_update_message: describeRejectedMessage,
  edit_window_closed: describeRejectedMessage,
  expired_trigger_id: describeRejectedMessage,
  invalid_trigger_id: describeRejectedMessage,
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
      `The Slack app lacks the scope ${error.data?.needed ?? "(not named)"}: add it, reinstall the app, then ${setupHint}.`,
      { cause },
    );
  const describe = permanentErrors[code];
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
    `Slack rejected the app-level token (${code}): make one with the scope connections:write (Basic Information), then ${setupHint}.`,
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

export function isTokenError(error: ChannelError): boolean {
  return permanentErrors[platformCode(error) ?? ""] === describeRejectedToken;
}

/** True if the setup is broken until a person fixes it; false if Slack only rejected one message. */
export function isSetupError(error: ChannelError): boolean {
  const code = platformCode(error);
  if (code === undefined) return error.retry === "never";
  return (
    code === "missing_scope" ||
    permanentErrors[code] === describeRejectedToken ||
    permanentErrors[code] === describeUnknownTarget
  );
}

/** True if the response was lost or a 5xx: the call may have taken effect. */
export function mayHaveSucceeded(error: ChannelError): boolean {
  const { code, statusCode = 0 } = (error.cause ?? {}) as SdkError;
  return code === "slack_webapi_request_error" || (code === "slack_webapi_http_error" && statusCode >= 500);
}
