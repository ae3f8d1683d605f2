import { describe, expect, test } from "vitest";
import { redactText } from "./redact-text.ts";

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

describe("runs in linear time on hostile text", () => {
  const base64 = Buffer.from(pieces.join("").repeat(3000)).toString("base64");
  test.each([...pieces, base64].filter((unit) => unit.length > 0))("%.30s", (unit) => {
    const time = (length: number) => {
      const text = unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
      const start = performance.now();
      redactText(text);
      return performance.now() - start;
    };
    // The fastest of three runs: other load on the machine can only slow a run down.
    const fastest = (length: number) => Math.min(time(length), time(length), time(length));
    // 16 times the text may take at most 100 times as long; a quadratic step would take 256 times as long.
    expect(fastest(800_000)).toBeLessThan(100 * Math.max(5, fastest(50_000)));
  });
});
