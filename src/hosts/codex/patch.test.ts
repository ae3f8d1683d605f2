import { expect, test } from "vitest";
import { formatPatch, readPatch, resolvePatch } from "./patch.ts";

const patch = [
  "*** Begin Patch",
  "*** Add File: src/new.ts",
  "+one",
  "+two",
  "*** Update File: src/old.ts",
  "*** Move to: src/moved.ts",
  "@@ function a()",
  " kept",
  "-before",
  "+after",
  "@@",
  "-x",
  "+y",
  "*** Delete File: /abs/gone.ts",
  "*** End Patch",
].join("\n");

test("every file of a patch is read with the texts that it replaces", () => {
  expect(readPatch(patch)).toEqual([
    { path: "src/new.ts", changes: [{ before: "", after: "one\ntwo" }] },
    {
      path: "src/moved.ts",
      changes: [
        { before: "kept\nbefore", after: "kept\nafter" },
        { before: "x", after: "y" },
      ],
    },
    { path: "/abs/gone.ts", changes: [] },
  ]);
  expect(readPatch("echo '*** no patch'")).toEqual([]);
});

test("paths become absolute, and only in headers", () => {
  const resolved = resolvePatch(`${patch}\n+*** Add File: text.ts`, "/p");
  expect(readPatch(resolved).map(({ path }) => path)).toEqual([
    "/p/src/new.ts",
    "/p/src/moved.ts",
    "/abs/gone.ts",
  ]);
  expect(resolved).toContain("+*** Add File: text.ts");
});

test("recorded changes yield the same files and texts as the patch", () => {
  const recorded = formatPatch([
    { type: "add", path: "/p/a.ts", content: "one\ntwo\n" },
    { type: "update", path: "/p/b.ts", diff: "@@ -1,2 +1,2 @@\n kept\n-x\n+y\n", movedTo: undefined },
    { type: "delete", path: "/p/c.ts", content: "z\n" },
  ]);
  expect(readPatch(recorded)).toEqual([
    { path: "/p/a.ts", changes: [{ before: "", after: "one\ntwo" }] },
    { path: "/p/b.ts", changes: [{ before: "kept\nx", after: "kept\ny" }] },
    { path: "/p/c.ts", changes: [] },
  ]);
});
