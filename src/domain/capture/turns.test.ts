import { describe, expect, test } from "vitest";
import { settleTurns, advanceTurn, type Turn, type TurnEvent } from "./turns.ts";

const fact = (event: TurnEvent["event"], fields: Partial<TurnEvent> = {}): TurnEvent => ({
  event,
  promptId: "p-2",
  isMachine: false,
  lastAssistantMessage: undefined,
  occurredAt: 2_000,
  ...fields,
});

const turn = (fields: Partial<Turn> = {}): Turn => ({
  promptId: "p-1",
  originKind: "human",
  outcome: null,
  lastAssistantMessage: null,
  startedAt: 1_000,
  endedAt: null,
  ...fields,
});

const ended = { outcome: "completed", endedAt: 1_500 } as const;

interface Row {
  name: string;
  fact: TurnEvent;
  open?: Turn;
  named?: Turn;
  belongsTo: { existing: Partial<Turn> } | { inserted: Partial<Turn> } | undefined;
  updates: Partial<Turn>[];
}

const rows: Row[] = [
  {
    name: "a human prompt opens a turn",
    fact: fact("prompt"),
    belongsTo: { inserted: { promptId: "p-2", originKind: "human", startedAt: 2_000, endedAt: null } },
    updates: [],
  },
  {
    name: "a machine prompt when idle opens a machine's turn",
    fact: fact("prompt", { isMachine: true }),
    belongsTo: { inserted: { originKind: "machine" } },
    updates: [],
  },
  {
    name: "a machine prompt in mid-turn belongs to the open turn",
    fact: fact("prompt", { isMachine: true }),
    open: turn(),
    belongsTo: { existing: { promptId: "p-1", outcome: null } },
    updates: [],
  },
  {
    name: "a machine prompt with the prompt id of the open turn opens none and changes none",
    fact: fact("prompt", { isMachine: true, promptId: "p-1" }),
    open: turn(),
    named: turn(),
    belongsTo: { existing: { promptId: "p-1", originKind: "human", outcome: null } },
    updates: [],
  },
  {
    name: "a human prompt in mid-turn, after Esc, opens the next turn",
    fact: fact("prompt"),
    open: turn(),
    belongsTo: { inserted: { promptId: "p-2" } },
    updates: [],
  },
  {
    name: "a Stop that names a prompt never seen does not end another's turn",
    fact: fact("turn.ended"),
    open: turn(),
    belongsTo: { inserted: { promptId: "p-2", originKind: "unseen", outcome: "completed" } },
    updates: [],
  },
  {
    name: "a prompt that comes after its own work names the unseen turn and moves its start back",
    fact: fact("prompt", { promptId: "p-1", occurredAt: 400 }),
    named: turn({ originKind: "unseen", ...ended }),
    belongsTo: { existing: { originKind: "human", startedAt: 400, outcome: "completed" } },
    updates: [{ originKind: "human", startedAt: 400, outcome: "completed" }],
  },
  {
    name: "Stop completes the turn and keeps the last words",
    fact: fact("turn.ended", { promptId: "p-1", lastAssistantMessage: "done" }),
    open: turn(),
    named: turn(),
    belongsTo: { existing: { outcome: "completed" } },
    updates: [{ outcome: "completed", endedAt: 2_000, lastAssistantMessage: "done" }],
  },
  {
    name: "Stop without a prompt id ends the open turn",
    fact: fact("turn.ended", { promptId: undefined }),
    open: turn(),
    belongsTo: { existing: { promptId: "p-1" } },
    updates: [{ outcome: "completed", endedAt: 2_000 }],
  },
  {
    name: "Stop without a prompt that was ever seen makes an ended turn",
    fact: fact("turn.ended", { lastAssistantMessage: "done" }),
    belongsTo: {
      inserted: {
        originKind: "unseen",
        outcome: "completed",
        endedAt: 2_000,
        lastAssistantMessage: "done",
      },
    },
    updates: [],
  },
  {
    name: "Stop with nothing to go by belongs to no turn",
    fact: fact("turn.ended", { promptId: undefined }),
    belongsTo: undefined,
    updates: [],
  },
  {
    name: "StopFailure fails the turn",
    fact: fact("turn.failed", { promptId: "p-1" }),
    open: turn(),
    named: turn(),
    belongsTo: { existing: { outcome: "failed" } },
    updates: [{ outcome: "failed", endedAt: 2_000 }],
  },
  {
    name: "SessionEnd abandons the open turn",
    fact: fact("session.ended", { promptId: undefined }),
    open: turn(),
    belongsTo: { existing: { outcome: "abandoned" } },
    updates: [{ outcome: "abandoned", endedAt: 2_000 }],
  },
  {
    name: "SessionEnd leaves an ended turn alone",
    fact: fact("session.ended", { promptId: "p-1" }),
    named: turn(ended),
    belongsTo: undefined,
    updates: [],
  },
  {
    name: "a tool use belongs to the turn of its prompt id, even after that has ended",
    fact: fact("tool.after", { promptId: "p-1" }),
    open: turn({ promptId: "p-9" }),
    named: turn(ended),
    belongsTo: { existing: { promptId: "p-1", outcome: "completed" } },
    updates: [],
  },
  {
    name: "a tool use of a prompt never seen opens an unseen turn",
    fact: fact("tool.after"),
    belongsTo: { inserted: { promptId: "p-2", originKind: "unseen", outcome: null } },
    updates: [],
  },
  {
    name: "a notification of a prompt never seen opens nothing",
    fact: fact("notification"),
    belongsTo: undefined,
    updates: [],
  },
  {
    name: "a tool use without a prompt id belongs to the open turn",
    fact: fact("tool.before", { promptId: undefined }),
    open: turn(),
    belongsTo: { existing: { promptId: "p-1" } },
    updates: [],
  },
];

