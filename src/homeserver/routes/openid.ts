import { refuse } from "../errors.ts";
import { requireSelf } from "../reading.ts";
import { route } from "../route.ts";

export const openIdRoutes = [
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
