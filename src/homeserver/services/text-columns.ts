/** Columns with client-written text, and how to erase them. Events and media are erased by their own code. */
interface TextColumns {
  table: string;
  keys: readonly string[];
  texts: readonly string[];
  /** The SQL to erase a row; its parameters are the keys. */
  eraseSql: string;
}

/**
 * Tables with client-written text. Add a new text column here or to one of the lists below; a test compares them with
 * the schema.
 */
export const textColumns: readonly TextColumns[] = [
  {
    table: "filters",
    keys: ["user", "n"],
    texts: ["filter"],
    eraseSql: "UPDATE filters SET filter = '{}' WHERE user = ? AND n = ?",
  },
  {
    table: "pushers",
    keys: ["user", "app_id", "pushkey"],
    texts: ["app_id", "pushkey", "pusher"],
    eraseSql: "DELETE FROM pushers WHERE user = ? AND app_id = ? AND pushkey = ?",
  },
  {
    table: "to_device",
    keys: ["stream"],
    texts: ["message"],
    eraseSql: "DELETE FROM to_device WHERE stream = ?",
  },
  {
    table: "sent_to_device",
    keys: ["device", "txn"],
    texts: ["txn"],
    eraseSql: "DELETE FROM sent_to_device WHERE device = ? AND txn = ?",
  },
  {
    table: "devices",
    keys: ["n"],
    texts: ["name"],
    eraseSql: "UPDATE devices SET name = NULL WHERE n = ?",
  },
  {
    // Erases only the device name; the keys are signed and stay.
    table: "device_keys",
    keys: ["user", "device"],
    texts: ["keys"],
    eraseSql: "UPDATE device_keys SET keys = json_remove(keys, '$.unsigned') WHERE user = ? AND device = ?",
  },
  {
    table: "aliases",
    keys: ["alias"],
    texts: ["alias"],
    eraseSql: "DELETE FROM aliases WHERE alias = ?",
  },
  {
    table: "reports",
    keys: ["n"],
    texts: ["reason"],
    eraseSql: "UPDATE reports SET reason = NULL WHERE n = ?",
  },
];

/** Text that is erased by other code: with its event or file, or through a change that clients receive. */
export const erasedElsewhere: Record<string, readonly string[]> = {
  events: ["type", "state_key", "content", "txn"],
  media: ["type", "name"],
  users: ["display_name", "avatar_url"],
  account_data: ["type", "content"],
};

/** Columns without text: ids, hashes, keys and ciphertext. User ids are part of every event and are not erased. */
export const columnsWithoutText: Record<string, readonly string[]> = {
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
