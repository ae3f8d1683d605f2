import { refuse } from "../errors.ts";
import { optionalString } from "../fields.ts";
import type { JsonObject } from "../json.ts";
import { requireParam, requireSelf } from "../reading.ts";
import { type Call, route } from "../route.ts";
import type { Services } from "../services.ts";
import type { Account, ProfileField } from "../services/accounts.ts";

const maxValueLength = 1_000;

function showProfile(account: Account, field?: ProfileField): JsonObject {
  const profile: JsonObject = {};
  if (field !== "avatar_url" && account.displayName !== undefined) profile.displayname = account.displayName;
  if (field !== "displayname" && account.avatarUrl !== undefined) profile.avatar_url = account.avatarUrl;
  return profile;
}

function setField(call: Call, services: Services, field: ProfileField): JsonObject {
  const userId = requireSelf(call);
  const value = optionalString(call.body, field);
  if (value !== undefined && value.length > maxValueLength)
    refuse("M_INVALID_PARAM", `${field} is longer than ${maxValueLength} characters.`);
  services.accounts.setProfile(userId, field, value === "" ? undefined : value);
  services.membership.propagateProfile(userId);
  return {};
}

export const profileRoutes = [
  route(
    "GET /_matrix/client/v3/profile/{userId}",
    { access: "guarded", errors: ["M_NOT_FOUND"] },
    (call, { accounts }) => showProfile(accounts.get(requireParam(call, "userId"))),
  ),

  route(
    "GET /_matrix/client/v3/profile/{userId}/displayname",
    { access: "guarded", errors: ["M_NOT_FOUND"] },
    (call, { accounts }) => showProfile(accounts.get(requireParam(call, "userId")), "displayname"),
  ),

  route(
    "GET /_matrix/client/v3/profile/{userId}/avatar_url",
    { access: "guarded", errors: ["M_NOT_FOUND"] },
    (call, { accounts }) => showProfile(accounts.get(requireParam(call, "userId")), "avatar_url"),
  ),

  route(
    "PUT /_matrix/client/v3/profile/{userId}/displayname",
    { errors: ["M_FORBIDDEN", "M_BAD_JSON", "M_INVALID_PARAM"] },
    (call, services) => setField(call, services, "displayname"),
  ),

  route(
    "PUT /_matrix/client/v3/profile/{userId}/avatar_url",
    { errors: ["M_FORBIDDEN", "M_BAD_JSON", "M_INVALID_PARAM"] },
    (call, services) => setField(call, services, "avatar_url"),
  ),
];
