import { expect, test } from "vitest";
import type { MemoryKind } from "./memory-index.ts";
import { openStore } from "./open-store.ts";

test("a suffix that only one note has names that note, whatever else ends with it", () => {
  const store = openStore(":memory:", () => 0);
  const put = (kind: MemoryKind, ref: string): void =>
    store.index.put({
      kind,
      ref,
      projectId: "p",
      sessionId: null,
      type: null,
      createdAt: 0,
      title: "",
      body: "walnut",
      files: [],
    });
  put("prompt", "p-00-4f2a");
  put("message", "m-00-4f2a");
  expect(store.index.bySuffix("4f2a")).toHaveLength(2);
  put("observation", "n-11-4f2a");
  expect(store.index.bySuffix("4f2a")).toEqual([{ kind: "observation", id: "n-11-4f2a" }]);
  expect(store.index.bySuffix("p-00-4f2a")).toEqual([{ kind: "prompt", id: "p-00-4f2a" }]);
  put("observation", "n-22-4f2a");
  expect(store.index.bySuffix("4f2a")).toHaveLength(2);
  expect(store.index.bySuffix("2-4f2a")).toEqual([{ kind: "observation", id: "n-22-4f2a" }]);
  store.close();
});
