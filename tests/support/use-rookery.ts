import { afterEach } from "vitest";
import { describeProcesses, processesMentioning, signalProcess, waitFor } from "./processes.ts";
import { openRookery, type Rookery, withoutRooms } from "./rookery.ts";

type TearDown = (close: () => Promise<void>) => void;

export function useRookeriesWithoutRooms(tearDown?: TearDown): ReturnType<typeof useRookeries> {
  return useRookeries(tearDown, withoutRooms);
}

/** Homes with automatic teardown. Fails if a process of one survives, and names it. */
export function useRookeries(
  tearDown: TearDown = afterEach,
  always: Record<string, string> = {},
): {
  open(env?: Record<string, string>, artefact?: string): Rookery;
  started(env?: Record<string, string>): Promise<Rookery>;
} {
  const opened: Rookery[] = [];
  tearDown(async () => {
    for (const rookery of opened.splice(0)) await closeAndCheck(rookery);
  });
  const open = (env?: Record<string, string>, artefact?: string): Rookery => {
    const rookery = openRookery({ ...always, ...env }, artefact);
    opened.push(rookery);
    return rookery;
  };
  return {
    open,
    async started(env) {
      const rookery = open(env);
      await rookery.start();
      return rookery;
    },
  };
}

async function closeAndCheck(rookery: Rookery): Promise<void> {
  // Every process that mentions this name is killed, so it is not the home's folder, which a test may put anywhere.
  const { folder } = rookery;
  await rookery.close();
  try {
    await waitFor(async () => (await processesMentioning(folder)).length === 0);
  } catch (cause) {
    const survivors = await processesMentioning(folder);
    for (const { pid } of survivors) signalProcess(pid, "SIGKILL");
    throw new Error(`Outlived their home, now killed:\n${describeProcesses(survivors)}`, { cause });
  }
}
