import type { Database } from "../sqlite/sqlite.ts";

/** Small facts about this home: its origin id, notices already shown to the user, the port it uses. */
export interface MetaTable {
  get(key: string): string | undefined;
  set(key: string, value: string): void;
  remove(key: string): void;
  getOrCreate(key: string, make: () => string): string;
}

export function openMetaTable(db: Database): MetaTable {
  const table: MetaTable = {
    get: (key) => db.get<{ value: string }>("SELECT value FROM meta WHERE key = ?", key)?.value,
    set(key, value) {
      db.run(
        "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        key,
        value,
      );
    },
    remove(key) {
      db.run("DELETE FROM meta WHERE key = ?", key);
    },
    getOrCreate(key, make) {
      const existing = table.get(key);
      if (existing !== undefined) return existing;
      const value = make();
      table.set(key, value);
      return value;
    },
  };
  return table;
}
