import { expect, test } from "vitest";
import { openReadQueue } from "./read-queue.ts";

test("two reads of a user run at a time, in order; those of others are not delayed; a failure frees its place", async () => {
  const queue = openReadQueue();
  const started: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<string>>();
  const read = (userId: string, name: string): Promise<string> =>
    queue.run(userId, () => {
      started.push(name);
      const end = Promise.withResolvers<string>();
      ends.set(name, end);
      return end.promise;
    });
  const reads = ["a1", "a2", "a3", "a4"].map((name) => read("a", name));
  void read("b", "b1");
  expect(started).toEqual(["a1", "a2", "b1"]);
  ends.get("a1")?.reject(new Error("failed"));
  await expect(reads[0]).rejects.toThrow("failed");
  expect(started).toEqual(["a1", "a2", "b1", "a3"]);
  ends.get("a2")?.resolve("two");
  expect(await reads[1]).toBe("two");
  expect(started.at(-1)).toBe("a4");
});

test("a user's reads are refused while too many wait", async () => {
  const queue = openReadQueue();
  const forever = (): Promise<never> => new Promise(() => {});
  for (let n = 0; n < 258; n++) void queue.run("a", forever);
  await expect(queue.run("a", forever)).rejects.toMatchObject({ code: "M_LIMIT_EXCEEDED" });
  expect(await queue.run("b", () => Promise.resolve(1))).toBe(1);
});
