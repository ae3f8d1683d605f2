import { describe, expect, test } from "vitest";
import type { Step } from "../turn-record.ts";
import { distilAnswers } from "./answers.ts";

const answered = (question: string, answer: string): Step => ({
  kind: "answer",
  question,
  answer,
  options: [],
  eventId: "e1",
});
const refused = (reason: string): Step => ({
  kind: "denied",
  tool: "to answer",
  what: "Which name?",
  reason,
  eventId: "e1",
});

describe("no note is kept of", () => {
  test.each([
    ["May I release on Monday?", "No"],
    ["Can I push to main now?", "no."],
    ["The tests pass. Deploy to production?", "Yes, go ahead"],
    ["Do you want me to restart the server?", "yes please"],
    ["Shall I delete the old branch?", "Yes"],
    ["Darf ich am Montag freigeben?", "Nein"],
    ["Is the summary good?", "too long"],
    ["Is the title right?", "Not like this."],
    ["When should the migration run?", "later"],
  ])("the one-off answer %s → %s", (question, answer) => {
    expect(distilAnswers([answered(question, answer)])).toEqual([]);
  });

  test.each(["no", "No.", "too long", "much too slow!", "not now", " "])("the bare refusal %s", (reason) => {
    expect(distilAnswers([refused(reason)])).toEqual([]);
  });
});

describe("a note is kept of", () => {
  test.each([
    ["Should the API be versioned?", "No", "Should the API be versioned? → No"],
    ["Should we use PostgreSQL for the queue?", "Yes", "Should we use PostgreSQL for the queue? → Yes"],
    ["Can I use lodash in the client?", "No", "Can I use lodash in the client? → No"],
    [
      "May I release on Monday?",
      "No, releases happen on Tuesdays only",
      "May I release on Monday? → No, releases happen on Tuesdays only",
    ],
    ["Which cache?", "None", "Which cache? → None"],
  ])("the decision %s → %s", (question, answer, title) => {
    expect(distilAnswers([answered(question, answer)])).toMatchObject([{ type: "decision", title }]);
  });

  test("a refusal with a reason", () => {
    expect(distilAnswers([refused("use pnpm")])).toMatchObject([{ type: "preference", title: "use pnpm" }]);
  });
});

test('a title names what the question refers to, the first of long alternatives, and the options behind "both"', () => {
  const titleOf = (question: string, answer: string, options: string[] = []): string | undefined =>
    distilAnswers([{ kind: "answer", question, answer, options, eventId: "e1" }])[0]?.title;
  expect(
    titleOf("The new layout removes the login banner. That costs sign-ups, which one?", "Drop it everywhere"),
  ).toBe("The new layout removes the login banner → Drop it everywhere");
  expect(
    titleOf(
      "Should the importer of the nightly export keep one row per tenant and day in the side table, or should it write each event?",
      "One row per tenant",
    ),
  ).toBe(
    "Should the importer of the nightly export keep one row per tenant and day in the side table? → One row per tenant",
  );
  const long =
    "By the rules of the repository, commits of agents need no signature, because they are squashed.";
  expect(titleOf(`${long} Commit without signing?`, "No, the key is back")).toBe(
    "Commit without signing? → No, the key is back",
  );
  expect(
    titleOf(
      "Without batches, large repositories may exceed the limit of the model in one call. Add a fallback?",
      "Split in two",
    ),
  ).toBe("Without batches, large repositories may exceed the limit of the model in one call → Split in two");
  expect(
    titleOf("Where should the Archive button be shown?", "Both", ["Toolbar only", "Row menu", "Both"]),
  ).toBe("Where should the Archive button be shown? → Both: Toolbar, Row menu");
});

test("a title is longer than usual if that keeps question and answer whole", () => {
  const question =
    "How should the importer treat an order whose customer was deleted while the nightly synchronisation was running?";
  const [note] = distilAnswers([
    { kind: "answer", question, answer: "Keep it without a customer", options: [], eventId: "e1" },
  ]);
  expect(note?.title).toBe(`${question} → Keep it without a customer`);
});

describe("the host's explanation of the choice", () => {
  const choose = (question: string, answer: string, details: string[], header = "Sign-in") =>
    distilAnswers([
      { kind: "answer", question, answer, header, options: ["Hybrid", "Password"], details, eventId: "e1" },
    ])[0];

  test("is kept, but not that of the other options", () => {
    const note = choose("How do people sign in?", "Hybrid", ["A code by mail, once a week.", "As before."]);
    expect(note?.narrative).toBe(
      "Asked: How do people sign in? The user answered: Hybrid. A code by mail, once a week.",
    );
    expect(note?.facts).toEqual(["Not chosen: Password"]);
  });

  test("and its header stand for a question that names no subject", () => {
    expect(
      choose("Which approach do you prefer?", "Hybrid", ["A code by mail. Once a week.", ""])?.title,
    ).toBe("Sign-in → Hybrid: A code by mail");
    expect(choose("Which approach do you prefer?", "Hybrid", [])?.title).toBe("Sign-in → Hybrid");
    expect(choose("Which method?", "Hybrid", ["Use hybrid", ""], "Choice")?.title).toBe(
      "Which method? → Hybrid",
    );
  });

  test("says what a short answer means, if both fit", () => {
    const question = "How do people sign in to the admin page?";
    expect(choose(question, "Hybrid", ["A code by mail", ""])?.title).toBe(
      `${question} → Hybrid: A code by mail`,
    );
    expect(choose(question, "Hybrid", ["A code by mail ".repeat(20), ""])?.title).toBe(
      `${question} → Hybrid`,
    );
  });
});

test('the options behind "both" are not among those that were rejected', () => {
  const options = ["Toolbar only", "Row menu", "Both", "Neither"];
  const question = "Where should the Archive button be shown?";
  const [note] = distilAnswers([{ kind: "answer", question, answer: "Both", options, eventId: "e1" }]);
  expect(note?.facts).toEqual(["Not chosen: Neither"]);
});
