import { expect, test } from "vitest";
import type { PreparedEvent } from "../../domain/capture/prepare-event.ts";
import { openRecall, type RecallDeps } from "./recall.ts";

const started = { event: "session.started", sessionId: "s1" } as PreparedEvent;

function prefetchStart(catchUp: () => Promise<void>): Promise<void> {
  const deps = {
    distiller: { catchUp },
    settings: { observations: 10, summaries: 3, tokens: 1_000, prompts: false, files: false },
  } as unknown as RecallDeps;
  return openRecall(deps).prefetch("e1", started);
}

test("a session that starts waits for the turns that are not distilled yet", async () => {
  let isDone = false;
  await prefetchStart(async () => {
    await new Promise((resolve) => setImmediate(resolve));
    isDone = true;
  });
  expect(isDone).toBe(true);
});

test("a session that starts does not wait for distilling that hangs", async () => {
  await expect(prefetchStart(() => new Promise(() => {}))).resolves.toBeUndefined();
});
