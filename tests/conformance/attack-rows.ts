/** Requests of two users against a third. `<name>` is replaced with a value of attacks.test.ts. */
interface AttackRow {
  /** mallory is an ordinary member of the shared room; trudy is banned from it and shares no room with the victim. */
  as: "mallory" | "trudy";
  method: "GET" | "POST" | "PUT" | "DELETE";
  path: string;
  body?: object;
}

const v1 = "/_matrix/client/v1";
const row =
  (as: AttackRow["as"]) =>
  (method: AttackRow["method"], path: string, body?: object): AttackRow => ({
    as,
    method,
    path,
    ...(method === "GET" ? {} : { body: body ?? {} }),
  });
const mallory = row("mallory");
const trudy = row("trudy");
const asVictim = { identifier: { type: "m.id.user", user: "<victim>" }, password: "a guess" };
const auth = { auth: { type: "m.login.password", ...asVictim } };
const text = { msgtype: "m.text", body: "from mallory" };

export const attackRows: readonly AttackRow[] = [
  // Reading a room that they were never in.
  mallory("GET", "rooms/<private>/messages?dir=b"),
  mallory("GET", "rooms/<private>/messages?dir=f&from=s1"),
  mallory("GET", "rooms/<private>/state"),
  mallory("GET", "rooms/<private>/state/m.room.name"),
  mallory("GET", "rooms/<private>/state/m.room.member/<victim>"),
  mallory("GET", "rooms/<private>/members"),
  mallory("GET", "rooms/<private>/joined_members"),
  mallory("GET", "rooms/<private>/event/<secret>"),
  mallory("GET", "rooms/<private>/context/<secret>"),
  mallory("GET", "rooms/<private>/initialSync"),
  mallory("GET", "rooms/<private>/aliases"),
  mallory("GET", `${v1}/rooms/<private>/relations/<secret>`),
  mallory("GET", `${v1}/rooms/<private>/relations/<secret>/m.thread`),
  mallory("GET", `${v1}/rooms/<private>/relations/<secret>/m.annotation/m.reaction`),
  mallory("GET", `${v1}/rooms/<private>/threads`),
  mallory("GET", `${v1}/rooms/<private>/hierarchy`),
  mallory("GET", `${v1}/rooms/<private>/timestamp_to_event?ts=1&dir=f`),
  mallory("GET", `${v1}/room_summary/<private>`),
  mallory("GET", `${v1}/room_summary/<alias>`),
  mallory("GET", "/_matrix/client/unstable/im.nheko.summary/summary/<private>"),
  mallory("GET", "events?room_id=<private>&timeout=0"),
  mallory("GET", "events/<secret>"),
  // The same through a room that they are in.
  mallory("GET", "rooms/<shared>/event/<secret>"),
  mallory("GET", "rooms/<shared>/context/<secret>"),
  mallory("GET", `${v1}/rooms/<shared>/relations/<secret>`),
  mallory("PUT", "rooms/<shared>/redact/<secret>/a1"),
  mallory("POST", "rooms/<shared>/report/<secret>", { reason: "exists?" }),
  // Writing to it.
  mallory("PUT", "rooms/<private>/send/m.room.message/a2", text),
  mallory("POST", "rooms/<private>/send/m.room.message", text),
  mallory("PUT", "rooms/<private>/state/m.room.name", { name: "mine" }),
  mallory("PUT", "rooms/<private>/state/m.room.member/<mallory>", { membership: "join" }),
  mallory("PUT", "rooms/<private>/redact/<secret>/a3"),
  mallory("POST", "rooms/<private>/redact/<secret>"),
  mallory("PUT", "rooms/<private>/typing/<mallory>", { typing: true }),
  mallory("POST", "rooms/<private>/receipt/m.read/<secret>"),
  mallory("POST", "rooms/<private>/read_markers", { "m.fully_read": "<secret>" }),
  mallory("POST", "rooms/<private>/report/<secret>", { reason: "exists?" }),
  mallory("POST", "rooms/<private>/upgrade", { new_version: "11" }),
  // Getting in, and getting others in or out.
  mallory("POST", "rooms/<private>/join"),
  mallory("POST", "join/<private>"),
  mallory("POST", "join/<alias>"),
  mallory("POST", "knock/<private>"),
  mallory("POST", "rooms/<private>/invite", { user_id: "<trudy>" }),
  mallory("POST", "rooms/<private>/invite", { user_id: "<mallory>" }),
  mallory("POST", "rooms/<private>/kick", { user_id: "<victim>" }),
  mallory("POST", "rooms/<private>/ban", { user_id: "<victim>" }),
  mallory("POST", "rooms/<private>/unban", { user_id: "<mallory>" }),
  trudy("GET", "rooms/<shared>/messages?dir=b"),
  trudy("GET", "rooms/<shared>/state"),
  trudy("GET", "rooms/<shared>/event/<greeting>"),
  trudy("POST", "join/<shared>"),
  trudy("POST", "knock/<shared>"),
  trudy("PUT", "rooms/<shared>/send/m.room.message/a4", text),
  trudy("POST", "rooms/<shared>/unban", { user_id: "<trudy>" }),
  mallory("POST", "rooms/<shared>/unban", { user_id: "<trudy>" }),
  mallory("POST", "rooms/<shared>/invite", { user_id: "<trudy>" }),
  mallory("PUT", "rooms/<shared>/state/m.room.member/<trudy>", { membership: "invite" }),
  mallory("PUT", "rooms/<shared>/state/m.room.member/<trudy>", { membership: "join" }),
  mallory("PUT", "rooms/<shared>/state/m.room.member/<victim>", { membership: "leave" }),
  mallory("PUT", "rooms/<shared>/state/m.room.member/<victim>", {
    membership: "join",
    displayname: "Not me",
  }),
  mallory("POST", "rooms/<shared>/kick", { user_id: "<victim>" }),
  mallory("POST", "rooms/<shared>/ban", { user_id: "<victim>" }),
  // Taking over the shared room.
  mallory("PUT", "rooms/<shared>/state/m.room.power_levels", { users: { "<mallory>": 100 } }),
  mallory("PUT", "rooms/<shared>/state/m.room.power_levels", { users_default: 100 }),
  mallory("PUT", "rooms/<shared>/state/m.room.create", { creator: "<mallory>" }),
  mallory("PUT", "rooms/<shared>/state/m.room.name", { name: "mine" }),
  mallory("PUT", "rooms/<shared>/state/m.room.topic", { topic: "mine" }),
  mallory("PUT", "rooms/<shared>/state/m.room.avatar", { url: "mxc://rookery.local/a" }),
  mallory("PUT", "rooms/<shared>/state/m.room.join_rules", { join_rule: "public" }),
  mallory("PUT", "rooms/<shared>/state/m.room.history_visibility", { history_visibility: "world_readable" }),
  mallory("PUT", "rooms/<shared>/state/m.room.guest_access", { guest_access: "can_join" }),
  mallory("PUT", "rooms/<shared>/state/m.room.canonical_alias", { alias: "<alias>" }),
  mallory("PUT", "rooms/<shared>/state/m.room.server_acl", { allow: [] }),
  mallory("PUT", "rooms/<shared>/state/m.room.encryption", { algorithm: "m.megolm.v1.aes-sha2" }),
  mallory("PUT", "rooms/<shared>/state/m.room.tombstone", { replacement_room: "!x:rookery.local" }),
  mallory("PUT", "rooms/<shared>/state/m.room.pinned_events", { pinned: ["<greeting>"] }),
  mallory("PUT", "rooms/<shared>/state/m.space.child/<private>", { via: ["rookery.local"] }),
  mallory("PUT", "rooms/<shared>/state/org.example/<victim>", { owned: true }),
  mallory("PUT", "rooms/<shared>/redact/<greeting>/a5"),
  mallory("PUT", "rooms/<shared>/send/m.room.redaction/a6", { redacts: "<greeting>" }),
  mallory("PUT", "rooms/<shared>/typing/<victim>", { typing: true }),
  mallory("POST", "rooms/<shared>/upgrade", { new_version: "11" }),
  // Aliases and the directory.
  mallory("PUT", "directory/room/%23stolen:rookery.local", { room_id: "<private>" }),
  mallory("PUT", "directory/room/<alias>", { room_id: "<shared>" }),
  mallory("DELETE", "directory/room/<alias>"),
  mallory("PUT", "directory/list/room/<private>", { visibility: "public" }),
  mallory("PUT", "directory/list/room/<shared>", { visibility: "public" }),
  mallory("POST", "createRoom", { room_alias_name: "nest" }),
  // The account data, profile, presence and devices.
  mallory("GET", "user/<victim>/account_data/m.private"),
  mallory("PUT", "user/<victim>/account_data/m.private", { owned: true }),
  mallory("GET", "user/<victim>/rooms/<private>/account_data/m.private"),
  mallory("PUT", "user/<victim>/rooms/<private>/account_data/m.private", { owned: true }),
  mallory("GET", "user/<victim>/rooms/<private>/tags"),
  mallory("PUT", "user/<victim>/rooms/<private>/tags/u.owned"),
  mallory("DELETE", "user/<victim>/rooms/<private>/tags/u.mine"),
  mallory("POST", "user/<victim>/filter"),
  mallory("GET", "user/<victim>/filter/<filter>"),
  mallory("GET", "sync?filter=<filter>"),
  mallory("PUT", "profile/<victim>/displayname", { displayname: "Not me" }),
  mallory("PUT", "profile/<victim>/avatar_url", { avatar_url: "mxc://rookery.local/a" }),
  mallory("PUT", "presence/<victim>/status", { presence: "offline" }),
  trudy("GET", "presence/<victim>/status"),
  mallory("POST", "user/<victim>/openid/request_token"),
  mallory("GET", "admin/whois/<victim>"),
  mallory("GET", "devices/<device>"),
  mallory("PUT", "devices/<device>", { display_name: "mine" }),
  mallory("DELETE", "devices/<device>", auth),
  mallory("POST", "delete_devices", { devices: ["<device>"], ...auth }),
  // The sign-in.
  mallory("POST", "account/password", { new_password: "mine", ...auth }),
  mallory("POST", "account/deactivate", auth),
  mallory("POST", "login", { type: "m.login.password", ...asVictim }),
  mallory("POST", "register", { username: "dora", password: "x", auth: { type: "m.login.dummy" } }),
  mallory("POST", "register", { username: "DORA", password: "x", auth: { type: "m.login.dummy" } }),
  mallory("POST", "refresh", { refresh_token: "a guess" }),
  // Keys, backups and media.
  mallory("POST", "keys/upload", {
    device_keys: { user_id: "<victim>", device_id: "<device>", algorithms: [], keys: {}, signatures: {} },
  }),
  mallory("POST", "keys/device_signing/upload", {
    master_key: { user_id: "<victim>", usage: ["master"], keys: { "ed25519:x": "x" } },
  }),
  mallory("GET", "room_keys/version/<backup>"),
  mallory("GET", "room_keys/keys?version=<backup>"),
  mallory("PUT", "room_keys/keys?version=<backup>", { rooms: {} }),
  mallory("DELETE", "room_keys/version/<backup>"),
  mallory("PUT", "/_matrix/media/v3/upload/rookery.local/<reserved>"),
  mallory("PUT", "/_matrix/media/v3/upload/rookery.local/<uploaded>"),
  mallory("POST", "/_matrix/client/unstable/org.matrix.simplified_msc3575/sync?pos=<pos>"),
];
