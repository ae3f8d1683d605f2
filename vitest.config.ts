import { defineConfig } from "vitest/config";

/**
 * Heavy projects run one file at a time: the tests start real processes and the machines may have two cores. They are
 * noisy, too: a row that fails is tried once more, and what fails twice is broken.
 */
const heavy = { fileParallelism: false, testTimeout: 120_000, hookTimeout: 60_000, retry: 1 };

export default defineConfig({
  test: {
    projects: [
      { test: { name: "unit", include: ["src/**/*.test.ts"] } },
      { test: { name: "architecture", include: ["tests/architecture/**/*.test.ts"], testTimeout: 30_000 } },
      { test: { name: "integration", include: ["tests/integration/**/*.test.ts"], ...heavy } },
      { test: { name: "browser", include: ["tests/browser/**/*.test.ts"], ...heavy } },
      { test: { name: "e2e", include: ["tests/e2e/**/*.test.ts"], ...heavy, testTimeout: 180_000 } },
    ],
  },
});
