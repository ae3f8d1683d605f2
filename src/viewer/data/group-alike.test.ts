import { expect, test } from "vitest";
import type { QuestionView } from "../../protocol/ask.ts";
import { describeAskers, groupAlike } from "./group-alike.ts";

const ask = (agent: string, text: string, fields: Partial<QuestionView> = {}) =>
  ({
    ...{ id: `${agent} ${text}`, agent, project: "api", kind: "choice", state: "open" },
    ...{ prompts: [{ text, header: null, options: [], isMulti: false }], subject: null },
    ...fields,
  }) as unknown as QuestionView;

test.each([
  [["api-rook"], "api-rook"],
  [["api-rook", "api-rook"], "api-rook, 2 times"],
  [["api-rook", "api-jay", "api-jay"], "2 agents"],
])("%j ask: %s", (agents, said) => {
  const [group, ...others] = groupAlike(agents.map((agent) => ask(agent, "Which?")));
  expect(others).toEqual([]);
  expect(group && describeAskers(group)).toBe(said);
});

test("only open questions of one project that show the same are grouped", () => {
  const questions = [
    ask("api-rook", "Which?"),
    ask("api-jay", "Which one?"),
    ask("shop-rook", "Which?", { project: "shop" }),
    ask("api-crow", "Which?", { state: "answered" }),
  ];
  expect(groupAlike(questions).map((group) => group.questions.length)).toEqual([1, 1, 1, 1]);
});
