import { expect, test } from "vitest";
import { type Claim, claimsOf, explainReplacement } from "./supersede.ts";

const claim = (title: string, fields: Partial<Claim> = {}): Claim => ({
  type: "preference",
  title,
  worktree: null,
  filesRead: [],
  filesModified: [],
  ...fields,
});
const inFile = (title: string, file = "src/pool.ts", type: Claim["type"] = "discovery"): Claim =>
  claim(title, { type, filesModified: [file] });

test.each<[string, Claim, Claim]>([
  ["a question answered otherwise", claim("Which database? → SQLite"), claim("Which database? → PostgreSQL")],
  [
    "a rule turned round",
    claim("From now on never use tabs for indentation"),
    claim("Always use tabs for indentation"),
  ],
  ["… and back", claim("Use semicolons in TypeScript"), claim("Don't use semicolons in TypeScript")],
  ["another number", claim("The request timeout is 60 seconds"), claim("the request timeout is 30 seconds")],
  [
    "another version",
    claim("Pin react to 19.1", { type: "decision" }),
    claim("Pin react to 18.3", { type: "decision" }),
  ],
  ["another unit's number", claim("Deploys wait 90s for health"), claim("Deploys wait 45s for health")],
  ["a thing named as given up", claim("From now on use pnpm instead of npm"), claim("We use npm")],
  ["… everywhere", claim("Use pnpm instead of npm"), claim("We always use npm for everything")],
  ["… by moving", claim("We moved from Jest to Vitest"), claim("Use Jest", { type: "decision" })],
  ["… by replacing", claim("Replace moment with date-fns"), claim("We use moment")],
  [
    "… in the same place",
    claim("Use Postgres rather than SQLite for the tests"),
    claim("Use SQLite for tests"),
  ],
  [
    "the same of a file, with another value",
    inFile("The pool in pool.ts is limited to 20 connections"),
    inFile("The pool in pool.ts is limited to 5 connections"),
  ],
])("%s replaces the older", (_name, newer, older) => {
  expect(explainReplacement(newer, older)).toEqual(expect.any(String));
  // Each finds the other, in either order.
  const [a, b] = [claimsOf(newer, "p"), claimsOf(older, "p")];
  expect(a.sought.some((claim) => b.own.includes(claim))).toBe(true);
  expect(b.sought.some((claim) => a.own.includes(claim))).toBe(true);
  expect(a.sought.some((claim) => claimsOf(older, "q").own.includes(claim))).toBe(false);
});

test.each<[string, Claim, Claim]>([
  ["the same answer", claim("Which database? → SQLite"), claim("Which database? → sqlite!")],
  ["another question", claim("Which cache? → Redis"), claim("Which database? → PostgreSQL")],
  ["the same words again", claim("Always use tabs"), claim("always use tabs.")],
  [
    "two rules side by side",
    claim("Always run the tests before a commit"),
    claim("Always run the linter before a commit"),
  ],
  ["two tools for one purpose", claim("Use faker for tests"), claim("Use jest for tests")],
  ["a wider and a narrower rule", claim("Never use tabs in Markdown"), claim("Always use tabs")],
  [
    "numbers of different things",
    claim("The request timeout is 60 seconds"),
    claim("The connect timeout is 30 seconds"),
  ],
  ["numbers, and a word", claim("Retry 5 times on Kafka"), claim("Retry 3 times on Redis")],
  ["two things forbidden", claim("Never call service 12 directly"), claim("Never call service 13 directly")],
  ["names with digits", claim("We always use module0x399 here"), claim("We always use module7x399 here")],
  [
    "things told apart by number",
    claim("Ticket 12 must wait for legal"),
    claim("Ticket 13 must wait for legal"),
  ],
  [
    "two things that happened",
    inFile("Fixed 3 tests of the pool", "a.ts", "bugfix"),
    inFile("Fixed 5 tests of the pool", "a.ts", "bugfix"),
  ],
  ["too little said", claim("Port 8081"), claim("Port 8080")],
  ["given up somewhere else", claim("Use pnpm instead of npm"), claim("Use npm for the legacy docs site")],
  ["it was the rejected one before, too", claim("Use pnpm instead of npm"), claim("Use yarn instead of npm")],
  ["it was forbidden before", claim("Use pnpm instead of npm"), claim("Never use npm")],
  ["it is only mentioned", claim("Use pnpm instead of npm"), claim("Keep the lockfile of npm out of git")],
  [
    "another worktree",
    claim("The request timeout is 60 s", { worktree: "b" }),
    claim("The request timeout is 30 s"),
  ],
  [
    "cut titles",
    claim("The request timeout of the orders is 60 …"),
    claim("The request timeout of the orders is 30 …"),
  ],
  [
    "another file",
    inFile("The pool is limited to 20 connections", "src/a.ts"),
    inFile("The pool is limited to 5 connections", "src/b.ts"),
  ],
  [
    "another kind of note",
    inFile("The pool is limited to 20 connections", "src/a.ts", "bugfix"),
    inFile("The pool is limited to 5 connections", "src/a.ts", "gotcha"),
  ],
  ["two fixes of one file", inFile("Fixed the leak in pool.ts"), inFile("Fixed the timeout in pool.ts")],
  [
    "a fact and a rule",
    inFile("The request timeout is 60 seconds"),
    claim("The request timeout is 30 seconds"),
  ],
  ["not and no in passing", claim("No commits on Friday afternoons"), claim("Commits are small on Friday")],
])("%s: both stay", (_name, newer, older) => {
  expect(explainReplacement(newer, older)).toBeUndefined();
});
