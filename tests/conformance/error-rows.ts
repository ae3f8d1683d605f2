/** Requests that cause each error of each route. `<name>` is replaced with a value of errors.test.ts. */
export interface ErrorRow {
  /** alice created the room, bob is a member without power, carol is not a member; `nobody` has no token. */
  as?: "alice" | "bob" | "carol" | "nobody";
  params?: Record<string, string>;
  query?: string;
  body?: unknown;
  /** If it differs from the default status of the code. */
  status?: number;
}

type RouteRows = Record<string, ErrorRow>;

const outside: ErrorRow = { as: "carol" };
const notSelf: ErrorRow = { params: { userId: "<bob>" }, body: {} };
const auth = (user: string, password: string): unknown => ({
  type: "m.login.password",
  identifier: { type: "m.id.user", user },
  password,
});
const unconfirmed: ErrorRow = { body: { devices: [], new_password: "x" } };
const confirmedByAnother: ErrorRow = {
  body: { auth: auth("<bob>", "<password>"), devices: [], new_password: "x" },
};
const badReason: ErrorRow = { body: { reason: 5 } };
const targeted: RouteRows = {
  M_FORBIDDEN: { as: "carol", body: { user_id: "<bob>" } },
  M_MISSING_PARAM: { body: {} },
  M_INVALID_PARAM: { body: { user_id: "nobody in particular" } },
  M_BAD_JSON: { body: { user_id: 7 } },
};
const tooLong = "x".repeat(70_000);
const putState: RouteRows = {
  M_FORBIDDEN: { as: "bob", params: { eventType: "m.room.name" }, body: { name: "mine now" } },
  M_BAD_JSON: { params: { eventType: "m.room.name" }, body: { name: 1.5 } },
  M_TOO_LARGE: { params: { eventType: "m.room.topic" }, body: { topic: tooLong } },
  M_BAD_ALIAS: { params: { eventType: "m.room.canonical_alias" }, body: { alias: "#nosuch:rookery.local" } },
  M_INVALID_PARAM: { params: { eventType: "m.room.canonical_alias" }, body: { alias: "%bad:rookery.local" } },
};
const seen: RouteRows = {
  M_FORBIDDEN: outside,
  M_NOT_FOUND: { params: { eventId: "$nosuch" }, query: "dir=b" },
  M_INVALID_PARAM: { query: "from=yesterday&limit=many" },
};
const profile: RouteRows = {
  M_FORBIDDEN: notSelf,
  M_BAD_JSON: { body: { displayname: 5, avatar_url: 5 } },
  M_INVALID_PARAM: { body: { displayname: "x".repeat(2_000), avatar_url: "x".repeat(2_000) } },
};
const noRule: RouteRows = {
  M_NOT_FOUND: { params: { ruleId: "nosuch" }, body: { enabled: true, actions: [] } },
  M_INVALID_PARAM: { params: { kind: "nosuch" }, body: { enabled: true, actions: [] } },
};
const unknownScope: RouteRows = { M_INVALID_PARAM: { params: { scope: "nosuch" }, body: {} } };
const unknownAttribute: RouteRows = { M_INVALID_PARAM: { params: { attribute: "nosuch" }, body: {} } };
const repeatedReaction: ErrorRow = {
  params: { eventType: "m.reaction" },
  body: { "m.relates_to": { rel_type: "m.annotation", event_id: "<event>", key: "x" } },
};
const media: RouteRows = { M_NOT_FOUND: {}, M_NOT_YET_UPLOADED: { params: { mediaId: "<pending>" } } };
const thumbnail: RouteRows = {
  M_NOT_FOUND: { query: "width=10&height=10" },
  M_NOT_YET_UPLOADED: { params: { mediaId: "<pending>" }, query: "width=10&height=10" },
  M_MISSING_PARAM: { params: { mediaId: "<media>" }, query: "width=10" },
  M_INVALID_PARAM: { params: { mediaId: "<media>" }, query: "width=10&height=-1" },
  M_UNKNOWN: { params: { mediaId: "<media>" }, query: "width=10&height=10" },
};
const key = { first_message_index: 0, forwarded_count: 0, is_verified: true, session_data: {} };
const keys = { ...key, sessions: {}, rooms: {} };
const readKeys: RouteRows = { M_MISSING_PARAM: {}, M_NOT_FOUND: { query: "version=99" } };
const writeKeys: RouteRows = {
  M_MISSING_PARAM: { body: keys },
  M_NOT_FOUND: { as: "bob", query: "version=1", body: keys },
  M_WRONG_ROOM_KEYS_VERSION: { query: "version=1", body: keys },
  M_BAD_JSON: { query: "version=2", body: { sessions: { s: 1 }, rooms: { "!r:x": 1 } } },
};
const relations = "GET /_matrix/client/v1/rooms/{roomId}/relations/{eventId}";
const c = "/_matrix/client/v3";

