import { refuse } from "../errors.ts";
import { optionalString, optionalStrings } from "../fields.ts";
import type { JsonObject } from "../json.ts";
import { requireParam, requireSelf } from "../reading.ts";
import { type Call, route } from "../route.ts";
import type { Services } from "../services.ts";
import type { Device } from "../services/sessions.ts";

function showDevice({ id, name, seenAt, seenIp }: Device, userId: string): JsonObject {
  return {
    device_id: id,
    user_id: userId,
    // Optional in the specification, but some clients require it.
    display_name: name ?? "",
    ...(seenAt === undefined ? {} : { last_seen_ts: seenAt }),
    ...(seenIp === undefined ? {} : { last_seen_ip: seenIp }),
  };
}

function findDevice({ session, params }: Call, { sessions }: Services): Device {
  const id = params.deviceId ?? "";
  return sessions.device(session.userId, id) ?? refuse("M_NOT_FOUND", `There is no device ${id}.`);
}

const maxNameLength = 100;

export const deviceRoutes = [
  route("GET /_matrix/client/v3/admin/whois/{userId}", { errors: ["M_FORBIDDEN"] }, (call, { sessions }) => {
    const userId = requireSelf(call);
    const devices = sessions.devices(userId).map(({ id, seenAt, seenIp }) => {
      const connections = seenAt === undefined ? [] : [{ ip: seenIp, last_seen: seenAt, user_agent: "" }];
      return [id, { sessions: [{ connections }] }];
    });
    return { user_id: userId, devices: Object.fromEntries(devices) };
  }),

  route("GET /_matrix/client/v3/devices", {}, ({ session }, { sessions }) => ({
    devices: sessions.devices(session.userId).map((device) => showDevice(device, session.userId)),
  })),

  route("GET /_matrix/client/v3/devices/{deviceId}", { errors: ["M_NOT_FOUND"] }, (call, services) =>
    showDevice(findDevice(call, services), call.session.userId),
  ),

  route(
    "PUT /_matrix/client/v3/devices/{deviceId}",
    { errors: ["M_NOT_FOUND", "M_TOO_LARGE", "M_BAD_JSON"] },
    (call, services) => {
      const { id } = findDevice(call, services);
      const name = optionalString(call.body, "display_name");
      if (name === undefined) return {};
      if (name.length > maxNameLength)
        refuse("M_TOO_LARGE", `display_name is longer than ${maxNameLength} characters.`, { status: 400 });
      services.sessions.rename(call.session.userId, id, name);
      services.deviceLists.recordChange(call.session.userId);
      return {};
    },
  ),

  route(
    "DELETE /_matrix/client/v3/devices/{deviceId}",
    { errors: ["M_UNAUTHORIZED", "M_FORBIDDEN"] },
    async (call, services) => {
      const { userId } = call.session;
      const deviceId = requireParam(call, "deviceId");
      const stage = { type: "m.login.password" as const, userId };
      await services.userInteractive.confirm(call.body, `delete device ${deviceId}`, stage);
      services.signOut.devices(userId, [deviceId]);
      return {};
    },
  ),

  route(
    "POST /_matrix/client/v3/delete_devices",
    { errors: ["M_UNAUTHORIZED", "M_FORBIDDEN", "M_MISSING_PARAM", "M_BAD_JSON"] },
    async ({ body, session }, services) => {
      const { userId } = session;
      const devices = optionalStrings(body, "devices");
      if (!devices && !body.auth) refuse("M_MISSING_PARAM", "devices is missing.");
      const stage = { type: "m.login.password" as const, userId };
      const params = await services.userInteractive.confirm(body, "delete devices", stage);
      services.signOut.devices(userId, optionalStrings(params, "devices") ?? []);
      return {};
    },
  ),
];
