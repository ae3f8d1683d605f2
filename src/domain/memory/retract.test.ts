import { expect, test } from "vitest";
import {
  dropGuesses,
  isWithdrawnFact,
  makeRetraction,
  retractStatements,
  type RetractingTurn,
} from "./retract.ts";

const note = {
  title: "`uploadLabel` stops after the first page of labels",
  narrative:
    "`uploadLabel` stops after the first page of labels. The carrier probably drops the session, a bug in its login.",
  facts: ["The warnings of the label printer are already resolved.", "Asked: Why are labels missing?"],
};

function retract(
  later: RetractingTurn,
  isPreviousTurn: boolean,
): ReturnType<typeof retractStatements<typeof note>> {
  const retraction = makeRetraction(later);
  return retraction && retractStatements(note, isPreviousTurn, retraction);
}

test("a guess is withdrawn when a later turn finds the cause", () => {
  const later = {
    prompt: "go on",
    final: "Found it: the carrier keeps the session, and our login reads the wrong cookie.",
    hasFix: true,
  };
  const result = retract(later, false);
  expect(result?.whole).toBeUndefined();
  expect(result?.note.narrative).toBe("`uploadLabel` stops after the first page of labels.");
  const withdrawn = result?.note.facts.filter(isWithdrawnFact);
  expect(withdrawn).toEqual([
    "Withdrawn: The carrier probably drops the session, a bug in its login. (a guess, before a later turn found the cause)",
  ]);
  expect(retract({ ...later, hasFix: false }, false)).toBeUndefined();
  expect(retract({ ...later, final: "The footer is below the list now." }, false)).toBeUndefined();
});

test.each([
  ["reports otherwise", "I printed again and the warnings of the label printer are still there", true, true],
  ["speaks of something else", "the footer of the page is still not below the list", true, false],
  ["only asks", "which warnings of the label printer do you mean?", true, false],
  ["reports it turns later", "the warnings of the label printer are still there", false, false],
])("a fact, when the user %s", (_name, prompt, isPreviousTurn, isWithdrawn) => {
  const later = { prompt, final: "I will look at it.", hasFix: false };
  const facts = retract(later, isPreviousTurn)?.note.facts ?? note.facts;
  expect(facts.some(isWithdrawnFact)).toBe(isWithdrawn);
  expect(facts).toContain("Asked: Why are labels missing?");
});

test.each([
  [
    "objects and the agent agrees",
    "but doesn't uploadLabel read every page of labels?",
    "You're right, I misread it.",
    true,
  ],
  [
    "objects and the agent stays",
    "but doesn't uploadLabel read every page of labels?",
    "No, only the first.",
    false,
  ],
  ["confirms", "yes, uploadLabel and its page of labels", "You're right, let us fix that.", false],
])("the title, when the user %s", (_name, prompt, final, isWithdrawn) => {
  const result = retract({ prompt, final, hasFix: false }, true);
  expect(result?.whole !== undefined).toBe(isWithdrawn);
});

test("a commit keeps findings and drops guesses about the cause", () => {
  expect(dropGuesses("The pool has ten slots. The timeout is probably caused by the proxy.")).toBe(
    "The pool has ten slots.",
  );
  expect(dropGuesses("Asked: what is the likely cause of the error?")).toBe(
    "Asked: what is the likely cause of the error?",
  );
});

test("a note is withdrawn as a whole if its title is a part of the retracted statement", () => {
  const statement =
    "The carrier probably drops the session of the label printer after an hour, a bug in its login.";
  const title = "The carrier probably drops the session of the label printer";
  const retraction = makeRetraction({
    prompt: "go on",
    final: "Found it: the carrier keeps the session, and our login reads the wrong cookie, a bug of ours.",
    hasFix: true,
  });
  const result =
    retraction && retractStatements({ title, narrative: statement, facts: [] }, false, retraction);
  expect(result?.whole).toBe("a guess, before a later turn found the cause");
});

test("the result of a command is not withdrawn by a report about something else", () => {
  const checked = {
    ...note,
    facts: [
      "Checked with `make labels`, `make test`",
      "`labels` fails (command not found), `make labels` works instead",
    ],
  };
  const retraction = makeRetraction({
    prompt: "make labels still fails, the labels command is not found",
    final: "The carrier is down.",
    hasFix: false,
  });
  expect(retraction).toBeDefined();
  expect(retraction && retractStatements(checked, true, retraction)).toBeUndefined();
});

test.each([
  ["I had the whole flow backwards", true, true],
  ["my earlier explanation was wrong", true, true],
  ["I was wrong about the name of the file", true, false],
  ["I had the whole flow backwards", false, false],
])("a whole answer is withdrawn when the agent says: %s", (admission, isPreviousTurn, isWithdrawn) => {
  const later = {
    prompt: "no, the printer asks the carrier first and then logs in",
    final: `You're right, ${admission}. Thanks for the correction.`,
    hasFix: false,
  };
  expect(retract(later, isPreviousTurn)?.whole !== undefined).toBe(isWithdrawn);
});
