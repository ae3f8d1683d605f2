import { refuse } from "../errors.ts";
import { objectEntries, requiredObject, requiredString } from "../fields.ts";
import type { JsonObject } from "../json.ts";
import { isObject } from "../json.ts";
import { requireParam } from "../reading.ts";
import { type Call, route } from "../route.ts";
import type { Services } from "../services.ts";
import type { Backup } from "../services/key-backup.ts";

type Keys = [roomId: string, sessionId: string, key: JsonObject][];

function readVersion({ query }: Call): string {
  return query.get("version") ?? refuse("M_MISSING_PARAM", "version is missing.");
}

/** Opaque to the server. */
function readAuthData({ auth_data: data }: JsonObject): unknown {
  return data ?? refuse("M_MISSING_PARAM", "auth_data is missing.");
}

function showBackup({ version, algorithm, authData, etag, count }: Backup): JsonObject {
  return { version: String(version), algorithm, auth_data: authData, etag: String(etag), count };
}

function showCount({ etag, count }: Backup): JsonObject {
  return { etag: String(etag), count };
}

function readSessions(roomId: string, sessions: unknown): Keys {
  if (!isObject(sessions)) refuse("M_BAD_JSON", "sessions must be an object.");
  return Object.entries(sessions).map(([sessionId, key]) => {
    if (!isObject(key)) refuse("M_BAD_JSON", "A session's key must be an object.");
    return [roomId, sessionId, key];
  });
}

/** An upload of 20 MB may have 100,000 keys: other requests are answered in between. */
async function putKeys(call: Call, { keyBackup, timeSlices }: Services, keys: Keys): Promise<JsonObject> {
  const [{ userId }, version] = [call.session, readVersion(call)];
  let backup = keyBackup.put(userId, version, keys.slice(0, putAtOnce));
  const pause = timeSlices.begin();
  for (let at = putAtOnce; at < keys.length; at += putAtOnce) {
    const pausing = pause();
    if (pausing) await pausing;
    backup = keyBackup.put(userId, version, keys.slice(at, at + putAtOnce));
  }
  return showCount(backup);
}

const putAtOnce = 1_000;
const maxBackupBytes = 20_000_000;
const keyErrors = ["M_MISSING_PARAM", "M_NOT_FOUND"] as const;
const putErrors = [...keyErrors, "M_WRONG_ROOM_KEYS_VERSION", "M_BAD_JSON"] as const;

export const keyBackupRoutes = [
  route(
    "POST /_matrix/client/v3/room_keys/version",
    { errors: ["M_MISSING_PARAM", "M_BAD_JSON"] },
    ({ body, session }, { keyBackup }) => ({
      version: keyBackup.create(session.userId, requiredString(body, "algorithm"), readAuthData(body)),
    }),
  ),

  route(
    "GET /_matrix/client/v3/room_keys/version",
    { errors: ["M_NOT_FOUND"] },
    ({ session }, { keyBackup }) => showBackup(keyBackup.get(session.userId)),
  ),

  route(
    "GET /_matrix/client/v3/room_keys/version/{version}",
    { errors: ["M_NOT_FOUND"] },
    (call, { keyBackup }) => showBackup(keyBackup.get(call.session.userId, requireParam(call, "version"))),
  ),

  route(
    "PUT /_matrix/client/v3/room_keys/version/{version}",
    { errors: ["M_NOT_FOUND", "M_INVALID_PARAM", "M_MISSING_PARAM"] },
    (call, { keyBackup }) => {
      const { userId } = call.session;
      const version = requireParam(call, "version");
      const backup = keyBackup.get(userId, version);
      if (requiredString(call.body, "algorithm") !== backup.algorithm)
        refuse("M_INVALID_PARAM", "The algorithm of a backup cannot be changed.");
      if (call.body.version !== undefined && call.body.version !== version)
        refuse("M_INVALID_PARAM", "The versions in the path and the body differ.");
      keyBackup.update(userId, version, readAuthData(call.body));
      return {};
    },
  ),

  route(
    "DELETE /_matrix/client/v3/room_keys/version/{version}",
    { errors: ["M_NOT_FOUND"] },
    (call, { keyBackup }) => {
      keyBackup.remove(call.session.userId, requireParam(call, "version"));
      return {};
    },
  ),

  route("GET /_matrix/client/v3/room_keys/keys", { errors: keyErrors }, (call, { keyBackup }) => {
    const byRoom = keyBackup.keys(call.session.userId, readVersion(call));
    return {
      rooms: Object.fromEntries(Object.entries(byRoom).map(([roomId, sessions]) => [roomId, { sessions }])),
    };
  }),

  route(
    "PUT /_matrix/client/v3/room_keys/keys",
    { errors: putErrors, maxBytes: maxBackupBytes },
    (call, services) => {
      const keys = objectEntries(call.body, "rooms").flatMap(([roomId, room]) =>
        readSessions(roomId, room.sessions),
      );
      return putKeys(call, services, keys);
    },
  ),

  route("DELETE /_matrix/client/v3/room_keys/keys", { errors: keyErrors }, (call, { keyBackup }) =>
    showCount(keyBackup.removeKeys(call.session.userId, readVersion(call))),
  ),

  route("GET /_matrix/client/v3/room_keys/keys/{roomId}", { errors: keyErrors }, (call, { keyBackup }) => {
    const roomId = requireParam(call, "roomId");
    return { sessions: keyBackup.keys(call.session.userId, readVersion(call), roomId)[roomId] ?? {} };
  }),

  route(
    "PUT /_matrix/client/v3/room_keys/keys/{roomId}",
    { errors: putErrors, maxBytes: maxBackupBytes },
    (call, services) => {
      const keys = readSessions(requireParam(call, "roomId"), requiredObject(call.body, "sessions"));
      return putKeys(call, services, keys);
    },
  ),

  route("DELETE /_matrix/client/v3/room_keys/keys/{roomId}", { errors: keyErrors }, (call, { keyBackup }) =>
    showCount(keyBackup.removeKeys(call.session.userId, readVersion(call), requireParam(call, "roomId"))),
  ),

  route(
    "GET /_matrix/client/v3/room_keys/keys/{roomId}/{sessionId}",
    { errors: keyErrors },
    (call, { keyBackup }) => {
      const [roomId, sessionId] = [requireParam(call, "roomId"), requireParam(call, "sessionId")];
      const key = keyBackup.keys(call.session.userId, readVersion(call), roomId, sessionId)[roomId]?.[
        sessionId
      ];
      return key ?? refuse("M_NOT_FOUND", "There is no such key.");
    },
  ),

  route(
    "PUT /_matrix/client/v3/room_keys/keys/{roomId}/{sessionId}",
    { errors: putErrors },
    (call, { keyBackup }) => {
      const key = call.body;
      if (key.session_data === undefined) refuse("M_BAD_JSON", "session_data is missing.");
      const keys: Keys = [[requireParam(call, "roomId"), requireParam(call, "sessionId"), key]];
      return showCount(keyBackup.put(call.session.userId, readVersion(call), keys));
    },
  ),

  route(
    "DELETE /_matrix/client/v3/room_keys/keys/{roomId}/{sessionId}",
    { errors: keyErrors },
    (call, { keyBackup }) => {
      const [roomId, sessionId] = [requireParam(call, "roomId"), requireParam(call, "sessionId")];
      return showCount(keyBackup.removeKeys(call.session.userId, readVersion(call), roomId, sessionId));
    },
  ),
];
