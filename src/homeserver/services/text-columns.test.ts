import { expect, test } from "vitest";
import { loadMigrations, migrate } from "../../sqlite/migrate.ts";
import { openDatabase } from "../../sqlite/sqlite.ts";
import { erasedElsewhere, columnsWithoutText, textColumns } from "./text-columns.ts";

test("every text column is listed as client-written or as free of text", () => {
  const db = openDatabase(":memory:");
  migrate(db, loadMigrations(new URL("../migrations/", import.meta.url)));
  const tables = db.all<{ name: string }>(
    "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'",
  );
  const actual = tables.flatMap(({ name: table }) =>
    db
      .all<{ name: string; type: string }>("SELECT name, type FROM pragma_table_info(?)", table)
      .filter(({ type }) => type === "TEXT")
      .map(({ name }) => `${table}.${name}`),
  );
  const named = [...Object.entries(erasedElsewhere), ...Object.entries(columnsWithoutText)];
  const known = [
    ...textColumns.flatMap(({ table, texts }) => texts.map((column) => `${table}.${column}`)),
    ...named.flatMap(([table, columns]) => columns.map((column) => `${table}.${column}`)),
  ];
  expect(actual.length).toBeGreaterThan(60);
  expect(known.toSorted()).toEqual(actual.toSorted());
  db.close();
});
