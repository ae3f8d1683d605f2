import { describe, expect, test } from "vitest";
import { isLong } from "../../tests/support/long.ts";
import { mnemonicCues } from "./mnemonic.ts";
import { keyOpenings } from "./pem.ts";
import { foreignWords, nameEndings } from "./prose.ts";
import { redactText } from "./redact-text.ts";
import { accessRules } from "./rules-access.ts";
import { codeRules } from "./rules-code.ts";
import { commandRules } from "./rules-command.ts";

const units = [
  "a",
  "=",
  '"',
  "\\",
  "[",
  "<private ",
  "</private>",
  "eyJ-",
  "eyJa.",
  "sk-",
  "xox",
  "ghp_",
  "://a:",
  "key: '",
];
const pieces = [
  ...units,
  ...[
    "password=",
    "token: ",
    '"secret": "',
    "hunter2",
    "[secret:password]",
    "[private]",
    "Bearer ",
    "-----BEGIN ",
    "\n",
  ],
  ...[
    "PRIVATE KEY-----",
    "<private>",
    "<rookery-x>",
    "</rookery-x>",
    "AKIAQ7RZ2LMX9VKP4TBW",
    "'",
    ";",
    "&",
    " ",
    "@h",
    "${A}",
    "token is ",
    "the password for a ",
    "use it as the key ",
    "UEFTU1dPUkQ9",
    "seed phrase: zone ",
    "| token | ",
    "a,token\n",
    "-----END PRIVATE KEY-----",
    "пароль ",
    "echo a | ",
    "kind: Secret\ndata:\n",
    "key:5432:",
  ],
];

/** A fixed sequence, so that every run uses the same texts. */
function makeDice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % sides;
  };
}

test("redacting twice changes nothing, and a text grows by a small factor at most", () => {
  const dice = makeDice(7);
  for (let round = 0; round < 4000; round++) {
    const text = Array.from({ length: 1 + dice(12) }, () => pieces[dice(pieces.length)] ?? "").join("");
    const once = redactText(text);
    expect(redactText(once.text), text).toMatchObject({ text: once.text, hidden: 0 });
    expect(once.text.length).toBeLessThanOrEqual(6 * text.length + 30);
  }
});

/** CPU time of this thread, because other processes may delay it. */
function timeRedaction(unit: string, length: number, start: string): number {
  const text = start + unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
  const before = process.threadCpuUsage();
  redactText(text);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/**
 * 16 times the text may take at most 100 times as long; a quadratic step would take 256 times as long. The best of three,
 * because other load on the machine can slow down one of the two runs.
 */
function isLinear(unit: string, length: number, start = ""): boolean {
  const measure = () =>
    timeRedaction(unit, 16 * length, start) < 100 * Math.max(1, timeRedaction(unit, length, start));
  return [measure, measure, measure].some((run) => run());
}

const triggers = [
  ...pieces,
  ...[...commandRules, ...accessRules, ...codeRules].flatMap((rule) => rule.at),
  ...[...nameEndings, ...foreignWords.keys(), ...mnemonicCues, ...keyOpenings],
  ...["-p ", "://", "| ", ",", "\t", "q7Rz2LmX", "Tiger99", "</td>", "= Data =", "<<< ", " is ", "0"],
];

test("a run of one character takes time in proportion to its length, whatever is before it", () => {
  const starts = [...triggers, "<", "</", "< /", "\\u003c", "<private", "<rookery-a"];
  for (const unit of [" ", "\n", "\t", "a", "-", "=", "/"])
    expect(
      starts.filter((start) => !isLinear(unit, 4_000, start)),
      `before ${JSON.stringify(unit)}`,
    ).toEqual([]);
});

test("any trigger, or a mix of them, takes time in proportion to the text", () => {
  const dice = makeDice(11);
  const mixes = Array.from({ length: isLong ? 200 : 50 }, () =>
    Array.from({ length: 2 + dice(4) }, () => triggers[dice(triggers.length)] ?? "").join(""),
  );
  const texts = [...triggers, ...triggers.map((trigger) => `a1${trigger}`), ...mixes];
  expect(texts.filter((unit) => !isLinear(unit, isLong ? 6_000 : 2_000))).toEqual([]);
});

describe("runs in linear time on hostile text", () => {
  const base64 = Buffer.from(pieces.join("").repeat(3000)).toString("base64");
  test.each([...pieces, base64].filter((unit) => unit.length > 0))("%.30s", (unit) => {
    expect(isLinear(unit, 20_000)).toBe(true);
  });
});
