import { expect, test } from "vitest";
import { isRetelling, type ComparedNote } from "./retell.ts";

const gotcha = (title: string): ComparedNote => ({ type: "gotcha", title, narrative: title });

test.each([
  [
    "other words around the same statement",
    "Jobs were lost because `worker.ts` acknowledges them in Redis before they are done",
    "Lost jobs: `worker.ts` acknowledges in Redis before the jobs are done",
    true,
  ],
  [
    "another product",
    "Jobs were lost because `worker.ts` acknowledges them in Redis before they are done",
    "Jobs were lost because `worker.ts` acknowledges them in Postgres before they are done",
    false,
  ],
  [
    "a product that only one of them names",
    "Jobs were lost because `worker.ts` acknowledges them before they are done",
    "Jobs were lost because `worker.ts` acknowledges them in Redis before they are done",
    true,
  ],
])("a retelling has the same subject: %s", (_name, older, newer, expected) => {
  expect(isRetelling(gotcha(newer), gotcha(older))).toBe(expected);
});
