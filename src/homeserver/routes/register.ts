import { randomInt } from "node:crypto";
import { refuse } from "../errors.ts";
import { optionalBoolean, optionalString } from "../fields.ts";
import type { JsonObject } from "../json.ts";
import { route } from "../route.ts";
import { isLocalpart } from "../rules/identifiers.ts";
import type { Services } from "../services.ts";
import { hashPassword } from "../services/passwords.ts";
import { toLoginResponse } from "./login.ts";

/** `M_INVALID_USERNAME` for an invalid name, `M_USER_IN_USE` for a taken one. */
function checkUsername(username: string, { accounts, serverName }: Services): string {
  const local = username.toLowerCase();
  const userId = `@${local}:${serverName}`;
  if (!isLocalpart(local) || local.startsWith("_") || userId.length > 255)
    refuse(
      "M_INVALID_USERNAME",
      "A user name may contain only letters, digits and . _ = - / +, and cannot start with _.",
    );
  if (accounts.find(userId)) refuse("M_USER_IN_USE", `${userId} is taken.`);
  return userId;
}

const minPasswordLength = 1;
const maxPasswordLength = 512;

interface Registration {
  username: string | undefined;
  password: string | undefined;
  deviceId: string | undefined;
  name: string | undefined;
  isInhibited: boolean;
  canRefresh: boolean;
}

function readRegistration(body: JsonObject): Registration {
  return {
    username: optionalString(body, "username"),
    password: optionalString(body, "password"),
    deviceId: optionalString(body, "device_id"),
    name: optionalString(body, "initial_device_display_name"),
    // Older clients send 1 instead of true.
    isInhibited: body.inhibit_login === 1 || (optionalBoolean(body, "inhibit_login") ?? false),
    canRefresh: optionalBoolean(body, "refresh_token") ?? false,
  };
}

function begin(userId: string, registration: Registration, services: Services): JsonObject {
  if (registration.isInhibited) return { user_id: userId, home_server: services.serverName };
  return toLoginResponse(services.sessions.open(userId, registration), services);
}

export const registerRoutes = [
  route(
    "POST /_matrix/client/v3/register",
    {
      access: "open",
      errors: [
        ...(["M_FORBIDDEN", "M_UNAUTHORIZED", "M_USER_IN_USE", "M_INVALID_USERNAME", "M_BAD_JSON"] as const),
        ...(["M_MISSING_PARAM", "M_WEAK_PASSWORD", "M_GUEST_ACCESS_FORBIDDEN", "M_INVALID_PARAM"] as const),
      ],
    },
    async ({ body, query }, services) => {
      const kind = query.get("kind") ?? "user";
      if (kind === "guest") refuse("M_GUEST_ACCESS_FORBIDDEN", "Guest access is not supported.");
      if (body.type === "m.login.application_service")
        refuse("M_FORBIDDEN", "This server has no application services.");
      if (kind !== "user") refuse("M_INVALID_PARAM", "kind must be user or guest.");
      if (!services.registration.isOpen)
        refuse("M_FORBIDDEN", "Registration is closed. Ask the owner of this server for an account.");
      const asked = readRegistration(body);
      // A repeated request after a lost response: the auth session proves that it is the same client.
      const repeated = services.userInteractive.outcome(body);
      if (repeated !== undefined && !services.accounts.get(repeated).isDeactivated)
        return begin(repeated, asked, services);
      if (asked.username !== undefined) checkUsername(asked.username, services);
      const params = await services.userInteractive.confirm(body, "register", { type: "m.login.dummy" });
      const registration = readRegistration(params);
      const { username, password } = registration;
      if (password === undefined) refuse("M_MISSING_PARAM", "password is missing.");
      if (password.length < minPasswordLength || password.length > maxPasswordLength)
        refuse(
          "M_WEAK_PASSWORD",
          `A password must have ${minPasswordLength} to ${maxPasswordLength} characters.`,
        );
      const hash = await hashPassword(password);
      // Check again: the name may have been taken while the password was hashed.
      const userId = checkUsername(username ?? `user${randomInt(1e9, 1e10)}`, services);
      services.accounts.create(userId, hash, services.clock());
      services.userInteractive.remember(body, userId);
      return begin(userId, registration, services);
    },
  ),

  route(
    "GET /_matrix/client/v3/register/available",
    { access: "guarded", errors: ["M_INVALID_USERNAME", "M_USER_IN_USE", "M_MISSING_PARAM"] },
    ({ query }, services) => {
      checkUsername(query.get("username") ?? refuse("M_MISSING_PARAM", "username is missing."), services);
      return { available: true };
    },
  ),
];
