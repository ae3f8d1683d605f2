import * as fc from "fast-check";
import { test } from "vitest";
import { MatrixError } from "../../src/homeserver/errors.ts";
import { AppError } from "../../src/shared/errors.ts";

/**
 * Every edge gets this many inputs; with `--long` the edges together get more than a million. A failure prints seed and path;
 * `ROOKERY_FUZZ_SEED=N npm test -- --project fuzz` repeats a run.
 */
const isLong = Boolean(process.env.ROOKERY_LONG_TESTS);
const cases = Number(process.env.ROOKERY_FUZZ_CASES ?? (isLong ? 17_000 : 100));
const seed = Number(process.env.ROOKERY_FUZZ_SEED ?? 1);

/** CPU time, so that a busy machine does not count. Measured in the long run only. */
const maxCaseMs = 50;

const prototypes = [Object.prototype, Array.prototype, Function.prototype, String.prototype];
const pristine = prototypes.map((each) => Reflect.ownKeys(each).length);

/**
 * Runs an edge with generated input. It may reject the input with an error of ours; any other error, a changed prototype
 * and (in the long run) a slow case fail the test.
 */
export function fuzz<T>(name: string, input: fc.Arbitrary<T>, run: (input: T) => unknown): void {
  test(name, { timeout: isLong ? 1_800_000 : 180_000 }, async () => {
    const property = fc.asyncProperty(input, async (value) => {
      const usedMs = await measure(run, value);
      checkPrototypes();
      if (isLong && usedMs > maxCaseMs) {
        const again = Math.min(await measure(run, value), await measure(run, value));
        if (again > maxCaseMs) throw new Error(`took ${Math.round(again)} ms`);
      }
    });
    await fc.assert(property, { seed, numRuns: cases });
  });
}

async function measure<T>(run: (input: T) => unknown, value: T): Promise<number> {
  const before = process.threadCpuUsage();
  try {
    await run(value);
  } catch (error) {
    if (!isRejection(error)) throw error;
  }
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

function isRejection(error: unknown): boolean {
  if (error instanceof AppError) return error.kind !== "bug";
  return error instanceof MatrixError && error.status < 500;
}

function checkPrototypes(): void {
  for (const [index, each] of prototypes.entries())
    if (Reflect.ownKeys(each).length !== pristine[index])
      throw new Error(`a prototype was changed: ${Reflect.ownKeys(each).map(String).join(" ")}`);
}
