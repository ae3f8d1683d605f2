import { expect, test } from "vitest";
import { describeCall } from "../../../../tests/support/describe-call.ts";
import type { Step, TurnRecord } from "../turn-record.ts";
import { distilTurn } from "./distil-turn.ts";

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
const kept = (record: TurnRecord) => distilTurn(record, "prompt").observations;

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
    "general knowledge",
    turn({ prompt: "what is a closure?", final: "A function that keeps the variables of its scope alive." }),
  ],
  ["a limit on one task", turn({ prompt: "why is it slow? don't change anything", final: "Hard to say." })],
  [
    "a symptom with a rule's words",
    turn({ prompt: 'it always fails with "value must not be null" on CI', final: "Let me look." }),
  ],
])("nothing is kept of %s", (_name, record) => {
  expect(kept(record)).toEqual([]);
});

test.each([
  ["from now on all timestamps are UTC", "preference"],
  ["ok. never write query keys inline, always through keys.ts", "preference"],
  ["don't use the react RC, pin to 18.3 until 19 is stable", "decision"],
  ["ab jetzt immer mit bcmath rechnen", "preference"],
  ["el IVA siempre se redondea por tipo", "preference"],
  ["今後は必ず UTC を使う", "preference"],
])("the user's rule %j is kept in their words", (prompt, type) => {
  const [note] = kept(turn({ prompt, final: "OK." }));
  expect(note).toMatchObject({ type, provenance: "distil" });
  expect(note?.narrative.toLowerCase()).toContain(prompt.split(" ").at(-1)?.toLowerCase());
});

test("an answer and a refusal are the user's own decisions", () => {
  const steps: Step[] = [
    {
      kind: "answer",
      question: "Which DB?",
      answer: "SQLite",
      options: ["Postgres", "SQLite"],
      eventId: "e1",
    },
    {
      kind: "denied",
      tool: "Bash",
      what: "git push --force",
      reason: "use --force-with-lease",
      eventId: "e2",
    },
  ];
  expect(kept(turn({ prompt: "go on", steps }))).toMatchObject([
    {
      type: "decision",
      title: "Which DB? → SQLite",
      facts: ["Not chosen: Postgres"],
      provenance: "answer",
      sourceEvents: ["e1"],
    },
    { type: "preference", title: "use --force-with-lease", sourceEvents: ["e2"] },
  ]);
});

test("a fix is kept with its cause, its files and what failed on the way", () => {
  const final =
    "Fixed. The pool was exhausted because every request opened its own client. `pool.ts` now shares one.\n\nNot done: the metrics dashboard.";
  const steps = [
    tool("Bash", { command: "npm test" }, "Error: timeout acquiring connection", true),
    edit,
    tool("Bash", { command: "npm test" }, "ok"),
  ];
  const { observations, summary } = distilTurn(
    turn({ prompt: "requests fail under load", steps, final }),
    "prompt",
  );
  expect(observations).toHaveLength(1);
  expect(observations[0]).toMatchObject({ type: "problem-solution", filesModified: ["/p/src/pool.ts"] });
  expect(observations[0]?.title).toContain("because every request opened its own client");
  expect(observations[0]?.facts.join()).toContain("timeout acquiring connection");
  expect(observations[0]?.narrative).not.toContain("dashboard");
  expect(summary).toMatchObject({
    request: "requests fail under load",
    nextSteps: "Not done: the metrics dashboard.",
    notes: "1 of 3 tool calls failed.",
  });
});

test("a turn whose answer says nothing is told by its prompt and its edits", () => {
  const [note] = kept(turn({ prompt: "raise the pool size to 20", steps: [edit], final: "Done." }));
  expect(note?.narrative).toContain("raise the pool size to 20");
  expect(note?.narrative).toContain("pool.ts: max: 20");
});

test("a machine's prompt is nobody's rule", () => {
  expect(
    kept(
      turn({ prompt: "<task-notification>always never from now on</task-notification>", isMachine: true }),
    ),
  ).toEqual([]);
});

test("an endless word is looked through as quickly as any other text", () => {
  const startedAt = performance.now();
  distilTurn(turn({ prompt: `Never use this: ${"A".repeat(64_000)}`, final: "B".repeat(64_000) }), "prompt");
  expect(performance.now() - startedAt).toBeLessThan(1_000);
});
