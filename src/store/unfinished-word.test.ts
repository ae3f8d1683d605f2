import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseQuery, parseTyping } from "../domain/memory/query.ts";
import { type MemorySearch, openMemorySearch } from "./memory-search.ts";
import { openStore } from "./open-store.ts";

const texts = {
  schema: "The migration of the orders table runs at night.",
  login: "Authentication happens at the gateway.",
  build: "Running builds need the library cache.",
  zoo: "Wombats dig when nobody looks, says retryDelayMs.",
  team: "Management of libraries is happily delegated.",
};
const folder = mkdtempSync(join(tmpdir(), "rk-typing-"));
let search: MemorySearch;

beforeAll(() => {
  const path = join(folder, "rookery.db");
  const store = openStore(path, () => 0);
  const row = { path: "/p", name: "p", fingerprint: null, mode: "on", leases: "warn", createdAt: 0 } as const;
  store.projects.insert({ ...row, id: "p" });
  for (const [ref, body] of Object.entries(texts))
    store.index.put({
      kind: "message",
      ref,
      projectId: "p",
      sessionId: null,
      type: null,
      createdAt: 0,
      title: "",
      body,
      files: [],
    });
  store.close();
  search = openMemorySearch(path);
});
afterAll(() => {
  search.close();
  rmSync(folder, { recursive: true });
});

const find = (text: string, parse = parseTyping): string[] =>
  search.find(parse(text), {}, 10).map(({ ref }) => ref);

test.each([
  ["migration", "schema"],
  ["authentication", "login"],
  ["running", "build"],
  ["library", "build"],
  ["libraries", "team"],
  ["wombats", "zoo"],
  ["management", "team"],
  ["happily", "team"],
  ["retryDelayMs", "zoo"],
])("%s is found from its third letter on, and stays found to its last", (word, ref) => {
  for (let length = 3; length <= word.length; length++)
    expect(find(word.slice(0, length)), word.slice(0, length)).toContain(ref);
});

test("only the last word is completed, and only while the query is being typed", () => {
  expect(find("womb")).toEqual(["zoo"]);
  expect(find("womb night")).toEqual(["schema"]);
  expect(find("womb", parseQuery)).toEqual([]);
  expect(search.find(parseTyping("delegated womb"), {}, 10)).toMatchObject([
    { matched: expect.arrayContaining(["delegated"]) },
    { matched: expect.arrayContaining(["wombats"]) },
  ]);
});
