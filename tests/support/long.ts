/** True with `npm test -- --long`. Other runs leave out tests of rare cases and variants of a quicker test. */
export const isLong = process.env.ROOKERY_LONG_TESTS !== undefined;

/** The slowest files: they only run with `--long`. */
export const longFiles: readonly string[] = [
  "tests/conformance/discord.test.ts",
  "tests/conformance/discord-daemon.test.ts",
  "tests/conformance/ntfy-daemon.test.ts",
  "tests/conformance/slack-setup.test.ts",
  "tests/conformance/telegram-daemon.test.ts",
  "tests/e2e/ask-human.test.ts",
  "tests/e2e/ask-unreached.test.ts",
  "tests/e2e/codex-terminal.test.ts",
  "tests/e2e/copilot.test.ts",
  "tests/e2e/copilot-session.test.ts",
  "tests/e2e/copilot-terminal.test.ts",
  "tests/e2e/doctor.test.ts",
  "tests/e2e/gemini.test.ts",
  "tests/e2e/gemini-terminal.test.ts",
  "tests/e2e/harness.test.ts",
  "tests/e2e/install.test.ts",
  "tests/e2e/mail.test.ts",
  "tests/e2e/opencode-terminal.test.ts",
  "tests/e2e/opencode.test.ts",
  "tests/e2e/many.test.ts",
  "tests/e2e/marketplace.test.ts",
  "tests/e2e/newcomer.test.ts",
  "tests/e2e/qwen.test.ts",
  "tests/e2e/qwen-terminal.test.ts",
  "tests/e2e/registry.test.ts",
  "tests/e2e/three-hosts.test.ts",
  "tests/e2e/uninstall.test.ts",
  "tests/integration/forget-load.test.ts",
  "tests/integration/mail-crash.test.ts",
  "tests/integration/model-providers.test.ts",
  "tests/integration/model.test.ts",
  "tests/integration/upgrade.test.ts",
];

/** All rows with `--long`, otherwise the first ones. */
export function someRows<const T>(rows: readonly T[], count = 1): readonly T[] {
  return isLong ? rows : rows.slice(0, count);
}
