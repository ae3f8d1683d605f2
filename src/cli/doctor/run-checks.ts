import type { CheckGroup, Finding, Remark } from "./finding.ts";
import { warning } from "./finding.ts";
import type { Examination } from "./examination.ts";

const limitMs = 10_000;

/** One after the other, each guarded and bounded: a check that fails is a finding, never a crash. */
export async function runChecks(
  groups: readonly CheckGroup[],
  examination: Examination,
  onLook: (what: string) => void = () => {},
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { name: group, checks } of groups) {
    for (const { what, look, limitMs: limit = limitMs } of checks) {
      onLook(what);
      const remarks = await withinLimit(async () => look(examination), limit);
      findings.push(...[remarks].flat().map((remark) => ({ group, what, ...remark })));
    }
  }
  return findings;
}

async function withinLimit(
  look: () => Promise<Remark | Remark[]>,
  limit: number,
): Promise<Remark | Remark[]> {
  const late = Promise.withResolvers<Remark>();
  const timer = setTimeout(() => late.resolve(warning(`not looked at: no answer within ${limit} ms`)), limit);
  try {
    return await Promise.race([look(), late.promise]);
  } catch (thrown) {
    return warning(`could not be looked at: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  } finally {
    clearTimeout(timer);
  }
}
