import { expect, test } from "vitest";
import { listFinalOpenEnds } from "./open-ends.ts";

const cut = (prompt: string): string[] =>
  listFinalOpenEnds({ prompt, final: "", outcome: "interrupted", hasEdits: false }, prompt);

test("a request that was interrupted is not finished", () => {
  expect(cut("Rename the exporter to archive in every package")).toEqual([
    "Not finished: Rename the exporter to archive in every package",
  ]);
  expect(cut("yes, go ahead, continue please, and please proceed")).toEqual([]);
});

test("a prompt that begins with a long number is read in linear time", () => {
  const prompt = `${"1".repeat(60)}x is the wrong checksum of the archive`;
  expect(cut(prompt)).toEqual([`Not finished: ${prompt}`]);
});
