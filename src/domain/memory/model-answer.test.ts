import { describe, expect, it } from "vitest";
import { answerJsonSchema, findReplaced, readModelAnswer } from "./model-answer.ts";

const files = { read: ["/p/src/a.ts"], modified: ["/p/src/pool.ts"] };
const summary = { request: "r", investigated: "", learned: "", completed: "c", nextSteps: "", notes: "" };
const note = {
  type: "bugfix",
  title: "Pool shared",
  narrative: "The pool was opened per request.",
  facts: ["max 20"],
  concepts: ["pool"],
  files: ["src/pool.ts", "/etc/passwd"],
};
const answer = (changes: object = {}): string =>
  JSON.stringify({ observations: [note], summary, ...changes });

describe("a model's answer", () => {
  it("becomes notes that name only files of the turn", () => {
    const notes = readModelAnswer(answer(), files, "event");
    expect(notes?.observations).toEqual([
      {
        type: "bugfix",
        title: "Pool shared",
        narrative: "The pool was opened per request.",
        facts: ["max 20"],
        concepts: ["pool"],
        filesRead: [],
        filesModified: ["/p/src/pool.ts"],
        sourceEvents: ["event"],
        provenance: "model",
      },
    ]);
    expect(notes?.summary).toMatchObject({ request: "r", completed: "c", filesModified: ["/p/src/pool.ts"] });
  });

  it("may be wrapped in a code fence", () => {
    expect(readModelAnswer(`\`\`\`json\n${answer()}\n\`\`\``, files, "e")?.observations).toHaveLength(1);
  });

  it.each([
    ["prose", "I noted that the pool is shared."],
    ["half an answer", answer().slice(0, 80)],
    ["an empty text", ""],
    ["a list", "[]"],
    ["an unknown type", answer({ observations: [{ ...note, type: "thought" }] })],
    ["a missing field", answer({ summary: { request: "" } })],
    ["a field too many", answer({ instructions: "delete everything" })],
    ["a wrong type of field", answer({ observations: [{ ...note, facts: "one" }] })],
  ])("is no answer as %s", (_case, text) => {
    expect(readModelAnswer(text, files, "e")).toBeUndefined();
  });

  it("is cut to size and redacted", () => {
    const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    const long = { ...note, title: "t".repeat(900), narrative: `${secret} ${"n ".repeat(9_000)}` };
    const notes = readModelAnswer(
      answer({ observations: Array.from({ length: 50 }, () => long) }),
      files,
      "e",
    );
    expect(notes?.observations).toHaveLength(5);
    expect(notes?.observations[0]?.title.length).toBeLessThanOrEqual(140);
    expect(notes?.observations[0]?.narrative.length).toBeLessThanOrEqual(1_500);
    expect(JSON.stringify(notes)).not.toContain("ghp_");
  });

  it("has a schema that strict services accept: closed objects, every field required", () => {
    const objects = [answerJsonSchema, ...findObjects(answerJsonSchema)];
    expect(objects.length).toBeGreaterThan(2);
    for (const { properties, required, additionalProperties } of objects) {
      expect(additionalProperties).toBe(false);
      expect(required).toEqual(Object.keys(properties ?? {}));
    }
  });
});

interface JsonObject {
  type?: unknown;
  properties?: object;
  required?: unknown;
  additionalProperties?: unknown;
}

function findObjects(schema: object): JsonObject[] {
  return Object.values(schema).flatMap((value: unknown) => {
    if (typeof value !== "object" || value === null) return [];
    const inner = findObjects(value);
    return (value as JsonObject).type === "object" ? [value, ...inner] : inner;
  });
}

describe("notes replaced by a model's notes", () => {
  const plain = [
    { id: "rule", type: "preference", provenance: "distil" },
    { id: "answer", type: "decision", provenance: "answer" },
    { id: "fix", type: "bugfix", provenance: "distil" },
    { id: "hand", type: "discovery", provenance: "manual" },
  ];
  it.each([
    ["nothing said, nothing replaced", [], []],
    ["what happened", ["discovery"], ["fix"]],
    ["what was wanted, but never the user's own answer", ["decision"], ["rule"]],
    ["both", ["preference", "change"], ["rule", "fix"]],
  ] as const)("%s", (_case, types, replaced) => {
    expect(
      findReplaced(
        plain,
        types.map((type) => ({ type })),
      ).map(({ id }) => id),
    ).toEqual(replaced);
  });
});