describe("stepTurn", () => {
  test.each(rows)("$name", ({ fact, open, named, belongsTo, updates }) => {
    const step = advanceTurn(fact, open, named);
    if (belongsTo === undefined) expect(step.belongsTo).toBeUndefined();
    else expect(step.belongsTo).toMatchObject(belongsTo);
    expect(step.updates).toHaveLength(updates.length);
    expect(step.updates).toMatchObject(updates);
  });
});

describe("settleTurns", () => {
  const later = turn({ promptId: "p-2", startedAt: 2_000 });
  const outcomes = (turns: Turn[], sessionEndedAt?: number) =>
    settleTurns(turns, sessionEndedAt).map(({ promptId, outcome, endedAt }) => [promptId, outcome, endedAt]);

  test.each([
    ["a turn that runs is left alone", [turn()], undefined, []],
    ["the next prompt cut it short", [turn(), later], undefined, [["p-1", "interrupted", 2_000]]],
    ["in any order", [later, turn()], undefined, [["p-1", "interrupted", 2_000]]],
    ["one that completed is left alone", [turn(ended), later], undefined, []],
    ["the session ended in mid-turn", [turn()], 3_000, [["p-1", "abandoned", 3_000]]],
    ["the session ended before it began", [turn()], 500, []],
    [
      "an abandoned turn stays abandoned when the session continues",
      [turn({ outcome: "abandoned", endedAt: 1_500 }), later],
      undefined,
      [],
    ],
    [
      "a prompt from between corrects the time of the cut",
      [
        turn({ outcome: "interrupted", endedAt: 5_000 }),
        turn({ promptId: "p-2", startedAt: 2_000, ...ended }),
      ],
      undefined,
      [["p-1", "interrupted", 2_000]],
    ],
  ] as const)("%s", (_name, turns, sessionEndedAt, expected) => {
    expect(outcomes([...turns], sessionEndedAt)).toEqual(expected);
  });
});
