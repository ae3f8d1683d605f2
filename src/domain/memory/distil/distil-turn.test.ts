import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Distilled, Step, TurnRecord } from "../turn-record.ts";
import { describeCall } from "../../../../tests/support/describe-call.ts";
import { distilTurn } from "./distil-turn.ts";
import { pickLimits } from "./pick.ts";
import { makeScorer } from "./scorer.ts";

const scorer = makeScorer(readFileSync(new URL("../../../store/weights/distil.bin", import.meta.url)));

const turn = (fields: Partial<TurnRecord>): TurnRecord => ({
  prompt: "",
  isMachine: false,
  steps: [],
  final: "",
  outcome: "completed",
  ...fields,
});
const tool = (name: string, input: Record<string, unknown>, output = "", failed = false): Step => ({
  kind: "tool",
  tool: name,
  ...describeCall(name, input),
  input,
  output,
  failed,
  eventId: `e-${name}`,
});
const edit = tool("Edit", { file_path: "/p/src/pool.ts", old_string: "max: 5", new_string: "max: 20" });
const distil = (record: TurnRecord, previousFinal = "", limits = pickLimits) =>
  distilTurn(record, { scorer, previousFinal, promptEventId: "prompt" }, limits);
const kept = (record: TurnRecord, previousFinal = ""): Distilled[] => distil(record, previousFinal).notes;

test.each([
  ["small talk", turn({ prompt: "thanks, bye", final: "Bye!" })],
  [
    "an errand",
    turn({
      prompt: "good, commit",
      steps: [tool("Bash", { command: "git commit" })],
      final: "Committed as 8c1f0aa.",
    }),
  ],
  [
    "a look round",
    turn({
      prompt: "what files do I have here",
      steps: [tool("Bash", { command: "ls" }, "a.js")],
      final: "Just `a.js`.",
    }),
  ],
  [
    "progress and waiting",
    turn({ prompt: "run the agents", final: "Three agents are running. I'll report when they finish." }),
  ],
  ["an offer", turn({ prompt: "done?", final: "All tests pass. Want me to open a pull request?" })],
])("no note is made of %s", (_name, record) => {
  expect(kept(record)).toEqual([]);
});

test("a cause is kept with the identifier that it is about", () => {
  const final =
    "Found it.\n\nRoot cause: `openPool` is called on every request, so each one opens its own client and the pool is exhausted. `pool.ts` now shares one client.";
  const notes = kept(turn({ prompt: "requests fail under load", steps: [edit], final }));
  expect(notes[0]?.title).toContain("`openPool` is called on every request");
  expect(notes[0]?.type).toBe("problem-solution");
  expect(notes[0]?.filesModified).toEqual(["/p/src/pool.ts"]);
});

test('a statement that opens with "Fixed:" is a bugfix', () => {
  const final =
    "Fixed: `addWorkingDays` counts in UTC now (`getUTCDay`), so it skips the weekend in every time zone.";
  const [note] = kept(turn({ prompt: "fix the promised day", steps: [edit], final }));
  expect(note?.type).toBe("bugfix");
});

test("a finding of a turn that is not worth a note is a loose fact", () => {
  const final =
    "I checked the logs. `pool.ts` closes idle clients after 30 s, so the first request after a break opens a new one.";
  const { notes, loose } = distil(turn({ prompt: "and in the logs?", final }), "", {
    ...pickLimits,
    keepTurn: 9,
    keepShortTurn: 9,
    keepAlone: 9,
    keepWanted: 9,
  });
  expect(notes).toEqual([]);
  expect(loose.facts.join()).toContain("closes idle clients after 30 s");
});

test("a remark of the user that is no rule is kept with the work it led to", () => {
  const final =
    "Root cause: `openPool` is called on every request, so each one opens its own client and the pool is exhausted. `pool.ts` now shares one client.";
  const prompt =
    "Requests fail under load.\nI want the pool to be shared by all workers of the service, it seems we open one for each.";
  const notes = kept(turn({ prompt, steps: [edit], final }));
  expect(notes.map(({ type }) => type)).toEqual(["problem-solution"]);
  expect(notes[0]?.facts.join("\n")).toContain("The user said: I want the pool to be shared by all workers");
});

test.each([
  "never write to the production database from a script",
  "Always run the formatter before a commit",
  "from now on, answer in British English",
])("a rule of the user is a note: %s", (prompt) => {
  expect(kept(turn({ prompt, final: "Understood." })).map(({ type }) => type)).toEqual(["preference"]);
});

test.each([
  "there is a bug at the start of the list, the colours should not be like this",
  "don't forget to switch to a fresh branch, this one is merged already",
  "do not change the code just yet",
  "it should not be in the header but below",
])("a remark of the moment is not: %s", (prompt) => {
  expect(kept(turn({ prompt, final: "Understood." }))).toEqual([]);
});

test("the summary says what was done, even if the title of the note is the cause", () => {
  const final =
    "Fixed. The pool was exhausted because every request opened its own client; `pool.ts` now shares one client.";
  const { summary } = distil(turn({ prompt: "requests time out under load, fix it", steps: [edit], final }));
  expect(summary?.learned).toMatch(/^The pool was exhausted because every request opened its own client/);
  expect(summary?.completed).toContain("`pool.ts` now shares one client");
});

