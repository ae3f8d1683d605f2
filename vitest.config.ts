import { configDefaults, defineConfig } from "vitest/config";

/**
 * Two files at a time: most tests start real processes, mostly wait for them, and a machine may have two cores. Unit and
 * architecture tests are not retried; tests that start processes are, once, and the report shows which. The slowest tests
 * only run with `npm test -- --long`.
 */
const long = [
  "tests/conformance/slack-setup.test.ts",
  "tests/e2e/ask-human.test.ts",
  "tests/e2e/copilot.test.ts",
  "tests/e2e/harness.test.ts",
  "tests/e2e/install.test.ts",
  "tests/e2e/mail.test.ts",
  "tests/e2e/many.test.ts",
  "tests/integration/mail-crash.test.ts",
  "tests/integration/model-providers.test.ts",
  "tests/integration/model.test.ts",
  "tests/integration/upgrade.test.ts",
];
const exclude = [...configDefaults.exclude, ...(process.env.ROOKERY_LONG_TESTS ? [] : long)];
const strict = { testTimeout: 90_000, hookTimeout: 60_000, exclude };
const patient = { ...strict, retry: 1 };

export default defineConfig({
  test: {
    // Client libraries print while all goes well; only the output of failed tests is of interest.
    silent: "passed-only",
    maxWorkers: 2,
    projects: [
      { test: { name: "unit", include: ["src/**/*.test.ts"], ...strict } },
      { test: { name: "architecture", include: ["tests/architecture/**/*.test.ts"], ...strict } },
      { test: { name: "integration", include: ["tests/integration/**/*.test.ts"], ...patient } },
      { test: { name: "conformance", include: ["tests/conformance/**/*.test.ts"], ...patient } },
      { test: { name: "browser", include: ["tests/browser/**/*.test.ts"], ...patient } },
      { test: { name: "e2e", include: ["tests/e2e/**/*.test.ts"], ...patient, testTimeout: 180_000 } },
    ],
  },
});
