import { configDefaults, defineConfig } from "vitest/config";
import { RetriedTests } from "./tests/support/retried-tests.ts";

/**
 * Two files at a time: most tests start real processes, mostly wait for them, and a machine may have two cores. Only tests
 * that drive other people's programs (Chromium, the hosts' own command lines) are retried, once; the run ends with their
 * names. The slowest files only run with `npm test -- --long`, and so do the tests that tests/support/long.ts leaves out.
 */
const long = [
  "tests/conformance/slack-setup.test.ts",
  "tests/e2e/ask-human.test.ts",
  "tests/e2e/ask-unreached.test.ts",
  "tests/e2e/codex-terminal.test.ts",
  "tests/e2e/copilot.test.ts",
  "tests/e2e/copilot-session.test.ts",
  "tests/e2e/doctor.test.ts",
  "tests/e2e/harness.test.ts",
  "tests/e2e/install.test.ts",
  "tests/e2e/mail.test.ts",
  "tests/e2e/many.test.ts",
  "tests/e2e/qwen.test.ts",
  "tests/e2e/uninstall.test.ts",
  "tests/integration/forget-load.test.ts",
  "tests/integration/mail-crash.test.ts",
  "tests/integration/model-providers.test.ts",
  "tests/integration/model.test.ts",
  "tests/integration/upgrade.test.ts",
];
const exclude = [...configDefaults.exclude, ...(process.env.ROOKERY_LONG_TESTS ? [] : long)];
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
    reporters: ["default", new RetriedTests()],
    maxWorkers: 2,
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
