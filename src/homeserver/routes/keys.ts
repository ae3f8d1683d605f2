import { refuse } from "../errors.ts";
import { objectEntries, optionalObject, requiredObject } from "../fields.ts";
import { type JsonObject, makeDictionary } from "../json.ts";
import { requireParam, readPosition } from "../reading.ts";
import { type Call, route } from "../route.ts";
import type { Services } from "../services.ts";
import type { KeyUsage } from "../services/cross-signing.ts";
import type { Session } from "../services/sessions.ts";

/** The keys must name the caller's own user and device. */
function checkDeviceKeys(keys: JsonObject, { userId, deviceId }: Session): void {
  if (keys.user_id !== userId || keys.device_id !== deviceId)
    refuse("M_INVALID_PARAM", "The keys belong to another user or device.");
  for (const name of ["algorithms", "keys"])
    if (typeof keys[name] !== "object" || keys[name] === null)
      refuse("M_BAD_JSON", `device_keys.${name} is missing.`);
}

function queryKeys(call: Call, services: Services): JsonObject {
  const reader = call.session.userId;
  const { crossSigning, deviceKeys, sessions, accounts } = services;
  const asked = requiredObject(call.body, "device_keys");
  const answer: Record<
    "device_keys" | "master_keys" | "self_signing_keys" | "user_signing_keys",
    JsonObject
  > = {
    device_keys: {},
    master_keys: {},
    self_signing_keys: {},
    user_signing_keys: {},
  };
  for (const [userId, wanted] of Object.entries(asked)) {
    if (!Array.isArray(wanted)) refuse("M_BAD_JSON", "device_keys must map users to arrays of devices.");
    if (!accounts.find(userId)) continue;
    const names = new Map(sessions.devices(userId).map(({ id, name }) => [id, name]));
    const devices: JsonObject = makeDictionary();
    for (const { device, keys } of deviceKeys.of(userId)) {
      if (wanted.length > 0 && !wanted.includes(device)) continue;
      const name = names.get(device);
      const signed = crossSigning.withSignatures(keys, userId, device, reader);
      devices[device] = { ...signed, unsigned: name === undefined ? {} : { device_display_name: name } };
    }
    answer.device_keys[userId] = devices;
    const usages: KeyUsage[] =
      userId === reader ? ["master", "self_signing", "user_signing"] : ["master", "self_signing"];
    for (const usage of usages) {
      const key = crossSigning.key(userId, usage);
      if (key)
        answer[`${usage}_keys`][userId] = crossSigning.withSignatures(
          key,
          userId,
          crossSigning.keyId(key),
          reader,
        );
    }
  }
  return { ...answer, failures: {} };
}

const upload = ["M_INVALID_PARAM", "M_BAD_JSON"] as const;

export const keyRoutes = [
  route("POST /_matrix/client/v3/keys/upload", { errors: upload }, ({ body, session }, { deviceKeys }) => {
    const keys = optionalObject(body, "device_keys");
    const oneTime = optionalObject(body, "one_time_keys");
    const fallback = optionalObject(body, "fallback_keys");
    if (keys) checkDeviceKeys(keys, session);
    if (oneTime) deviceKeys.addOneTimeKeys(session, oneTime);
    if (fallback) deviceKeys.setFallbackKeys(session, fallback);
    if (keys) deviceKeys.setDevice(session, keys);
    return { one_time_key_counts: deviceKeys.counts(session.userId, session.deviceId) };
  }),

  route("POST /_matrix/client/v3/keys/query", { errors: ["M_MISSING_PARAM", "M_BAD_JSON"] }, queryKeys),

  route(
    "POST /_matrix/client/v3/keys/claim",
    { errors: ["M_MISSING_PARAM", "M_BAD_JSON"] },
    ({ body }, { deviceKeys }) => {
      const claimed = makeDictionary<JsonObject>();
      for (const [userId, devices] of objectEntries(body, "one_time_keys"))
        for (const [deviceId, algorithm] of Object.entries(devices)) {
          if (typeof algorithm !== "string") refuse("M_BAD_JSON", "The algorithm must be a string.");
          const key = deviceKeys.claim(userId, deviceId, algorithm);
          if (key) (claimed[userId] ??= makeDictionary())[deviceId] = key;
        }
      return { one_time_keys: claimed, failures: {} };
    },
  ),

  route(
    "GET /_matrix/client/v3/keys/changes",
    { errors: ["M_MISSING_PARAM", "M_INVALID_PARAM"] },
    ({ query, session }, { deviceChanges }) => {
      const from = readPosition(query.get("from")) ?? refuse("M_MISSING_PARAM", "from is missing.");
      const { changed, left } = deviceChanges.listBetween(
        session.userId,
        from,
        readPosition(query.get("to")),
      );
      return { changed, left };
    },
  ),

  route(
    "PUT /_matrix/client/v3/sendToDevice/{eventType}/{txnId}",
    { errors: ["M_MISSING_PARAM", "M_BAD_JSON", "M_TOO_LARGE"] },
    (call, { toDevice }) => {
      const messages = objectEntries(call.body, "messages");
      toDevice.send(call.session, requireParam(call, "eventType"), requireParam(call, "txnId"), messages);
      return {};
    },
  ),
];
