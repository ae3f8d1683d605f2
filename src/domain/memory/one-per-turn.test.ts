import { expect, test } from "vitest";
import { listTurnsOnce, type TurnDocument } from "./one-per-turn.ts";

type Named = TurnDocument & { name: string };
const one = (name: string, kind: string, turnId: string | undefined, score: number): Named => ({
  name,
  kind,
  turnId,
  score,
});
const order = (...ranked: Named[]): string[] => listTurnsOnce(ranked).map(({ name }) => name);

test("a turn is listed once before its other documents follow", () => {
  expect(
    order(
      one("summary 1", "summary", "t1", 1),
      one("prompt 1", "prompt", "t1", 0.9),
      one("prompt 2", "prompt", "t2", 0.5),
      one("question", "question", undefined, 0.4),
    ),
  ).toEqual(["summary 1", "prompt 2", "question", "prompt 1"]);
});

test("a note represents its turn, at the score of the turn's best document", () => {
  const listed = listTurnsOnce([
    one("prompt 1", "prompt", "t1", 1),
    one("note 2", "observation", "t2", 0.9),
    one("note 1", "observation", "t1", 0.7),
  ]);
  expect(listed.map(({ name, score }) => [name, score])).toEqual([
    ["note 1", 1],
    ["note 2", 0.9],
    ["prompt 1", 1],
  ]);
});

test("a note that hardly matches does not represent its turn", () => {
  expect(order(one("prompt", "prompt", "t", 1), one("note", "observation", "t", 0.2))).toEqual([
    "prompt",
    "note",
  ]);
});

test("a second note of a turn stays in the list, further down", () => {
  expect(
    order(
      one("note 1", "observation", "t1", 1),
      one("note 1b", "observation", "t1", 0.9),
      one("note 2", "observation", "t2", 0.6),
      one("note 3", "observation", "t3", 0.5),
    ),
  ).toEqual(["note 1", "note 2", "note 1b", "note 3"]);
});
