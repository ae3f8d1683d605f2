import { existsSync, statSync } from "node:fs";
import { listConfigIssues } from "../../config/load.ts";
import { listConfigKeys } from "../../config/schema.ts";
import { readSecrets } from "../../config/secrets.ts";
import { toAppError } from "../../shared/errors.ts";
import { findNearest } from "../../shared/find-nearest.ts";
import { type Check, ok, problem, quotePath, type CheckResult, skipped, warning } from "./check-result.ts";
import type { DoctorFacts } from "./doctor-facts.ts";

export const configChecks: readonly Check[] = [
  { check: "Configuration", run: checkConfig },
  { check: "Confirmed settings", run: checkConfirmed },
  { check: "Variables", run: checkVariables },
  { check: "Secrets", run: checkSecrets },
];

/** Our environment variables that are not settings. */
const otherVariables = [
  "ROOKERY_HOME",
  "ROOKERY_NODE",
  "ROOKERY_OFF",
  "ROOKERY_AGENT",
  "ROOKERY_SLACK_BOT_TOKEN",
  "ROOKERY_SLACK_APP_TOKEN",
  "ROOKERY_TELEGRAM_BOT_TOKEN",
  "ROOKERY_DISCORD_BOT_TOKEN",
  "ROOKERY_MATRIX_TOKEN",
  "ROOKERY_LONG_TESTS",
  "ROOKERY_NHEKO",
];

function checkConfig({ context }: DoctorFacts): CheckResult | CheckResult[] {
  const { config } = context.home;
  const edit = `Edit ${quotePath(config)}, then: rookery restart (all settings: rookery config --explain)`;
  try {
    const issues = listConfigIssues(config, context.environment);
    if (issues.length > 0) return issues.map((issue) => problem(issue, edit));
    return ok(existsSync(config) ? config : "all defaults");
  } catch (thrown) {
    return problem(toAppError(thrown).message, edit);
  }
}

async function checkConfirmed({ status }: DoctorFacts): Promise<CheckResult> {
  const report = await status();
  if (!report) return skipped("the daemon does not answer");
  const { unconfirmedSettings } = report;
  if (unconfirmedSettings.length === 0) return ok("all confirmed");
  return warning(
    `changed without your confirmation, so not applied: ${unconfirmedSettings.join(", ")}`,
    "Check them with rookery config KEY, then: rookery config --accept",
  );
}

/** A misspelt variable is ignored silently. */
function checkVariables({ context }: DoctorFacts): CheckResult | CheckResult[] {
  const { environment } = context;
  const known = [...listConfigKeys().map(({ env }) => env), ...otherVariables];
  const unknown = Object.keys(environment).filter(
    (name) => name.startsWith("ROOKERY_") && !known.includes(name),
  );
  const remarks = unknown.map((name) => {
    const guess = findNearest(name, known);
    return warning(`Unknown variable ${name}.${guess ? ` Did you mean ${guess}?` : ""}`, `unset ${name}`);
  });
  if (environment.ROOKERY_OFF)
    remarks.push(
      warning("ROOKERY_OFF is set: sessions started in this shell are not captured", "unset ROOKERY_OFF"),
    );
  return remarks.length > 0 ? remarks : ok("none misspelt");
}

function checkSecrets({ context }: DoctorFacts): CheckResult {
  const { secrets } = context.home;
  const stats = statSync(secrets, { throwIfNoEntry: false });
  if (!stats) return ok("none stored");
  // Reading it would tighten its mode silently; only --fix may do that.
  if (process.platform !== "win32" && (stats.mode & 0o077) !== 0) return skipped("see Permissions");
  try {
    const stored = Object.entries(readSecrets(secrets)).filter(([, group]) => containsAny(group));
    return ok(stored.length > 0 ? `for ${stored.map(([name]) => name).join(", ")}` : "none stored");
  } catch (thrown) {
    const { message, hint } = toAppError(thrown);
    return problem(message, hint);
  }
}

function containsAny(group: object): boolean {
  return Object.values(group).some(
    (value) => typeof value === "string" || Object.keys(value ?? {}).length > 0,
  );
}