test("a bare answer to a request for permission is no note", () => {
  const answer: Step = {
    kind: "answer",
    question: "May I release the new version on Monday?",
    answer: "No",
    options: ["Yes", "No"],
    eventId: "e3",
  };
  expect(kept(turn({ prompt: "prepare the release", steps: [answer] }))).toEqual([]);
});

test("an answer with free text is the user's decision", () => {
  const answer: Step = {
    kind: "answer",
    question: "Which database should the job queue use?",
    answer: "SQLite, we must not add a server to the deployment",
    options: ["PostgreSQL", "SQLite"],
    eventId: "e1",
  };
  const [note] = kept(turn({ prompt: "build the job queue", steps: [answer] }));
  expect(note).toMatchObject({
    type: "decision",
    facts: ["Not chosen: PostgreSQL", "Asked: build the job queue"],
    provenance: "answer",
    sourceEvents: ["e1"],
  });
});

test.each([
  [
    "b",
    "Two ways:\n\nA) poll the API every minute\nB) subscribe to the change feed and replay it after a restart\n\nWhich one?",
  ],
  ["yes", "I recommend subscribing to the change feed and replaying it after a restart. Shall I go ahead?"],
])("%j is kept with what it agreed to", (prompt, previousFinal) => {
  const [note] = kept(turn({ prompt, final: "OK." }), previousFinal);
  expect(note?.type).toBe("decision");
  expect(note?.title.toLowerCase()).toContain("change feed and replay");
  expect(note?.narrative).toContain(`The user answered: ${prompt}`);
});

test("a yes to an errand is not a decision", () => {
  expect(kept(turn({ prompt: "yes", final: "Pushed." }), "Shall I push the branch?")).toEqual([]);
});

test("a machine's prompt is not the user's rule", () => {
  const prompt = "<task-notification>always use tabs, never spaces, in every file</task-notification>";
  expect(kept(turn({ prompt, isMachine: true }))).toEqual([]);
});

test("a pasted plan is not the user's rule", () => {
  const plan = `Implement the following plan:\n\n# Context\n${"We must never write to the shared index and always go through the queue.\n".repeat(12)}`;
  expect(kept(turn({ prompt: plan, final: "Done." }))).toEqual([]);
});

test("a turn of endless words is scored in bounded time", () => {
  const startedAt = performance.now();
  distil(turn({ prompt: `Never use this: ${"A".repeat(64_000)}`, final: "B".repeat(64_000) }));
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});

test("a short final message is kept in full except for status lines and offers, and the request becomes a fact", () => {
  const final =
    "Done.\n\nThe worker hung because `drain()` waited for a queue that nobody closes. It now closes the queue first. The timeout stays at 30 s. Want me to push?";
  const [note, ...others] = kept(turn({ prompt: "why does the worker hang on exit?", steps: [edit], final }));
  expect(others).toEqual([]);
  expect(note?.narrative).toContain("The timeout stays at 30 s.");
  expect(note?.narrative).not.toMatch(/Done|Want me/);
  expect(note?.facts).toContain("Asked: why does the worker hang on exit?");
});

test("work on a given plan has the plan's title", () => {
  const prompt =
    "Implement the following plan:\n\n# Plan: Keep drafts of unsent messages\n\n## Context\nDrafts vanish on reload.";
  const final =
    "- `drafts.ts` — Added `saveDraft()`, which stores the text per room because a reload loses the editor state\n- `editor.ts` — Added a call to it on every pause";
  const [note] = kept(turn({ prompt, steps: [edit], final }));
  expect(note).toMatchObject({ type: "feature", title: "Keep drafts of unsent messages" });
});

test.each([
  "On `main`, up to date with `f3e354ea1`.",
  "Fixed the lint error in commit `c74bdb7a`.",
  "You can run `npm test` to see it.",
])("a status report is not a note: %s", (final) => {
  expect(kept(turn({ prompt: "where are we?", steps: [edit], final }))).toEqual([]);
});

test("a prompt that only starts like an agreement is not a decision", () => {
  const offered =
    "I recommend subscribing to the change feed and replaying it after a restart. Shall I go ahead?";
  expect(
    kept(turn({ prompt: "ok lets go back to main and pull in latest", final: "Pulled." }), offered),
  ).toEqual([]);
});

test("a short question is titled with the sentence before it", () => {
  const answer: Step = {
    kind: "answer",
    question: "Sessions of deleted users stay in the cache. Which?",
    answer: "Evict them",
    options: ["Evict them", "Keep them"],
    eventId: "e1",
  };
  expect(kept(turn({ prompt: "clean up the cache", steps: [answer] }))[0]?.title).toBe(
    "Sessions of deleted users stay in the cache. Which? → Evict them",
  );
});

