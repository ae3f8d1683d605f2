import { describe, expect, test } from "vitest";
import { parsePrompt } from "./query.ts";
import type { WordMatch } from "./word-match.ts";
import {
  choosePromptRecall,
  formatPromptRecall,
  isContradicted,
  type RecallCandidate,
  trustFactor,
  wasUsed,
} from "./recall.ts";

const note: RecallCandidate = {
  ref: "a",
  kind: "observation",
  type: "gotcha",
  title: "The pool runs dry under load",
  body: "",
  createdAt: 1,
  score: 0.75,
  matched: ["pool", "dry"],
  match: {
    ...{ coverage: 0.7, literal: 0.3, known: 0.8, passage: 0.5, dense: 0.5, mean: 0.3, pair: 0.5, lead: 0.5 },
    ...{ said: 0.5, frequency: 8, words: 30, passages: 3 },
  },
  sessionId: "s1",
};
const match = note.match as WordMatch;
const prompt = ["pool", "dry", "commit", "load", "night", "worker"];
const choose = (...found: Partial<RecallCandidate>[]): string[] =>
  choosePromptRecall(
    found.map((one) => ({ ...note, ...one })),
    prompt,
    () => false,
  ).map(({ ref }) => ref);

describe("a prompt is searched for only if it has a topic", () => {
  test.each([
    "why does the connection pool run dry?",
    "the login page hangs when the cookie is missing",
    "warum ist der Verbindungspool leer?",
    "接続プールはなぜ枯渇したのですか",
    "로그인 화면에서 멈춥니다",
  ])("%s", (prompt) => {
    expect(parsePrompt(prompt)).toBeDefined();
  });

  test.each([
    "continue",
    "yes please",
    "ok, commit and push",
    "looks good, go ahead and open a PR",
    "let's look at the review comments",
    "/rookery:recall connection pool",
    "<task-notification>the pool tests are done</task-notification>",
    "does https://example.org/acme/pool/pull/68 fix this?",
    "Implement the following plan: move the connection pool to its own module",
    `here is the log:\n${"pool exhausted at worker 7\n".repeat(20)}`,
    "weiter bitte",
    "继续",
  ])("not: %s", (prompt) => {
    expect(parsePrompt(prompt)).toBeUndefined();
  });
});

test("shows a note that matches well, and nothing below the threshold", () => {
  expect(choose({})).toEqual(["a"]);
  expect(choose({ score: 0.1 })).toEqual([]);
  expect(choose({ match: { ...match, coverage: 0.2, mean: 0.1 } })).toEqual([]);
});

test("needs a better match if most words of the prompt occur in no text of the project", () => {
  expect(choose({ score: 0.6, match: { ...match, known: 1 } })).toEqual(["a"]);
  expect(choose({ score: 0.6, match: { ...match, known: 0.2 } })).toEqual([]);
});

test("a text with the same meaning in other words needs a lower score than one that repeats words of the prompt", () => {
  expect(choose({ score: 0.6, match: { ...match, literal: 0.7 } })).toEqual([]);
  expect(choose({ score: 0.6, match: { ...match, literal: 0 } })).toEqual(["a"]);
});

test("needs a word of the topic: errands match by chance", () => {
  expect(choose({ score: 1.2, matched: ["commit"] })).toEqual([]);
  expect(choose({ score: 1.2, matched: ["commit", "pool"] })).toEqual(["a"]);
});

test("adds notes that are nearly as good as the best one", () => {
  const other = (score: number) => ({
    ref: "b",
    score,
    matched: ["pool"],
    title: "Workers keep connections",
  });
  expect(choose({}, other(0.4))).toEqual(["a", "b"]);
  expect(choose({}, other(0.3))).toEqual(["a"]);
  const shown = choosePromptRecall([note, { ...note, ...other(0.4) }], prompt, (ref) => ref === "a");
  expect(shown).toEqual([]);
});

test("shows three notes with their text and two more by their title", () => {
  const titles = [
    "Workers keep connections",
    "Retries double the load",
    "Idle clients are closed",
    "Timeouts are 5 s",
  ];
  const others = [...titles, "Migrations lock tables"].map((title, n) => ({
    ref: `n${n}`,
    title,
    score: 0.7 - n / 100,
  }));
  const summary = { ref: "s", kind: "summary", title: "Requests wait", turnId: "t9", score: 0.685 };
  const chosen = choosePromptRecall(
    [note, ...others.map((one) => ({ ...note, ...one }))],
    prompt,
    () => false,
  );
  expect(chosen.map(({ ref, isTitleOnly }) => (isTitleOnly ? `(${ref})` : ref))).toEqual([
    "a",
    "n0",
    "n1",
    "(n2)",
    "(n3)",
  ]);
  const text = formatPromptRecall(chosen);
  expect(text).toContain("Retries double the load — ");
  expect(text).toMatch(/Idle clients are closed$/m);
  // A summary has no id by which the agent could read it.
  expect(choose({}, ...others.slice(0, 2), summary, ...others.slice(2))).toEqual(["a", "n0", "n1", "n2"]);
});

