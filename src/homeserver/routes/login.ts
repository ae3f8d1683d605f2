import { refuse } from "../errors.ts";
import { optionalBoolean, optionalString, requiredString } from "../fields.ts";
import { isObject, type JsonObject } from "../json.ts";
import { route } from "../route.ts";
import type { Services } from "../services.ts";
import { resolveUser } from "../services/accounts.ts";
import type { Tokens } from "../services/sessions.ts";
import { readUser } from "../services/user-interactive.ts";

/** The response to a new session. */
export function toLoginResponse(tokens: Tokens, services: Services): JsonObject {
  const { session, accessToken, refreshToken, expiresInMs } = tokens;
  return {
    user_id: session.userId,
    access_token: accessToken,
    device_id: session.deviceId,
    home_server: services.serverName,
    ...(refreshToken === undefined ? {} : { refresh_token: refreshToken, expires_in_ms: expiresInMs }),
  };
}

export const loginRoutes = [
  route("GET /_matrix/client/v3/login", { access: "open" }, () => ({
    flows: [{ type: "m.login.password" }],
  })),

  route(
    "POST /_matrix/client/v3/login",
    {
      access: "open",
      errors: [
        "M_FORBIDDEN",
        "M_UNKNOWN",
        "M_MISSING_PARAM",
        "M_BAD_JSON",
        "M_LIMIT_EXCEEDED",
        "M_USER_DEACTIVATED",
      ],
    },
    async ({ body }, services) => {
      const type = requiredString(body, "type");
      if (type !== "m.login.password") refuse("M_UNKNOWN", `Unknown login type ${type}.`);
      if (isObject(body.identifier) && body.identifier.type !== "m.id.user")
        refuse("M_UNKNOWN", "Only m.id.user identifiers are supported.");
      const user = readUser(body) ?? refuse("M_MISSING_PARAM", "identifier is missing.");
      const password = requiredString(body, "password");
      const deviceId = optionalString(body, "device_id");
      const name = optionalString(body, "initial_device_display_name");
      const canRefresh = optionalBoolean(body, "refresh_token") ?? false;
      const userId = resolveUser(services.accounts, user, services.serverName);
      const account = services.accounts.find(userId);
      if (account?.isDeactivated) refuse("M_USER_DEACTIVATED", "This account has been deactivated.");
      if (!(await services.passwords.check(userId, password, account?.password)))
        refuse("M_FORBIDDEN", "Wrong user name or password.");
      const tokens = services.sessions.open(userId, { deviceId, name, canRefresh });
      services.deviceLists.recordChange(userId);
      return toLoginResponse(tokens, services);
    },
  ),

  route(
    "POST /_matrix/client/v3/refresh",
    { access: "open", errors: ["M_UNKNOWN_TOKEN", "M_MISSING_PARAM"] },
    ({ body }, { sessions }) => {
      const { accessToken, refreshToken, expiresInMs } = sessions.refresh(
        requiredString(body, "refresh_token"),
      );
      return { access_token: accessToken, refresh_token: refreshToken, expires_in_ms: expiresInMs };
    },
  ),

  route("POST /_matrix/client/v3/logout", {}, ({ session }, { signOut }) => {
    signOut.devices(session.userId, [session.deviceId]);
    return {};
  }),

  route("POST /_matrix/client/v3/logout/all", {}, ({ session }, { signOut }) => {
    signOut.all(session.userId);
    return {};
  }),
];
