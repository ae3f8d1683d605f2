import type { Database, Value } from "../sqlite/sqlite.ts";

/** Reads and writes the rows of a table as objects: the column `room_id` is the field `roomId`. */
export interface RowTable<Row extends object> {
  /** `SELECT id AS id, room_id AS roomId FROM messages` */
  select: string;
  /**
   * Writes the fields that the row has, and further columns such as `origin`; lists and objects as JSON. False if
   * `conflict` left an existing row as it is.
   */
  insert(row: Partial<Row>, further?: Record<string, Value>, conflict?: string): boolean;
  /** The same, in place of the row with the same key. */
  replace(row: Partial<Row>, further?: Record<string, Value>): void;
  /** Writes these columns of the row with the same id. False if there is none for which `condition` holds. */
  update(row: Row & { id: string }, columns: string, condition?: string): boolean;
}

/** `columns`: those that rows are read with, separated by commas. */
export function openRowTable<Row extends object>(
  db: Database,
  table: string,
  columns: string,
): RowTable<Row> {
  const all = listColumns(columns);

  function write(verb: string, row: object, further: Record<string, Value>, conflict = ""): boolean {
    const written = all.filter(({ field }) => field in row);
    const values = [...written.map(({ field }) => toValue(row, field)), ...Object.values(further)];
    const names = [...written.map(({ name }) => name), ...Object.keys(further)];
    const places = "?, ".repeat(names.length - 1);
    return (
      db.run(`${verb} INTO ${table} (${names.join()}) VALUES (${places}?) ${conflict}`, ...values).changes ===
      1
    );
  }
  return {
    select: `SELECT ${all.map(({ name, field }) => `${name} AS ${field}`).join(", ")} FROM ${table}`,
    insert: (row, further = {}, conflict) => write("INSERT", row, further, conflict),
    replace(row, further = {}) {
      write("INSERT OR REPLACE", row, further);
    },
    update(row, changed, condition = "") {
      const written = listColumns(changed);
      const places = written.map(({ name }) => `${name} = ?`).join();
      const values = written.map(({ field }) => toValue(row, field));
      return (
        db.run(`UPDATE ${table} SET ${places} WHERE id = ? ${condition}`, ...values, row.id).changes === 1
      );
    },
  };
}

function listColumns(text: string): { name: string; field: string }[] {
  return text.split(/,\s+/).map((name) => ({
    name,
    field: name.replace(/_(\w)/g, (_whole, letter: string) => letter.toUpperCase()),
  }));
}

function toValue(row: object, field: string): Value {
  const value = (row as Record<string, unknown>)[field];
  return typeof value === "object" && value !== null ? JSON.stringify(value) : (value as Value);
}
