import * as fc from "fast-check";

/** Pieces that mean something to one of our parsers, or to the people's programs that show their result. */
const pieces = [
  ...["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "length", "then"],
  ...[
    '"',
    "'",
    "`",
    "```",
    "\\",
    "\\u005f",
    "/",
    "//",
    "<",
    ">",
    "&",
    "&lt;",
    "<!channel>",
    "<@U1>",
    "<script>",
  ],
  ...["*", "**", "***?", "?", "_", "~", "#", "# ", "- ", "1. ", "| a | b |", "> ", "[x](y)", "![", "]("],
  ...[
    "\n",
    "\r\n",
    "\t",
    " ",
    "  ",
    "\u0000",
    "\u001b[31m",
    "\u202e",
    "\u200b",
    "\ufeff",
    "\ud800",
    "\udc00",
    "😀",
  ],
  ...["é", "e\u0301", "ß", "İ", "日本語", "한국어", "عربى", "ﬁ"],
  ...[
    "password=",
    "token: ",
    "Bearer ",
    "AKIA",
    "ghp_",
    "sk-ant-",
    "-----BEGIN RSA PRIVATE KEY-----",
    "xoxb-",
    "eyJ",
  ],
  ...["<private>", "</private>", "<rookery-delivery", "</rookery-context>", "<system-reminder>"],
  ...["AND", "OR", "NOT", "NEAR(", '-"', "body:", "^", "()", "{", "}", "[", "]", ":", ",", ".", "..", "../"],
  ...["0", "-1", "1e999", "NaN", "9007199254740993", "1.5", "true", "null", "undefined"],
  ...["@a:b", "#a:b", "!a:b", "$event", "m.room.message", "m.room.*", "s1_2", "p3"],
  ...[
    "because",
    "I decided to use",
    "don't",
    "the cause was",
    "https://a.b/c?d=e#f",
    "/etc/passwd",
    "src/a.ts:12",
  ],
];

/** Short and mostly readable, random, or one piece many times. */
export const text: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((all) => all.join("")),
  },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 60 }) },
  {
    weight: 2,
    arbitrary: fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((all) => all.join(" ")),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 3 }),
        fc.nat(2_000),
        fc.constantFrom(...pieces),
      )
      .map(([part, times, end]) => part.join("").repeat(times).slice(0, 20_000) + end),
  },
);

const key = fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 8 }));

/** Any JSON value, with dangerous names. */
export const json: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    fc.oneof(
      text,
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
    ),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.array(fc.tuple(key, tie("value")), { maxLength: 4 }).map(toObject),
  ),
})).value;

export const object = fc.array(fc.tuple(key, json), { maxLength: 5 }).map(toObject);

/** `__proto__` becomes an own member, as `JSON.parse` makes it. */
function toObject(entries: [string, unknown][]): Record<string, unknown> {
  const made: Record<string, unknown> = {};
  for (const [name, value] of entries)
    Object.defineProperty(made, name, { value, enumerable: true, configurable: true, writable: true });
  return made;
}

const nested = fc
  .tuple(fc.constantFrom<[string, string]>(["[", "]"], ['{"a":', "}"], ['{"__proto__":', "}"]), fc.nat(6_000))
  .map(([[open, close], depth]) => `${open.repeat(depth)}1${close.repeat(depth)}`);

/** The text of a JSON value, a deep one, one that is cut off, or no JSON at all. */
export const jsonText: fc.Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: json.map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: nested },
  {
    weight: 1,
    arbitrary: fc.tuple(json, fc.nat(50)).map(([value, cut]) => JSON.stringify(value).slice(0, -cut)),
  },
  { weight: 1, arbitrary: text },
);

/** Valid samples with some members replaced, removed or added at any depth. */
export function changed<T>(samples: readonly T[]): fc.Arbitrary<T> {
  const change = fc.record({
    path: fc.array(fc.nat(20), { maxLength: 5 }),
    act: fc.constantFrom("replace", "replace", "remove", "add"),
    key,
    value: json,
  });
  return fc
    .tuple(fc.constantFrom(...samples), fc.array(change, { maxLength: 3 }))
    .map(([sample, changes]) => {
      const whole = { root: structuredClone(sample) };
      for (const { path, act, key: name, value } of changes) apply(whole, path, act, name, value);
      return whole.root;
    });
}

function apply(whole: object, path: number[], act: string, name: string, value: unknown): void {
  let node: object = whole;
  let member = "root";
  for (const step of path) {
    const next: unknown = Reflect.get(node, member);
    if (typeof next !== "object" || next === null || Object.keys(next).length === 0) break;
    node = next;
    member = Object.keys(next)[step % Object.keys(next).length] as string;
  }
  if (act === "remove" && Array.isArray(node)) node.splice(Number(member), 1);
  else if (act === "remove" && node !== whole) Reflect.deleteProperty(node, member);
  else if (act === "add" && Array.isArray(node)) node.push(value);
  else
    Object.defineProperty(node, act === "add" && node !== whole ? name : member, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
}

/** Bytes of a text with some of them changed. */
export function damaged(texts: fc.Arbitrary<string>): fc.Arbitrary<Uint8Array> {
  return fc
    .tuple(texts, fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 2 }))
    .map(([whole, flips]) => {
      const bytes = new TextEncoder().encode(whole);
      for (const [at, byte] of flips) if (bytes.length > 0) bytes[at % bytes.length] = byte;
      return bytes;
    });
}
