import { randomInt } from "node:crypto";
import { refuse } from "../errors.ts";
import { optionalBoolean, optionalString } from "../fields.ts";
import { route } from "../route.ts";
import { isLocalpart } from "../rules/identifiers.ts";
import type { Services } from "../services.ts";
import { hashPassword } from "../services/passwords.ts";
import { showTokens } from "./login.ts";

/** `M_INVALID_USERNAME` for what cannot be one, `M_USER_IN_USE` for what is somebody's. */
function checkUsername(username: string, { accounts, serverName }: Services): string {
  const local = username.toLowerCase();
  const userId = `@${local}:${serverName}`;
  if (!isLocalpart(local) || local.startsWith("_") || userId.length > 255)
    refuse("M_INVALID_USERNAME", "A user name has letters, digits and . _ = - / + only, and no _ in front.");
  if (accounts.find(userId)) refuse("M_USER_IN_USE", `${userId} is taken.`);
  return userId;
}

const shortestPassword = 1;
const longestPassword = 512;

export const registerRoutes = [
  route(
    "POST /_matrix/client/v3/register",
    {
      access: "open",
      errors: [
        ...(["M_FORBIDDEN", "M_UNAUTHORIZED", "M_USER_IN_USE", "M_INVALID_USERNAME", "M_BAD_JSON"] as const),
        ...(["M_MISSING_PARAM", "M_WEAK_PASSWORD", "M_GUEST_ACCESS_FORBIDDEN"] as const),
      ],
    },
    async ({ body, query }, services) => {
      const kind = query.get("kind") ?? "user";
      if (kind === "guest") refuse("M_GUEST_ACCESS_FORBIDDEN", "There are no guests here.");
      if (!services.registration.isOpen)
        refuse("M_FORBIDDEN", "Registration is closed: ask whoever runs this server to invite you.");
      const username = optionalString(body, "username");
      const password = optionalString(body, "password");
      const deviceId = optionalString(body, "device_id");
      const name = optionalString(body, "initial_device_display_name");
      const isInhibited = optionalBoolean(body, "inhibit_login") ?? false;
      const canRefresh = optionalBoolean(body, "refresh_token") ?? false;
      if (username !== undefined) checkUsername(username, services);
      await services.userInteractive.confirm(body, { type: "m.login.dummy" });
      if (password === undefined) refuse("M_MISSING_PARAM", "password is missing.");
      if (password.length < shortestPassword || password.length > longestPassword)
        refuse("M_WEAK_PASSWORD", `A password has ${shortestPassword} to ${longestPassword} characters.`);
      const hash = await hashPassword(password);
      // Again: somebody may have been faster while the password was hashed.
      const userId = checkUsername(username ?? `user${randomInt(1e9, 1e10)}`, services);
      services.accounts.create(userId, hash, services.clock());
      if (isInhibited) return { user_id: userId, home_server: services.serverName };
      return showTokens(services.sessions.open(userId, { deviceId, name, canRefresh }), services);
    },
  ),

  route(
    "GET /_matrix/client/v3/register/available",
    { access: "open", errors: ["M_INVALID_USERNAME", "M_USER_IN_USE", "M_MISSING_PARAM"] },
    ({ query }, services) => {
      checkUsername(query.get("username") ?? refuse("M_MISSING_PARAM", "username is missing."), services);
      return { available: true };
    },
  ),
];
