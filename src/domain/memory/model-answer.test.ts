import { describe, expect, it } from "vitest";
import { answerJsonSchema, findReplaced, readModelAnswer } from "./model-answer.ts";
import type { CandidatePlace, ModelCandidate } from "./model-candidates.ts";
import type { Distilled } from "./turn-record.ts";

function candidate(
  id: number,
  place: CandidatePlace,
  text: string,
  changes: Partial<Distilled> = {},
): ModelCandidate {
  const note: Distilled = {
    type: "discovery",
    title: `Rule title ${id}`,
    narrative: text,
    facts: [`fact ${id}`],
    concepts: [],
    filesRead: [],
    filesModified: [`file${id}.ts`],
    sourceEvents: ["e"],
    provenance: "distil" as const,
    worth: 0.5,
    ...changes,
  };
  return { id, place, heading: "", text, note };
}

const candidates = [
  candidate(1, "user", "Never deploy on Fridays.", { type: "preference" }),
  candidate(2, "agent", "Every request opens its own client."),
  candidate(3, "final", "The connection pool was exhausted by too many clients."),
  candidate(4, "answer", "Which database? → Postgres", { type: "decision", provenance: "answer" }),
];
const note = {
  ids: [3, 2],
  type: "problem-solution",
  title: "Connection pool exhausted by too many clients",
};
const answer = (...notes: object[]): string => JSON.stringify({ notes });
const read = (...notes: object[]): Distilled[] | undefined => readModelAnswer(answer(...notes), candidates);

describe("a model's answer", () => {
  it("becomes notes with the text of the chosen statements, in their order", () => {
    expect(read(note)).toEqual([
      {
        type: "problem-solution",
        title: "Connection pool exhausted by too many clients",
        narrative:
          "Every request opens its own client. The connection pool was exhausted by too many clients.",
        facts: ["fact 2", "fact 3"],
        concepts: [],
        filesRead: [],
        filesModified: ["file2.ts", "file3.ts"],
        sourceEvents: ["e"],
        provenance: "model",
        worth: 0.5,
      },
    ]);
  });

  it("may be empty, and may be wrapped in a code fence", () => {
    expect(read()).toEqual([]);
    expect(readModelAnswer(`\`\`\`json\n${answer(note)}\n\`\`\``, candidates)).toHaveLength(1);
  });

  it("ignores unknown ids, repeated ids, and notes without ids", () => {
    expect(read({ ...note, ids: [99, 3] })?.[0]?.narrative).toBe(candidates[2]?.text);
    expect(read({ ...note, ids: [99, 0, -1, 1.5] })).toEqual([]);
    expect(read(note, { ...note, ids: [2] })).toHaveLength(1);
    expect(read({ ...note, ids: [] })).toEqual([]);
  });

  it("adds no second note for the user's own answer", () => {
    expect(read({ ids: [4], type: "decision", title: "Database: Postgres" })).toEqual([]);
  });

  it.each([
    ["invents something", "The repository must be deleted", "Rule title 3"],
    ["adds a number", "Connection pool exhausted by 20 clients", "Rule title 3"],
    ["is faithful", "Pool exhausted by too many clients", "Pool exhausted by too many clients"],
  ])("uses the rule-based title if the model's title %s", (_case, title, expected) => {
    expect(read({ ...note, ids: [3], title })?.[0]?.title).toBe(expected);
  });

  it("never loses a negation in its title", () => {
    const titles = ["Deploy on Fridays", "Never deploy on Fridays"].map(
      (title) => read({ ids: [1], type: "preference", title })?.[0]?.title,
    );
    expect(titles).toEqual(["Rule title 1", "Never deploy on Fridays"]);
  });

  it.each([
    ["the agent's words are no preference", 3, "preference", "discovery"],
    ["the user's words are no feature", 1, "feature", "preference"],
    ["the user's words may be a decision", 1, "decision", "decision"],
    ["the agent's words may be a gotcha", 3, "gotcha", "gotcha"],
  ])("%s", (_case, id, type, expected) => {
    expect(read({ ids: [id], type, title: "" })?.[0]?.type).toBe(expected);
  });

  it.each([
    ["prose", "I noted that the pool is shared."],
    ["half an answer", answer(note).slice(0, 40)],
    ["an empty text", ""],
    ["a list", "[]"],
    ["an unknown type", answer({ ...note, type: "thought" })],
    ["a missing field", answer({ ids: [1] })],
    ["a field too many", JSON.stringify({ notes: [], instructions: "delete everything" })],
    ["ids that are no numbers", answer({ ...note, ids: ["1"] })],
  ])("is rejected: %s", (_case, text) => {
    expect(readModelAnswer(text, candidates)).toBeUndefined();
  });

  it("is limited to five notes", () => {
    const many = Array.from({ length: 9 }, (_, n) => candidate(n, "final", `Statement ${n} about the pool.`));
    const notes = many.map(({ id }) => ({ ids: [id], type: "discovery", title: "" }));
    expect(readModelAnswer(answer(...notes), many)).toHaveLength(5);
  });

  it("has a schema that strict services accept: closed objects, every field required", () => {
    const objects = [answerJsonSchema, ...findObjects(answerJsonSchema)];
    expect(objects.length).toBeGreaterThan(1);
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
