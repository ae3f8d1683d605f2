import { configChecks } from "./check-config.ts";
import { daemonChecks } from "./check-daemon.ts";
import { homeChecks } from "./check-home.ts";
import { hookChecks } from "./check-hooks.ts";
import { hostChecks } from "./check-hosts.ts";
import { logChecks } from "./check-log.ts";
import { machineChecks } from "./check-machine.ts";
import { pluginChecks } from "./check-plugin.ts";
import { processChecks } from "./check-processes.ts";
import { reachChecks } from "./check-reach.ts";
import { runtimeChecks } from "./check-runtime.ts";
import { socketChecks } from "./check-sockets.ts";
import { storeChecks } from "./check-store.ts";
import type { DoctorFacts } from "./doctor-facts.ts";
import { type CheckGroup, type Finding, type CheckResult, warning } from "./check-result.ts";

/** The table of contents of `rookery doctor`, in the order in which things depend on each other. */
export const checkGroups: readonly CheckGroup[] = [
  { name: "Runtime", checks: runtimeChecks },
  { name: "Machine", checks: machineChecks },
  { name: "Home", checks: homeChecks },
  { name: "Settings", checks: configChecks },
  { name: "Daemon", checks: [...daemonChecks, ...socketChecks, ...processChecks, ...logChecks] },
  { name: "Store", checks: storeChecks },
  { name: "Hooks", checks: hookChecks },
  { name: "Claude Code", checks: pluginChecks },
  { name: "Other agents", checks: hostChecks },
  { name: "Reach", checks: reachChecks },
];

const limitMs = 10_000;

/** Runs the checks one by one, each with a time limit. A check that throws becomes a finding. */
export async function runChecks(
  groups: readonly CheckGroup[],
  facts: DoctorFacts,
  onRun: (check: string) => void = () => {},
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { name: group, checks } of groups) {
    for (const { check, run, timeoutMs: limit = limitMs } of checks) {
      onRun(check);
      const remarks = await withinLimit(async () => run(facts), limit);
      findings.push(...[remarks].flat().map((remark) => ({ group, check, ...remark })));
    }
  }
  return findings;
}

async function withinLimit(
  run: () => Promise<CheckResult | CheckResult[]>,
  limit: number,
): Promise<CheckResult | CheckResult[]> {
  const late = Promise.withResolvers<CheckResult>();
  const timer = setTimeout(() => late.resolve(warning(`not checked: no result within ${limit} ms`)), limit);
  try {
    return await Promise.race([run(), late.promise]);
  } catch (thrown) {
    return warning(`could not be checked: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  } finally {
    clearTimeout(timer);
  }
}
