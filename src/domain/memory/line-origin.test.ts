import { expect, test } from "vitest";
import { indexEdit, judgeEdit, judgeIndexed, listLineKeys } from "./line-origin.ts";

const file = [
  "function openPool() {",
  "  const size = 5;",
  "",
  "  return makePool(size);",
  "}",
  "",
  "export { openPool };",
];
const edits = [
  [{ before: null, after: file.join("\n") }],
  [{ before: "  const size = 3;", after: "  const size = 5;" }],
  [{ before: "  return makePool(size);\n}", after: "  const size = 5;\n\n  return makePool(size);\n}" }],
  [{ before: "a", after: "}" }],
  [],
];

test("the index of an edit gives the same verdict as the edit itself, for every line", () => {
  let compared = 0;
  for (const changes of edits)
    for (const [at, text] of file.entries()) {
      const isFull = (line: string): boolean => line.trim() !== "";
      const wanted = {
        text,
        before: file.slice(0, at).findLast(isFull),
        after: file.slice(at + 1).find(isFull),
      };
      expect(judgeIndexed(indexEdit(changes), listLineKeys(file, at))).toBe(judgeEdit(changes, wanted));
      compared++;
    }
  expect(compared).toBe(35);
});

test("a line that an edit replaced by another is added, a repeated one is kept, an empty one has no origin", () => {
  expect(judgeIndexed(indexEdit(edits[1] ?? []), listLineKeys(file, 1))).toBe("added");
  expect(judgeIndexed(indexEdit(edits[2] ?? []), listLineKeys(file, 3))).toBe("kept");
  expect(judgeIndexed(indexEdit(edits[0] ?? []), listLineKeys(file, 2))).toBe(undefined);
});
