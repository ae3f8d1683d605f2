import type { CheckGroup, Finding, Remark } from "./finding.ts";
import { warning } from "./finding.ts";
import type { Examination } from "./examination.ts";

const limitMs = 10_000;

/** Runs the checks one by one, each with a time limit. A check that throws becomes a finding. */
export async function runChecks(
  groups: readonly CheckGroup[],
  examination: Examination,
  onRun: (what: string) => void = () => {},
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { name: group, checks } of groups) {
    for (const { what, run, limitMs: limit = limitMs } of checks) {
      onRun(what);
      const remarks = await withinLimit(async () => run(examination), limit);
      findings.push(...[remarks].flat().map((remark) => ({ group, what, ...remark })));
    }
  }
  return findings;
}

async function withinLimit(run: () => Promise<Remark | Remark[]>, limit: number): Promise<Remark | Remark[]> {
  const late = Promise.withResolvers<Remark>();
  const timer = setTimeout(() => late.resolve(warning(`not checked: no result within ${limit} ms`)), limit);
  try {
    return await Promise.race([run(), late.promise]);
  } catch (thrown) {
    return warning(`could not be checked: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  } finally {
    clearTimeout(timer);
  }
}
