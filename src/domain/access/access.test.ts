import { describe, expect, test } from "vitest";
import { explainRefusal, judgeSender, type Person } from "./judge-sender.ts";
import { makePairingCode, readPairingCode } from "./pairing.ts";
import { parseAnswerText } from "./parse-answer-text.ts";

const ada: Person = { channel: "slack", sender: "U1", team: "T1", name: "Ada" };
const sender = { id: "U1", team: "T1", isGuest: false, isBot: false };
const room = { isShared: false };

describe("who may answer", () => {
  test.each([
    ["the paired person", "slack", sender, room, [ada], "Ada"],
    ["anyone, before the first pairing", "slack", sender, room, [], "stranger"],
    ["another person", "slack", { ...sender, id: "U2" }, room, [ada], "stranger"],
    ["the same id in another team", "slack", { ...sender, team: "T2" }, room, [ada], "stranger"],
    ["the same id without a team", "slack", { ...sender, team: null }, room, [ada], "no-team"],
    ["the same id with an empty team", "slack", { ...sender, team: "" }, room, [ada], "no-team"],
    ["the same id on another service", "matrix", sender, room, [ada], "stranger"],
    [
      "a service without teams",
      "matrix",
      { ...sender, team: null },
      room,
      [{ ...ada, channel: "matrix", team: null }],
      "Ada",
    ],
    ["the paired person in a shared channel", "slack", sender, { isShared: true }, [ada], "shared-room"],
    ["the paired person, now a guest", "slack", { ...sender, isGuest: true }, room, [ada], "guest"],
    ["a bot under the paired id", "slack", { ...sender, isBot: true }, room, [ada], "bot"],
    ["nobody at all", "slack", { ...sender, id: "" }, room, [{ ...ada, sender: "" }], "no-team"],
  ] as const)("%s", (_name, channel, who, where, people, expected) => {
    const judged = judgeSender(channel, who, where, people);
    expect("person" in judged ? judged.person.name : judged.refusal).toBe(expected);
  });

  test("a bot gets no reply", () => {
    expect(explainRefusal("bot", "slack")).toBeNull();
    expect(explainRefusal("stranger", "slack")).toContain("rookery pair slack");
  });
});

describe("pairing codes", () => {
  test("contain no letters that look alike", () => {
    const code = makePairingCode(Uint8Array.from({ length: 40 }, (_, n) => n * 7));
    expect(code).toMatch(/^[A-HJKMNP-Z2-9]{6}$/);
    expect(readPairingCode(code)).toBe(code);
  });

  test.each([
    ["abc-de7", "ABCDE7"],
    [" abc de7 ", "ABCDE7"],
    ["ABCDE7", "ABCDE7"],
    ["ABCDE", undefined],
    ["ABCDEFG", undefined],
    ["ABCDE0", undefined],
    ["yes", undefined],
    ["thanks", undefined],
    ["hello, it is me", undefined],
  ])("%j reads as %s", (text, expected) => {
    expect(readPairingCode(text)).toBe(expected);
  });

  test("need enough randomness", () => {
    expect(() => makePairingCode(new Uint8Array([255, 255, 255, 1]))).toThrow("random bytes");
  });
});

describe("a text under a card", () => {
  const hints = { decide: "Press it.", several: "Use the form." };
  const choice = (isMulti: boolean, labels = ["Postgres", "SQLite", "Both, later"]) => ({
    kind: "choice" as const,
    prompts: [
      {
        text: "Which?",
        header: null,
        options: labels.map((label) => ({ label, description: null })),
        isMulti,
      },
    ],
  });

  test.each([
    ["SQLite", false, ["SQLite"]],
    ["  sqlite ", false, ["SQLite"]],
    ["2", false, ["SQLite"]],
    ["neither, use files", false, ["neither, use files"]],
    ["yes", false, ["yes"]],
    ["postgres, 2", true, ["Postgres", "SQLite"]],
    ["both, later", true, ["Both, later"]],
    ["postgres, but later", true, ["postgres, but later"]],
    ["SQL\u200bite\u202e", false, ["SQLite"]],
  ])("%j (several: %s) answers %j", (text, isMulti, expected) => {
    expect(parseAnswerText(text, choice(isMulti), hints)).toEqual({
      answer: { type: "answers", answers: [expected] },
    });
  });

  test("a number answers options that are numbers themselves", () => {
    expect(parseAnswerText("9", choice(false, ["3 retries", "5 retries"]), hints)).toEqual({
      answer: { type: "answers", answers: [["9"]] },
    });
  });

  test.each(["yes", "ok", "allow", "approve", "y", "👍", "deny", "no", "deny: too risky", "allow once"])(
    "%j decides nothing about a permission or a plan",
    (text) => {
      for (const kind of ["permission", "plan"] as const)
        expect(parseAnswerText(text, { kind, prompts: [] }, hints)).toEqual({
          unclear: "Press it. Any other text has no effect.",
        });
    },
  );

  test.each([
    ["", choice(false), "no text"],
    ["9", choice(false), "There is no option 9"],
    ["1, 9", choice(true), "There is no option 9"],
    ["\u200b\u202e", choice(false), "no text"],
    ["x".repeat(8_001), choice(false), "too long"],
    [
      "SQLite",
      { kind: "choice" as const, prompts: [...choice(false).prompts, ...choice(false).prompts] },
      "This asks 2 things at once. Use the form.",
    ],
    [
      "1 9",
      { kind: "choice" as const, prompts: [...choice(false).prompts, ...choice(false).prompts] },
      "Question 2 has no option 9. Use the form.",
    ],
  ])("%# is unclear", (text, card, why) => {
    expect(parseAnswerText(text, card, hints)).toEqual({ unclear: expect.stringContaining(why) });
  });
});