test("shows the newest of several notes on the same thing", () => {
  const older = { ref: "old", createdAt: 1, score: 1.1 };
  const newer = { ref: "new", createdAt: 2, title: "The pool still runs dry under load" };
  const other = { ref: "other", createdAt: 3, title: "Retries double the load on the database" };
  expect(choose(older, newer, other)).toEqual(["new", "other"]);
});

test("shows the newest of notes with nearly equal vectors, unless a number or a negation differs", () => {
  const older = { ref: "old", createdAt: 1, twinOf: ["new"] };
  const newer = (title: string) => ({ ref: "new", createdAt: 2, title, twinOf: ["old"] });
  expect(choose(older, newer("Connections are exhausted by many requests"))).toEqual(["new"]);
  expect(choose({ ...older, twinOf: [] }, newer("Connections are exhausted"))).toEqual(["old", "new"]);
  expect(choose(older, newer("Connections are not exhausted by requests"))).toEqual(["old", "new"]);
  expect(choose(older, newer("Connections are exhausted by 20 requests"))).toEqual(["old", "new"]);
});

test("a turn is shown by its note or by its summary, not by both", () => {
  const summary = { ref: "s", kind: "summary", title: "Requests time out", turnId: "t1" };
  expect(choose({ turnId: "t1" }, summary)).toEqual(["a"]);
  expect(choose({ turnId: "t2" }, summary)).toEqual(["a", "s"]);
});

test("a turn without a note or summary is shown by its prompt and answer", () => {
  const answer = { ref: "p", kind: "prompt", title: "why is the pool empty?", turnId: "t2" };
  expect(choose({ turnId: "t1" }, answer)).toEqual(["a", "p"]);
  expect(choose({ turnId: "t2" }, answer)).toEqual(["a"]);
  const summary = { ref: "s", kind: "summary", title: "Requests time out", turnId: "t2" };
  expect(choose(summary, answer)).toEqual(["s"]);
});

test("a prompt that asked the same later does not replace a note", () => {
  const again = { ref: "p", kind: "prompt", title: "the pool runs dry again", turnId: "t2", createdAt: 2 };
  expect(choose({ turnId: "t1" }, again)).toEqual(["a", "p"]);
});

test("the summary of a session is shown only if no note of the session is", () => {
  const summary = { ref: "s", kind: "summary", title: "Requests time out" };
  expect(choose({ turnId: "t1" }, summary)).toEqual(["a"]);
  expect(choose({ turnId: "t1", sessionId: "s2" }, summary)).toEqual(["a", "s"]);
});

test("a note that was always ignored needs a better match than one that was used", () => {
  expect(choose({ score: 0.62, outcome: { shown: 8, used: 0 } })).toEqual([]);
  expect(choose({ score: 0.62, outcome: { shown: 8, used: 8 } })).toEqual(["a"]);
  expect(trustFactor(undefined)).toBe(1);
  expect(trustFactor({ shown: 1_000, used: 0 })).toBeGreaterThanOrEqual(0.8);
  expect(trustFactor({ shown: 1_000, used: 1_000 })).toBeLessThanOrEqual(1.1);
});

describe("a note counts as used", () => {
  const text = "The pool runs dry because workers never return their connections after a timeout.";
  const prompt = "why does the pool run dry?";
  test("if its own words occur in what the agent said or did", () => {
    expect(wasUsed(text, prompt, "Workers keep connections after the timeout, so I return them.")).toBe(true);
  });
  test("but not if only the prompt's words occur", () => {
    expect(wasUsed(text, prompt, "The pool was dry; I doubled its size.")).toBe(false);
  });
});

test("an objection counts against a note only if it is about the note", () => {
  const text = "Deployments run from tags.";
  expect(isContradicted(text, "No, deployments run from main since March")).toBe(true);
  expect(isContradicted(text, "no, use the other button")).toBe(false);
  expect(isContradicted(text, "deployments run from tags, good")).toBe(false);
});
