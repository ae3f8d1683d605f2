/** A column or two in which clients keep what people wrote, and how that goes. Events and media have ways of their own. */
export interface TextPlace {
  table: string;
  keys: readonly string[];
  texts: readonly string[];
  /** Its values are the keys. */
  strike: string;
}

/**
 * Every table with text in it. A new one belongs here, or among the columns without text below: a test holds both lists
 * equal to the schema.
 */
export const textPlaces: readonly TextPlace[] = [
  {
    table: "filters",
    keys: ["user", "n"],
    texts: ["filter"],
    strike: "UPDATE filters SET filter = '{}' WHERE user = ? AND n = ?",
  },
  {
    table: "pushers",
    keys: ["user", "app_id", "pushkey"],
    texts: ["app_id", "pushkey", "pusher"],
    strike: "DELETE FROM pushers WHERE user = ? AND app_id = ? AND pushkey = ?",
  },
  {
    table: "to_device",
    keys: ["stream"],
    texts: ["message"],
    strike: "DELETE FROM to_device WHERE stream = ?",
  },
  {
    table: "sent_to_device",
    keys: ["device", "txn"],
    texts: ["txn"],
    strike: "DELETE FROM sent_to_device WHERE device = ? AND txn = ?",
  },
  {
    table: "devices",
    keys: ["n"],
    texts: ["name"],
    strike: "UPDATE devices SET name = NULL WHERE n = ?",
  },
  {
    // What a device is called; the keys themselves are signed and stay.
    table: "device_keys",
    keys: ["user", "device"],
    texts: ["keys"],
    strike: "UPDATE device_keys SET keys = json_remove(keys, '$.unsigned') WHERE user = ? AND device = ?",
  },
  {
    table: "aliases",
    keys: ["alias"],
    texts: ["alias"],
    strike: "DELETE FROM aliases WHERE alias = ?",
  },
  {
    table: "reports",
    keys: ["n"],
    texts: ["reason"],
    strike: "UPDATE reports SET reason = NULL WHERE n = ?",
  },
];

/** Text that goes by its own way: with its event, its file, or so that clients are told. */
export const ownWay: Record<string, readonly string[]> = {
  events: ["type", "state_key", "content", "txn"],
  media: ["type", "name"],
  users: ["display_name", "avatar_url"],
  account_data: ["type", "content"],
};

/** Ids, hashes, keys and ciphertext. The name in a user's id stands in everything they ever did. */
export const textless: Record<string, readonly string[]> = {
  meta: ["key", "value"],
  users: ["id", "password"],
  devices: ["user", "id", "seen_ip"],
  tokens: ["hash", "kind", "pair", "replaces"],
  rooms: ["id", "version"],
  events: ["id", "sender", "redacts", "auth", "hash", "parent", "relation"],
  members: ["user", "membership"],
  aliases: ["room", "creator"],
  receipts: ["user", "type", "thread", "event"],
  account_data: ["user", "room"],
  filters: ["user"],
  pushers: ["user"],
  device_keys: ["user", "device"],
  one_time_keys: ["user", "device", "algorithm", "id", "key"],
  fallback_keys: ["user", "device", "algorithm", "id", "key"],
  cross_signing_keys: ["user", "usage", "key"],
  key_signatures: ["user", "target", "signer", "key_id", "signature"],
  device_list_changes: ["user"],
  key_notices: ["reader", "user"],
  key_backups: ["user", "algorithm", "auth_data"],
  backed_up_keys: ["user", "room", "session", "key"],
  media: ["id", "user"],
  reports: ["reporter", "room", "event", "user"],
};
