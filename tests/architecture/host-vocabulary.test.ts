import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { hosts } from "../../src/hosts/hosts.ts";

const source = fileURLToPath(new URL("../../src/", import.meta.url));
/** The leaf is the shipped hook for machines without bash: it may import nothing, and compares two event names. */
const exempt = ["hosts", "hook-leaf"];
/** English words that tables and groups of our own use as well. */
const plainWords = new Set(["Agent", "Setup", "Task", "Notification"]);

const names = hosts
  .flatMap(({ events, tools }) => [...Object.keys(events.names), ...tools.names])
  .filter((name) => !plainWords.has(name));
const isCompound = (name: string): boolean => /[a-z][A-Z]/.test(name);
/** A compound name anywhere, also in a comment; a single word only as a whole string. */
const vocabulary = new RegExp(
  [
    `\\b(?:${names.filter(isCompound).join("|")})\\b`,
    `["'\`](?:${names.filter((name) => !isCompound(name)).join("|")})["'\`]`,
  ].join("|"),
);

const powerShell = /\$ErrorActionPreference = 'Stop'/;

const files = readdirSync(source, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith(".test.ts"))
  .map((entry) => relative(source, join(entry.parentPath, entry.name)));

const findVocabulary = (file: string): string[] => {
  const lines = readFileSync(join(source, file), "utf8").split("\n");
  return lines.flatMap((line, at) =>
    vocabulary.test(line) && !powerShell.test(line) ? [`${file}:${at + 1}: ${line.trim()}`] : [],
  );
};

test("only src/hosts knows the event and tool names of a host", () => {
  const [outside, inside] = [true, false].map((isOutside) =>
    files.filter((file) => !exempt.includes(file.split(sep)[0] ?? "") === isOutside),
  );
  expect(outside?.length).toBeGreaterThan(400);
  expect(inside?.flatMap(findVocabulary).length).toBeGreaterThan(40);
  expect(outside?.flatMap(findVocabulary)).toEqual([]);
});