export const errorRows: Record<string, RouteRows> = {
  [`POST ${c}/login`]: {
    M_FORBIDDEN: { as: "nobody", body: auth("alice", "wrong") },
    M_UNKNOWN: { as: "nobody", body: { type: "m.login.telepathy" } },
    M_MISSING_PARAM: { as: "nobody", body: { type: "m.login.password" } },
    M_BAD_JSON: { as: "nobody", body: { type: 5 } },
    M_LIMIT_EXCEEDED: { as: "nobody", body: auth("guessed", "wrong") },
    M_USER_DEACTIVATED: { as: "nobody", body: auth("gone", "<password>") },
  },
  [`POST ${c}/refresh`]: {
    M_UNKNOWN_TOKEN: { as: "nobody", body: { refresh_token: "made up" } },
    M_MISSING_PARAM: { as: "nobody", body: {} },
  },
  [`POST ${c}/register`]: {
    M_FORBIDDEN: { as: "nobody", body: { username: "x" } },
    M_UNAUTHORIZED: { as: "nobody", body: { username: "newcomer", password: "x" } },
    M_USER_IN_USE: { as: "nobody", body: { username: "alice", password: "x" } },
    M_INVALID_USERNAME: { as: "nobody", body: { username: "al!ce", password: "x" } },
    M_BAD_JSON: { as: "nobody", body: { username: 7 } },
    M_MISSING_PARAM: { as: "nobody", body: { username: "newcomer", auth: { type: "m.login.dummy" } } },
    M_WEAK_PASSWORD: {
      as: "nobody",
      body: { username: "newcomer", password: "", auth: { type: "m.login.dummy" } },
    },
    M_GUEST_ACCESS_FORBIDDEN: { as: "nobody", query: "kind=guest", body: {} },
    M_INVALID_PARAM: { as: "nobody", query: "kind=ghost", body: {} },
  },
  [`GET ${c}/register/available`]: {
    M_INVALID_USERNAME: { as: "nobody", query: "username=al%20ice" },
    M_USER_IN_USE: { as: "nobody", query: "username=alice" },
    M_MISSING_PARAM: { as: "nobody" },
  },
  [`POST ${c}/account/password`]: {
    M_UNAUTHORIZED: unconfirmed,
    M_FORBIDDEN: confirmedByAnother,
    M_MISSING_PARAM: { body: { auth: auth("<alice>", "<password>") } },
    M_WEAK_PASSWORD: { body: { auth: auth("<alice>", "<password>"), new_password: "" } },
  },
  [`POST ${c}/account/deactivate`]: { M_UNAUTHORIZED: unconfirmed, M_FORBIDDEN: confirmedByAnother },
  [`POST ${c}/user/{userId}/openid/request_token`]: { M_FORBIDDEN: notSelf },
  "GET /_matrix/federation/v1/openid/userinfo": {
    M_MISSING_TOKEN: { as: "nobody" },
    M_UNKNOWN_TOKEN: { as: "nobody", query: "access_token=an/invalid/token" },
  },
  [`GET ${c}/admin/whois/{userId}`]: { M_FORBIDDEN: notSelf },
  [`GET ${c}/devices/{deviceId}`]: { M_NOT_FOUND: {} },
  [`PUT ${c}/devices/{deviceId}`]: {
    M_NOT_FOUND: { body: {} },
    M_TOO_LARGE: { params: { deviceId: "<device>" }, body: { display_name: "x".repeat(200) }, status: 400 },
    M_BAD_JSON: { params: { deviceId: "<device>" }, body: { display_name: 5 } },
  },
  [`DELETE ${c}/devices/{deviceId}`]: { M_UNAUTHORIZED: { body: {} }, M_FORBIDDEN: confirmedByAnother },
  [`POST ${c}/delete_devices`]: {
    M_UNAUTHORIZED: unconfirmed,
    M_FORBIDDEN: confirmedByAnother,
    M_MISSING_PARAM: { body: {} },
    M_BAD_JSON: { body: { devices: "all" } },
  },
  [`GET ${c}/profile/{userId}`]: { M_NOT_FOUND: { params: { userId: "@nosuch:rookery.local" } } },
  [`GET ${c}/profile/{userId}/displayname`]: { M_NOT_FOUND: { params: { userId: "@nosuch:rookery.local" } } },
  [`GET ${c}/profile/{userId}/avatar_url`]: { M_NOT_FOUND: { params: { userId: "@nosuch:rookery.local" } } },
  [`PUT ${c}/profile/{userId}/displayname`]: profile,
  [`PUT ${c}/profile/{userId}/avatar_url`]: profile,
  [`GET ${c}/presence/{userId}/status`]: {
    M_NOT_FOUND: { params: { userId: "@nosuch:rookery.local" } },
    M_FORBIDDEN: outside,
  },
  [`PUT ${c}/presence/{userId}/status`]: {
    M_FORBIDDEN: notSelf,
    M_MISSING_PARAM: { body: {} },
    M_BAD_JSON: { body: { presence: "asleep" } },
  },
  [`GET ${c}/user/{userId}/account_data/{type}`]: { M_FORBIDDEN: notSelf, M_NOT_FOUND: {} },
  [`PUT ${c}/user/{userId}/account_data/{type}`]: {
    M_FORBIDDEN: notSelf,
    M_BAD_JSON: { params: { type: "m.push_rules" }, body: {}, status: 405 },
  },
  [`GET ${c}/user/{userId}/rooms/{roomId}/account_data/{type}`]: {
    M_FORBIDDEN: notSelf,
    M_NOT_FOUND: {},
    M_INVALID_PARAM: { params: { roomId: "nosuch" } },
  },
  [`PUT ${c}/user/{userId}/rooms/{roomId}/account_data/{type}`]: {
    M_FORBIDDEN: notSelf,
    M_BAD_JSON: { params: { type: "m.fully_read" }, body: {}, status: 405 },
    M_INVALID_PARAM: { params: { roomId: "nosuch" }, body: {} },
  },
  [`GET ${c}/user/{userId}/rooms/{roomId}/tags`]: { M_FORBIDDEN: notSelf },
  [`PUT ${c}/user/{userId}/rooms/{roomId}/tags/{tag}`]: {
    M_FORBIDDEN: notSelf,
    M_BAD_JSON: { body: { order: 7 } },
  },
  [`DELETE ${c}/user/{userId}/rooms/{roomId}/tags/{tag}`]: { M_FORBIDDEN: notSelf },
  [`GET ${c}/pushrules/global/{kind}/`]: { M_INVALID_PARAM: { params: { kind: "nosuch" } } },
  [`GET ${c}/pushrules/global`]: { M_UNRECOGNIZED: { status: 400 } },
  [`GET ${c}/pushrules/global/{kind}`]: { M_UNRECOGNIZED: { status: 400 } },
  [`GET ${c}/pushrules/{scope}/`]: unknownScope,
  [`GET ${c}/pushrules/{scope}/{kind}/{ruleId}`]: unknownScope,
  [`PUT ${c}/pushrules/{scope}/{kind}/{ruleId}`]: unknownScope,
  [`DELETE ${c}/pushrules/{scope}/{kind}/{ruleId}`]: unknownScope,
  [`GET ${c}/pushrules/global/{kind}/{ruleId}/{attribute}`]: unknownAttribute,
  [`PUT ${c}/pushrules/global/{kind}/{ruleId}/{attribute}`]: unknownAttribute,
  [`GET ${c}/pushrules/global/{kind}/{ruleId}`]: noRule,
  [`PUT ${c}/pushrules/global/{kind}/{ruleId}`]: {
    M_INVALID_PARAM: { params: { ruleId: ".mine" }, body: { actions: [] } },
    M_MISSING_PARAM: { params: { ruleId: "mine" }, body: {} },
    M_BAD_JSON: { params: { ruleId: "mine" }, body: { actions: [5] } },
    M_UNKNOWN: { params: { ruleId: "mine" }, query: "before=nosuch", body: { actions: [], conditions: [] } },
    M_TOO_LARGE: { params: { kind: "content", ruleId: "mine" }, body: { actions: [], pattern: "<large>" } },
  },
  [`DELETE ${c}/pushrules/global/{kind}/{ruleId}`]: {
    ...noRule,
    M_UNKNOWN: {},
  },
  [`GET ${c}/pushrules/global/{kind}/{ruleId}/enabled`]: noRule,
  [`PUT ${c}/pushrules/global/{kind}/{ruleId}/enabled`]: {
    ...noRule,
    M_MISSING_PARAM: { body: {} },
    M_BAD_JSON: { body: { enabled: "yes" } },
  },
  [`GET ${c}/pushrules/global/{kind}/{ruleId}/actions`]: noRule,
  [`PUT ${c}/pushrules/global/{kind}/{ruleId}/actions`]: {
    ...noRule,
    M_MISSING_PARAM: { body: {} },
    M_BAD_JSON: { body: { actions: "notify" } },
  },
  [`POST ${c}/pushers/set`]: {
    M_MISSING_PARAM: { body: { app_id: "a", pushkey: "k", kind: "http" } },
    M_INVALID_PARAM: {
      body: {
        app_id: "a",
        pushkey: "k",
        kind: "http",
        lang: "en",
        data: { url: "nowhere" },
        app_display_name: "a",
        device_display_name: "d",
      },
    },
    M_BAD_JSON: { body: { app_id: 5 } },
  },
  [`GET ${c}/notifications`]: { M_INVALID_PARAM: { query: "from=yesterday" } },
  ["POST /_matrix/client/unstable/org.matrix.simplified_msc3575/sync"]: {
    M_UNKNOWN_POS: { query: "pos=s1_1", body: {} },
    M_INVALID_PARAM: { query: "set_presence=asleep", body: {} },
    M_BAD_JSON: { body: { lists: 5 } },
    M_LIMIT_EXCEEDED: { as: "bob", query: "pos=<slidingPos>&timeout=1000", body: {} },
  },
  [`GET ${c}/events`]: {
    M_INVALID_PARAM: { query: "from=yesterday" },
    M_FORBIDDEN: { as: "carol", query: "room_id=<room>" },
    M_LIMIT_EXCEEDED: { as: "bob", query: "timeout=1000" },
  },
  [`GET ${c}/events/{eventId}`]: { M_NOT_FOUND: outside },
  [`GET ${c}/initialSync`]: { M_INVALID_PARAM: { query: "limit=many" } },
  [`GET ${c}/sync`]: {
    M_INVALID_PARAM: { query: "since=yesterday" },
    M_NOT_JSON: { query: "filter={x" },
    M_BAD_JSON: { query: `filter=${encodeURIComponent('{"room":5}')}` },
    M_LIMIT_EXCEEDED: { as: "bob", query: "since=<position>&timeout=1000" },
  },
  [`POST ${c}/user/{userId}/filter`]: {
    M_FORBIDDEN: notSelf,
    M_BAD_JSON: { body: { room: { timeline: { types: [1] } } } },
  },
  [`GET ${c}/user/{userId}/filter/{filterId}`]: { M_FORBIDDEN: notSelf, M_NOT_FOUND: {} },
  [`POST ${c}/createRoom`]: {
    M_BAD_JSON: { body: { name: 5 } },
    M_INVALID_PARAM: { body: { visibility: "hidden" } },
    M_ROOM_IN_USE: { body: { room_alias_name: "taken" }, status: 400 },
    M_UNSUPPORTED_ROOM_VERSION: { body: { room_version: "99" } },
    M_INVALID_ROOM_STATE: {
      body: { initial_state: [{ type: "m.room.create", state_key: "", content: {} }] },
    },
  },
  [`POST ${c}/rooms/{roomId}/upgrade`]: {
    M_FORBIDDEN: { as: "bob", body: { new_version: "11" } },
    M_NOT_FOUND: { params: { roomId: "!nosuch:rookery.local" }, body: { new_version: "11" } },
    M_MISSING_PARAM: { body: {} },
    M_BAD_JSON: { body: { new_version: "12", additional_creators: "<bob>" } },
    M_UNSUPPORTED_ROOM_VERSION: { body: { new_version: "99" } },
  },
  [`POST ${c}/join/{roomIdOrAlias}`]: {
    M_FORBIDDEN: { as: "carol", body: {} },
    M_NOT_FOUND: { params: { roomIdOrAlias: "#nosuch:rookery.local" }, body: {} },
    M_INVALID_PARAM: { params: { roomIdOrAlias: "nosuch" }, body: {} },
  },
  [`POST ${c}/rooms/{roomId}/join`]: {
    M_FORBIDDEN: { as: "carol", body: {} },
    M_NOT_FOUND: { params: { roomId: "!nosuch:rookery.local" }, body: {} },
  },
  [`POST ${c}/knock/{roomIdOrAlias}`]: {
    M_FORBIDDEN: { as: "carol", body: {} },
    M_NOT_FOUND: { params: { roomIdOrAlias: "!nosuch:rookery.local" }, body: {} },
    M_BAD_JSON: badReason,
  },
  [`POST ${c}/rooms/{roomId}/leave`]: { M_FORBIDDEN: { as: "carol", body: {} }, M_BAD_JSON: badReason },
  [`POST ${c}/rooms/{roomId}/forget`]: { M_UNKNOWN: { body: {} }, M_FORBIDDEN: { as: "carol", body: {} } },
  [`POST ${c}/rooms/{roomId}/invite`]: targeted,
  [`POST ${c}/rooms/{roomId}/kick`]: targeted,
  [`POST ${c}/rooms/{roomId}/ban`]: targeted,
  [`POST ${c}/rooms/{roomId}/unban`]: targeted,
  [`GET ${c}/rooms/{roomId}/state`]: { M_FORBIDDEN: outside },
  [`GET ${c}/rooms/{roomId}/state/{eventType}`]: { M_FORBIDDEN: outside, M_NOT_FOUND: {} },
  [`GET ${c}/rooms/{roomId}/state/{eventType}/{stateKey}`]: { M_FORBIDDEN: outside, M_NOT_FOUND: {} },
  [`PUT ${c}/rooms/{roomId}/state/{eventType}`]: putState,
  [`PUT ${c}/rooms/{roomId}/state/{eventType}/{stateKey}`]: putState,
  [`GET ${c}/rooms/{roomId}/members`]: { M_FORBIDDEN: outside, M_INVALID_PARAM: { query: "at=yesterday" } },
  [`GET ${c}/rooms/{roomId}/joined_members`]: { M_FORBIDDEN: outside },
  [`PUT ${c}/rooms/{roomId}/send/{eventType}/{txnId}`]: {
    M_NOT_FOUND: { params: { eventType: "m.room.redaction" }, body: { redacts: "$nosuch" } },
    M_INVALID_PARAM: { params: { eventType: "m.room.redaction" }, body: { redacts: "<elsewhere>" } },
    M_FORBIDDEN: { as: "carol", body: {} },
    M_BAD_JSON: { body: { body: 1.5 } },
    M_TOO_LARGE: { body: { body: tooLong } },
    M_LIMIT_EXCEEDED: { as: "bob", body: {} },
    M_DUPLICATE_ANNOTATION: repeatedReaction,
  },
  [`POST ${c}/rooms/{roomId}/send/{eventType}`]: {
    M_NOT_FOUND: { params: { eventType: "m.room.redaction" }, body: { redacts: "$nosuch" } },
    M_INVALID_PARAM: { params: { eventType: "m.room.redaction" }, body: { redacts: "<elsewhere>" } },
    M_FORBIDDEN: { as: "carol", body: {} },
    M_BAD_JSON: { body: { body: 9007199254740992 } },
    M_DUPLICATE_ANNOTATION: repeatedReaction,
  },
  [`PUT ${c}/rooms/{roomId}/redact/{eventId}/{txnId}`]: {
    M_FORBIDDEN: { as: "bob", body: {} },
    M_NOT_FOUND: { params: { eventId: "$nosuch" }, body: {} },
    M_BAD_JSON: badReason,
    M_INVALID_PARAM: { params: { eventId: "<elsewhere>" }, body: {} },
  },
  [`POST ${c}/rooms/{roomId}/redact/{eventId}`]: {
    M_FORBIDDEN: { as: "bob", body: {} },
    M_NOT_FOUND: { params: { eventId: "$nosuch" }, body: {} },
    M_BAD_JSON: badReason,
    M_INVALID_PARAM: { params: { eventId: "<elsewhere>" }, body: {} },
  },
  [`PUT ${c}/rooms/{roomId}/typing/{userId}`]: {
    M_FORBIDDEN: notSelf,
    M_BAD_JSON: { body: { typing: "yes" } },
    M_MISSING_PARAM: { body: {} },
  },
  [`POST ${c}/rooms/{roomId}/receipt/{receiptType}/{eventId}`]: {
    M_FORBIDDEN: { as: "carol", body: {} },
    M_INVALID_PARAM: { params: { receiptType: "m.seen" }, body: {} },
    M_BAD_JSON: { body: { thread_id: 5 } },
  },
  [`POST ${c}/rooms/{roomId}/read_markers`]: {
    M_FORBIDDEN: { as: "carol", body: {} },
    M_BAD_JSON: { body: { "m.read": 5 } },
  },
  [`GET ${c}/rooms/{roomId}/messages`]: {
    M_FORBIDDEN: outside,
    M_INVALID_PARAM: { query: "dir=sideways" },
    M_MISSING_PARAM: {},
    M_NOT_JSON: { query: "dir=b&filter={x" },
    M_BAD_JSON: { query: `dir=b&filter=${encodeURIComponent('{"types":"all"}')}` },
  },
  [`GET ${c}/rooms/{roomId}/event/{eventId}`]: { M_NOT_FOUND: outside },
  [`GET ${c}/rooms/{roomId}/context/{eventId}`]: {
    M_FORBIDDEN: outside,
    M_NOT_FOUND: { params: { eventId: "$nosuch" } },
    M_INVALID_PARAM: { query: "limit=many" },
    M_NOT_JSON: { query: "filter={x" },
  },
  "GET /_matrix/client/v1/rooms/{roomId}/timestamp_to_event": {
    M_FORBIDDEN: { as: "carol", query: "ts=1" },
    M_NOT_FOUND: { query: "ts=1&dir=b" },
    M_MISSING_PARAM: {},
    M_INVALID_PARAM: { query: "ts=yesterday" },
  },
  [`GET ${c}/rooms/{roomId}/initialSync`]: { M_FORBIDDEN: outside, M_INVALID_PARAM: { query: "limit=many" } },
  "GET /_matrix/client/v1/room_summary/{roomIdOrAlias}": {
    M_NOT_FOUND: outside,
    M_INVALID_PARAM: { params: { roomIdOrAlias: "nosuch" } },
  },
  [relations]: seen,
  [`${relations}/{relType}`]: seen,
  [`${relations}/{relType}/{eventType}`]: seen,
  "GET /_matrix/client/v1/rooms/{roomId}/threads": {
    M_FORBIDDEN: outside,
    M_INVALID_PARAM: { query: "include=some" },
  },
  "GET /_matrix/client/v1/rooms/{roomId}/hierarchy": {
    M_FORBIDDEN: outside,
    M_INVALID_PARAM: { query: "from=yesterday" },
  },
  [`GET ${c}/directory/room/{roomAlias}`]: {
    M_NOT_FOUND: {},
    M_INVALID_PARAM: { params: { roomAlias: "nosuch" } },
  },
  [`PUT ${c}/directory/room/{roomAlias}`]: {
    M_FORBIDDEN: { as: "carol", body: { room_id: "<room>" } },
    M_INVALID_PARAM: { params: { roomAlias: "#x:elsewhere.org" }, body: { room_id: "<room>" } },
    M_ROOM_IN_USE: { params: { roomAlias: "#taken:rookery.local" }, body: { room_id: "<room>" } },
    M_MISSING_PARAM: { body: {} },
    M_NOT_FOUND: { body: { room_id: "!nosuch:rookery.local" } },
  },
  [`DELETE ${c}/directory/room/{roomAlias}`]: {
    M_FORBIDDEN: { as: "bob", params: { roomAlias: "#taken:rookery.local" } },
    M_NOT_FOUND: {},
    M_INVALID_PARAM: { params: { roomAlias: "nosuch" } },
  },
  [`GET ${c}/rooms/{roomId}/aliases`]: { M_FORBIDDEN: outside },
  [`GET ${c}/directory/list/room/{roomId}`]: { M_NOT_FOUND: { params: { roomId: "!nosuch:x" } } },
  [`PUT ${c}/directory/list/room/{roomId}`]: {
    M_NOT_FOUND: { params: { roomId: "!nosuch:x" }, body: {} },
    M_FORBIDDEN: { as: "bob", body: {} },
    M_INVALID_PARAM: { body: { visibility: "hidden" } },
  },
  [`GET ${c}/publicRooms`]: {
    M_INVALID_PARAM: { query: "since=yesterday" },
    M_NOT_FOUND: { query: "server=elsewhere.org" },
  },
  [`POST ${c}/publicRooms`]: {
    M_INVALID_PARAM: { body: { since: "yesterday" } },
    M_BAD_JSON: { body: { filter: 5 } },
    M_NOT_FOUND: { query: "server=elsewhere.org", body: {} },
  },
  [`POST ${c}/user_directory/search`]: {
    M_MISSING_PARAM: { body: {} },
    M_BAD_JSON: { body: { search_term: 5 } },
  },
  [`POST ${c}/search`]: {
    M_MISSING_PARAM: { body: {} },
    M_BAD_JSON: { body: { search_categories: 5 } },
    M_INVALID_PARAM: { body: { search_categories: { room_events: { search_term: "x", order_by: "luck" } } } },
  },
  "POST /_matrix/media/v3/upload": { M_TOO_LARGE: { body: "<large>" } },
  "POST /_matrix/media/v1/create": { M_LIMIT_EXCEEDED: { as: "bob", body: {} } },
  "PUT /_matrix/media/v3/upload/{serverName}/{mediaId}": {
    M_NOT_FOUND: { body: "x" },
    M_FORBIDDEN: { as: "bob", params: { mediaId: "<pending>" }, body: "x" },
    M_CANNOT_OVERWRITE_MEDIA: { params: { mediaId: "<media>" }, body: "x" },
    M_TOO_LARGE: { params: { mediaId: "<pending>" }, body: "<large>" },
  },
  "GET /_matrix/media/v3/download/{serverName}/{mediaId}": media,
  "GET /_matrix/media/v3/download/{serverName}/{mediaId}/{fileName}": media,
  "GET /_matrix/media/v3/thumbnail/{serverName}/{mediaId}": thumbnail,
  "GET /_matrix/client/v1/media/download/{serverName}/{mediaId}": media,
  "GET /_matrix/client/v1/media/download/{serverName}/{mediaId}/{fileName}": media,
  "GET /_matrix/client/v1/media/thumbnail/{serverName}/{mediaId}": thumbnail,
  [`PUT ${c}/sendToDevice/{eventType}/{txnId}`]: {
    M_MISSING_PARAM: { body: {} },
    M_BAD_JSON: { body: { messages: { "<bob>": 5 } } },
    M_TOO_LARGE: { body: { messages: { "<bob>": { "*": { text: "x".repeat(65_537) } } } } },
  },
  [`POST ${c}/keys/upload`]: {
    M_INVALID_PARAM: { body: { device_keys: { user_id: "<bob>", device_id: "X" } } },
    M_BAD_JSON: { body: { device_keys: 5 } },
  },
  [`POST ${c}/keys/query`]: {
    M_MISSING_PARAM: { body: {} },
    M_BAD_JSON: { body: { device_keys: { "<bob>": 5 } } },
  },
  [`POST ${c}/keys/claim`]: {
    M_MISSING_PARAM: { body: {} },
    M_BAD_JSON: { body: { one_time_keys: { "<bob>": { D: 5 } } } },
  },
  [`GET ${c}/keys/changes`]: { M_MISSING_PARAM: {}, M_INVALID_PARAM: { query: "from=yesterday" } },
  [`POST ${c}/keys/device_signing/upload`]: {
    M_UNAUTHORIZED: { body: { master_key: { user_id: "<alice>", keys: { "ed25519:new": "new" } } } },
    M_FORBIDDEN: {
      body: {
        master_key: { user_id: "<alice>", keys: { "ed25519:new": "new" } },
        auth: auth("<bob>", "<password>"),
      },
    },
    M_INVALID_PARAM: { body: { master_key: { user_id: "<bob>", keys: {} } } },
    M_BAD_JSON: { body: { master_key: 5 } },
    M_MISSING_PARAM: {
      as: "bob",
      body: { self_signing_key: { user_id: "<bob>", keys: { "ed25519:s": "s" } } },
    },
    M_INVALID_SIGNATURE: {
      as: "bob",
      body: {
        master_key: { user_id: "<bob>", keys: { "ed25519:m": "m" } },
        self_signing_key: { user_id: "<bob>", keys: { "ed25519:s": "s" } },
      },
    },
  },
  [`POST ${c}/keys/signatures/upload`]: { M_BAD_JSON: { body: { "<alice>": 5 } } },
  [`POST ${c}/room_keys/version`]: {
    M_MISSING_PARAM: { body: {} },
    M_BAD_JSON: { body: { algorithm: 5, auth_data: {} } },
  },
  [`GET ${c}/room_keys/version`]: { M_NOT_FOUND: { as: "bob" } },
  [`GET ${c}/room_keys/version/{version}`]: { M_NOT_FOUND: {} },
  [`PUT ${c}/room_keys/version/{version}`]: {
    M_NOT_FOUND: { body: { algorithm: "a", auth_data: {} } },
    M_INVALID_PARAM: { params: { version: "2" }, body: { algorithm: "other", auth_data: {} } },
    M_MISSING_PARAM: { params: { version: "2" }, body: {} },
  },
  [`DELETE ${c}/room_keys/version/{version}`]: { M_NOT_FOUND: {} },
  [`GET ${c}/room_keys/keys`]: readKeys,
  [`PUT ${c}/room_keys/keys`]: writeKeys,
  [`DELETE ${c}/room_keys/keys`]: readKeys,
  [`GET ${c}/room_keys/keys/{roomId}`]: readKeys,
  [`PUT ${c}/room_keys/keys/{roomId}`]: writeKeys,
  [`DELETE ${c}/room_keys/keys/{roomId}`]: readKeys,
  [`GET ${c}/room_keys/keys/{roomId}/{sessionId}`]: readKeys,
  [`PUT ${c}/room_keys/keys/{roomId}/{sessionId}`]: writeKeys,
  [`DELETE ${c}/room_keys/keys/{roomId}/{sessionId}`]: readKeys,
  [`POST ${c}/rooms/{roomId}/report/{eventId}`]: {
    M_NOT_FOUND: { as: "carol", body: {} },
    M_BAD_JSON: badReason,
  },
  [`POST ${c}/users/{userId}/report`]: {
    M_NOT_FOUND: { params: { userId: "@nosuch:rookery.local" }, body: {} },
    M_BAD_JSON: badReason,
  },
  [`GET ${c}/thirdparty/protocol/{protocol}`]: { M_NOT_FOUND: {} },
  [`GET ${c}/thirdparty/location`]: { M_NOT_FOUND: {} },
  [`GET ${c}/thirdparty/location/{protocol}`]: { M_NOT_FOUND: {} },
  [`GET ${c}/thirdparty/user`]: { M_NOT_FOUND: {} },
  [`GET ${c}/thirdparty/user/{protocol}`]: { M_NOT_FOUND: {} },
  [`POST ${c}/rooms/{roomId}/report`]: { M_FORBIDDEN: { as: "carol", body: {} }, M_BAD_JSON: badReason },
};
