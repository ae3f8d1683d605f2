import { expect, test } from "vitest";
import { openPendingWrites } from "./pending-writes.ts";

test("waits for every write that was pending, including failed ones, and for no later one", async () => {
  const writes = openPendingWrites();
  const [slow, failing, later] = [1, 2, 3].map(() => Promise.withResolvers<void>());
  if (!slow || !failing || !later) throw new Error("unreachable");
  void writes.track(slow.promise);
  const failed = writes.track(failing.promise).catch((error: unknown) => error);
  let isSettled = false;
  const settled = writes.whenSettled().then(() => (isSettled = true));
  void writes.track(later.promise);
  failing.reject(new Error("refused"));
  expect(await failed).toEqual(new Error("refused"));
  expect(isSettled).toBe(false);
  slow.resolve();
  await settled;
});
