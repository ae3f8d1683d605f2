import { refuse } from "../errors.ts";
import { optionalBoolean, optionalString, requiredString } from "../fields.ts";
import { requireSelf } from "../reading.ts";
import { route } from "../route.ts";
import { hashPassword } from "../services/passwords.ts";

export const accountRoutes = [
  route("GET /_matrix/client/v3/account/whoami", {}, ({ session }) => ({
    user_id: session.userId,
    device_id: session.deviceId,
    is_guest: false,
  })),

  route(
    "POST /_matrix/client/v3/account/password",
    { errors: ["M_UNAUTHORIZED", "M_FORBIDDEN", "M_MISSING_PARAM", "M_WEAK_PASSWORD"] },
    async ({ body, session }, services) => {
      const { userId, deviceId } = session;
      optionalBoolean(body, "logout_devices");
      const params = await services.userInteractive.confirm(body, "change the password", {
        type: "m.login.password",
        userId,
      });
      const keepsOthers = params.logout_devices === false;
      const password = requiredString(params, "new_password");
      if (password === "") refuse("M_WEAK_PASSWORD", "The password is empty.");
      services.accounts.setPassword(userId, await hashPassword(password));
      if (!keepsOthers) services.signOut.all(userId, deviceId);
      return {};
    },
  ),

  route(
    "POST /_matrix/client/v3/account/deactivate",
    { errors: ["M_UNAUTHORIZED", "M_FORBIDDEN"] },
    async ({ body, session }, services) => {
      const { userId } = session;
      optionalString(body, "id_server");
      optionalBoolean(body, "erase");
      const { erase } = await services.userInteractive.confirm(body, "deactivate", {
        type: "m.login.password",
        userId,
      });
      for (const member of services.members.of(userId).values()) {
        const room = services.rooms.find(member.roomId);
        if (room && ["join", "invite", "knock"].includes(member.membership))
          services.membership.leave(room, userId);
      }
      services.accounts.deactivate(userId, erase === true);
      services.signOut.all(userId);
      return { id_server_unbind_result: "no-support" };
    },
  ),

  route(
    "POST /_matrix/client/v3/user/{userId}/openid/request_token",
    { errors: ["M_FORBIDDEN"] },
    (call, { openIds, serverName }) => {
      const { token, expiresInS } = openIds.issue(requireSelf(call));
      return {
        access_token: token,
        token_type: "Bearer",
        matrix_server_name: serverName,
        expires_in: expiresInS,
      };
    },
  ),

  // Called by the third party that received the token.
  route(
    "GET /_matrix/federation/v1/openid/userinfo",
    { access: "open", errors: ["M_MISSING_TOKEN", "M_UNKNOWN_TOKEN"] },
    ({ query }, { openIds }) => {
      const token = query.get("access_token") ?? refuse("M_MISSING_TOKEN", "access_token is missing.");
      return { sub: openIds.find(token) ?? refuse("M_UNKNOWN_TOKEN", "Unknown token.") };
    },
  ),
];
