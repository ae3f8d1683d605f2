import { configDefaults, defineConfig } from "vitest/config";
import { isLong, longFiles } from "./tests/support/long.ts";
import { PaperTests } from "./tests/support/paper-tests.ts";
import { RetriedTests } from "./tests/support/retried-tests.ts";

/**
 * Four files at a time, even on two cores: most tests start real processes and mostly wait for them. Only tests that drive
 * other people's programs (Chromium, the hosts' own command lines) are retried, once; the run ends with their names.
 * tests/support/long.ts lists the files and leaves out the tests that only run with `npm test -- --long`.
 */
const exclude = [...configDefaults.exclude, ...(isLong ? [] : longFiles)];
// Limits are for tests that fail: on a busy machine a test may take many times as long as on an idle one.
const strict = {
  testTimeout: 180_000,
  hookTimeout: 180_000,
  exclude,
  expect: { poll: { timeout: 60_000 } },
};
const retried = { ...strict, retry: 1 };

export default defineConfig({
  test: {
    // Client libraries print while all goes well; only the output of failed tests is of interest.
    silent: "passed-only",
    reporters: ["default", new RetriedTests(), new PaperTests()],
    maxWorkers: 4,
    // Within a file, tests marked as concurrent only wait.
    maxConcurrency: 20,
    projects: [
      { test: { name: "unit", include: ["src/**/*.test.ts"], ...strict } },
      { test: { name: "architecture", include: ["tests/architecture/**/*.test.ts"], ...strict } },
      { test: { name: "fuzz", include: ["tests/fuzz/**/*.test.ts"], ...strict } },
      { test: { name: "integration", include: ["tests/integration/**/*.test.ts"], ...strict } },
      { test: { name: "conformance", include: ["tests/conformance/**/*.test.ts"], ...strict } },
      { test: { name: "browser", include: ["tests/browser/**/*.test.ts"], ...retried } },
      { test: { name: "e2e", include: ["tests/e2e/**/*.test.ts"], ...retried } },
    ],
  },
});
