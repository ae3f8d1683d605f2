import { expect, test } from "vitest";
import { migrate } from "../sqlite/migrate.ts";
import { loadStoreMigrations } from "./store-migrations.ts";
import { openDatabase } from "../sqlite/sqlite.ts";
import { columnsWithoutText, textColumns } from "./text-columns.ts";

test("every text column is listed, either with or without words", () => {
  const db = openDatabase(":memory:");
  migrate(db, loadStoreMigrations());
  const tables = db.all<{ name: string }>(
    "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'",
  );
  const actual = tables.flatMap(({ name: table }) =>
    db
      .all<{ name: string; type: string }>("SELECT name, type FROM pragma_table_info(?)", table)
      .filter(({ type }) => type === "TEXT")
      .map(({ name }) => `${table}.${name}`),
  );
  const known = [
    ...textColumns.flatMap(({ table, words }) => words.map((column) => `${table}.${column}`)),
    ...Object.entries(columnsWithoutText).flatMap(([table, columns]) =>
      columns.map((column) => `${table}.${column}`),
    ),
  ];
  expect(actual.length).toBeGreaterThan(60);
  expect(known.toSorted()).toEqual(actual.toSorted());
  db.close();
});