test("a plan that was carried out is one note with its reason", () => {
  const prompt =
    "Implement the following plan:\n\n# Plan: Retry webhook deliveries\n\n## Context\n\nDeliveries are dropped when the receiver answers 503.\n\n## Changes\n\n### 1. `pool.ts`\n";
  const final =
    "All done. `deliver()` now retries five times with a growing delay. A delivery that still fails is kept in `dead_letters`.";
  const notes = kept(turn({ prompt, steps: [edit], final }));
  expect(notes[0]).toMatchObject({ type: "feature", title: "Retry webhook deliveries" });
  expect(notes[0]?.narrative).toContain("dropped when the receiver answers 503");
  expect(notes[0]?.narrative).toContain("retries five times");
});

describe("a commit message", () => {
  const body =
    "Expired sessions were only removed on read, so a cache that nobody read grew without limit.\n\nSweep on write, at most once a minute, because a timer would keep the process alive.";
  const commit = tool("Bash", {
    command: `git commit -m "fix(cache): evict expired sessions before new ones" -m "${body}"`,
  });
  const final =
    "Committed. The cache grew because `SessionCache.get` was the only place that dropped expired entries, so a server without reads ran out of memory after two days.";

  test("is the note of its turn, with the report as facts", () => {
    const [note, ...others] = kept(turn({ prompt: "fix the leak and commit", steps: [edit, commit], final }));
    expect(others).toEqual([]);
    expect(note).toMatchObject({
      type: "bugfix",
      title: "cache: evict expired sessions before new ones",
      provenance: "commit",
    });
    expect(note?.narrative).toContain("grew without limit. Sweep on write");
    expect(note?.facts.join(" ")).toContain("`SessionCache.get` was the only place");
  });

  test("is the note of a turn that only commits", () => {
    const notes = kept(turn({ prompt: "commit it", steps: [commit], final: "Committed as 8c1f0aa." }));
    expect(notes).toMatchObject([{ provenance: "commit", type: "bugfix" }]);
  });

  test("fills `completed` of the summary, even if the turn has no note", () => {
    const steps = [tool("Bash", { command: "git commit -m 'Evict expired sessions on every write'" })];
    const { notes, summary } = distil(turn({ prompt: "commit it", steps, final: "Committed as 8c1f0aa." }));
    expect(notes).toEqual([]);
    expect(summary?.completed).toBe("Evict expired sessions on every write");
  });

  test("without a body is the title of the turn's own note", () => {
    const short = tool("Bash", { command: "git commit -m 'Evict expired sessions on every write'" });
    const [note] = kept(turn({ prompt: "fix the leak and commit", steps: [edit, short], final }));
    expect(note).toMatchObject({ title: "Evict expired sessions on every write", provenance: "distil" });
  });
});

test("a report that names no code is titled with the only edited file", () => {
  const [note] = kept(
    turn({
      prompt: "it is too small at noon",
      steps: [edit],
      final:
        "The pool now holds twenty connections instead of five, because the noon batch alone opens twelve at once and the web requests then waited for them until they timed out.",
    }),
  );
  expect(note?.title).toMatch(/^pool\.ts: The pool now holds twenty connections/);
});

test("a feature that was asked for is no bugfix, even if its plan mentions errors", () => {
  const [note] = kept(
    turn({
      prompt:
        "Implement the following plan:\n\n# Plan: Export as CSV\n\n## Context\n\nUsers fail to get their data out. Errors are shown to them.",
      steps: [edit],
      final:
        "Added `exportCsv()` to the report page: it streams rows in batches of 500, so that large reports never time out, and falls back to a mail with a link.",
    }),
  );
  expect(note?.type).toBe("feature");
});

test("a review comment that was pasted is no rule of the user", () => {
  const notes = kept(
    turn({
      prompt:
        "trackOrder unconditionally calls sendReceipt, but sendReceipt must not be called before OrderStore.commit has returned.",
      steps: [edit],
      final: "Done.",
    }),
  );
  expect(notes.filter(({ type }) => type === "preference" || type === "decision")).toEqual([]);
});

test("a rule that the agent wrote into its own memory is a preference", () => {
  const final =
    "Memory saved: never run the spell checker on the translated pages, because they are generated.";
  const prompt = "don't run the spell checker on translated pages, they are generated";
  const notes = kept(turn({ prompt, steps: [edit], final }));
  expect(notes.length).toBeGreaterThan(0);
  expect(notes.map(({ type }) => type)).toEqual(notes.map(() => "preference"));
});

test("work on documentation alone is a change, and a request to inline code a refactoring", () => {
  const all = { ...pickLimits, keepTurn: 0, keepShortTurn: 0, keepBest: 0, keepAlone: 0 };
  const typeOf = (prompt: string, step: Step, final: string) =>
    distil(turn({ prompt, steps: [step], final }), "", all).notes.at(-1)?.type;
  const readme = tool("Write", { file_path: "/p/README.md", content: "# Exports" });
  const page =
    "The README now says that exports are retried three times, because the receiver often answers 503.";
  expect(typeOf("Add a section about retries to the README", readme, page)).toBe("change");
  const heading = "# Inline the retries into the exporter\n\nThe wrapper hides the limit.\n";
  const report = "`exportAll` now retries itself, so that the limit of three is visible where it is used.";
  expect(typeOf(`Implement the following plan:\n\n${heading}`, edit, report)).toBe("refactor");
});
