import { configDefaults, defineConfig } from "vitest/config";

/**
 * Two files at a time: most tests start real processes, mostly wait for them, and the machines may have two cores. They are
 * noisy, too: a row that fails is tried three times more, and what fails then is broken. What takes longest waits for
 * `npm test -- --long`.
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
const patient = { testTimeout: 90_000, hookTimeout: 60_000, retry: 3, exclude };

export default defineConfig({
  test: {
    // What a client library says while all goes well is nobody's business.
    silent: "passed-only",
    maxWorkers: 2,
    projects: [
      { test: { name: "unit", include: ["src/**/*.test.ts"], ...patient } },
      { test: { name: "architecture", include: ["tests/architecture/**/*.test.ts"], ...patient } },
      { test: { name: "integration", include: ["tests/integration/**/*.test.ts"], ...patient } },
      { test: { name: "conformance", include: ["tests/conformance/**/*.test.ts"], ...patient } },
      { test: { name: "browser", include: ["tests/browser/**/*.test.ts"], ...patient } },
      { test: { name: "e2e", include: ["tests/e2e/**/*.test.ts"], ...patient, testTimeout: 180_000 } },
    ],
  },
});
