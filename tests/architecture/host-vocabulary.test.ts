import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { hosts } from "../../src/hosts/hosts.ts";

const source = fileURLToPath(new URL("../../src/", import.meta.url));
/** The hook for machines without bash, and the one for plugins inside a host: they may not import the names of our events. */
const exempt = ["hosts", "hook-leaf", "host-plugin"];
/** English words that our own tables also use. */
const plainWords = new Set(["Agent", "Setup", "Task", "Notification"]);

const names = hosts
  .flatMap(({ events, tools }) => [...Object.keys(events.names), ...tools.names])
  // Lower-case words such as `edit` are ours as well.
  .filter((name) => !plainWords.has(name) && !/^[a-z]+$/.test(name));
const isCompound = (name: string): boolean => /[a-z][A-Z]|_/.test(name);
/** A compound name is found anywhere, even in a comment; a single word only as a complete string. */
const vocabulary = new RegExp(
  [
    `\\b(?:${names.filter(isCompound).join("|")})\\b`,
    `["'\`](?:${names.filter((name) => !isCompound(name)).join("|")})["'\`]`,
  ].join("|"),
);

const fields = hosts.flatMap(({ tools }) => tools.inputFields);
const isSnakeCase = (field: string): boolean => field.includes("_");
/** An input field of a tool: a snake-case name wherever it is read, a plain word only as a property of an input. */
const inputField = new RegExp(
  [
    `(?:\\.|["'\`{] ?)(?:${fields.filter(isSnakeCase).join("|")})\\b`,
    `\\b\\w*[iI]nput\\??(?:\\.|\\[["'])(?:${fields.join("|")})\\b`,
  ].join("|"),
);
/** The column of the file that an event concerns. */
const fileColumn = /"file_path"/;

const powerShell = /\$ErrorActionPreference = 'Stop'/;

const files = readdirSync(source, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith(".test.ts"))
  .map((entry) => relative(source, join(entry.parentPath, entry.name)));

const isInside = (file: string): boolean => exempt.includes(file.split(sep)[0] ?? "");
const inside = files.filter(isInside);
const outside = files.filter((file) => !isInside(file));

const linesOf = (file: string): string[] => readFileSync(join(source, file), "utf8").split("\n");

const findVocabulary = (file: string): string[] =>
  linesOf(file).flatMap((line, at) =>
    vocabulary.test(line) && !powerShell.test(line) ? [`${file}:${at + 1}: ${line.trim()}`] : [],
  );

test("only src/hosts knows the fields of a tool's input", () => {
  const find = (file: string): string[] =>
    linesOf(file).flatMap((line, at) =>
      inputField.test(line) && !(file.startsWith("store") && fileColumn.test(line))
        ? [`${file}:${at + 1}: ${line.trim()}`]
        : [],
    );
  expect(inside.flatMap(find).length).toBeGreaterThan(10);
  expect(outside.flatMap(find)).toEqual([]);
});

/** The default host's product is also a model provider, and its plugin format is the one of our package. */
const ownNames = hosts.map(({ name }) => name).filter((name) => name !== "claude-code" && name !== "gemini");
const hostName = new RegExp(`${ownNames.join("|")}|["'\`]claude-code["'\`]`, "i");
/** A command line as an example for the person, or a list of words of the language. */
const isExample = (file: string, line: string): boolean =>
  file.endsWith("-words.ts") || (file.startsWith("cli") && /"rookery [^"]*"/.test(line));

test("only src/hosts names a host, in code, comments and file names", () => {
  const named = files.filter((file) => !file.startsWith(`hosts${sep}`));
  const find = (file: string): string[] =>
    [file, ...linesOf(file)].filter((line) => hostName.test(line) && !isExample(file, line));
  expect(files.filter((file) => find(file).length > 0).length).toBeGreaterThan(10);
  expect(named.flatMap((file) => find(file).map((line) => `${file}: ${line.trim()}`))).toEqual([]);
});

test("only the list of hosts imports a host", () => {
  const folders = hosts.map(({ name }) => name).join("|");
  const hostImport = new RegExp(`from "[^"]*/(?:${folders})/`);
  const lists = ["hosts.ts", "marks.ts", "plugins.ts"].map((file) => join("hosts", file));
  const find = (file: string): string[] => linesOf(file).filter((line) => hostImport.test(line));
  expect(lists.filter((file) => find(file).length === 0)).toEqual([]);
  expect(outside.filter((file) => find(file).length > 0)).toEqual([]);
});

test("only src/hosts knows the event and tool names of a host", () => {
  expect(outside.length).toBeGreaterThan(400);
  expect(inside.flatMap(findVocabulary).length).toBeGreaterThan(40);
  expect(outside.flatMap(findVocabulary)).toEqual([]);
});
