import { expect, test } from "vitest";
import type { TurnRecord } from "../turn-record.ts";
import { quoteUser, withReference } from "./note-facts.ts";
import type { Scored } from "./scorer.ts";

const base: Scored = {
  text: "",
  start: 0,
  end: 0,
  line: 0,
  place: "paragraph",
  heading: "",
  lead: "",
  code: "",
  role: "final",
  step: 0,
  index: 0,
  count: 2,
  messageLength: 200,
  hasConclusion: true,
  worth: 0.5,
  kind: "discovery",
  kinds: [],
  useful: 0.5,
  clear: 0.5,
};
const statement = (fields: Partial<Scored>): Scored => ({ ...base, ...fields });

test("a fact that begins with a pronoun is kept with the sentence that names its subject", () => {
  const first = statement({ text: "The warm-up script costs 300 tokens in every session." });
  const second = statement({ text: "It pays off from six skills on.", index: 1 });
  expect(withReference([first, second], second)).toBe(`${first.text} ${second.text}`);
  expect(withReference([first, second], first)).toBe(first.text);
  const elsewhere = { ...second, line: 3 };
  expect(withReference([first, elsewhere], elsewhere)).toBe(second.text);
});

test("the reason of a refusal names what was refused", () => {
  const turn: TurnRecord = {
    prompt: "Ship it",
    isMachine: false,
    steps: [
      {
        kind: "denied",
        tool: "Bash",
        what: "git push -u origin export",
        reason: "rebase first",
        eventId: "e1",
      },
    ],
    final: "",
    outcome: "completed",
  };
  expect(quoteUser(turn, statement({ role: "denied", text: "rebase first" }))).toBe(
    "The user refused `git push -u origin export`: rebase first",
  );
  expect(quoteUser(turn, statement({ role: "user", text: "rebase first" }))).toBe(
    "The user said: rebase first",
  );
});
