import { toAppError } from "../../shared/errors.ts";
import type { Finding } from "./check-result.ts";

/** The result of one fix: `did` on success, `failed` otherwise. */
export interface FixOutcome {
  check: string;
  did?: string;
  failed?: string;
}

/** One fix may reveal the next problem: hooks can only be checked once the daemon runs again. */
const maxRounds = 3;

/**
 * Applies every available fix and checks again, until nothing new is found. Each fix is tried once, in the order of the
 * checks, which lists dependencies first.
 */
export async function fixFindings(
  examine: () => Promise<Finding[]>,
  onFix: (check: string) => void = () => {},
): Promise<{ fixed: FixOutcome[]; findings: Finding[] }> {
  const fixed: FixOutcome[] = [];
  let findings = await examine();
  for (let round = 0; round < maxRounds; round++) {
    const next = findings.filter(
      ({ check, applyFix }) => applyFix && !fixed.some((done) => done.check === check),
    );
    if (next.length === 0) break;
    for (const finding of next) {
      onFix(finding.check);
      fixed.push(await fixOne(finding));
    }
    findings = await examine();
  }
  return { fixed, findings };
}

async function fixOne({ check, applyFix }: Finding): Promise<FixOutcome> {
  try {
    return { check, did: (await applyFix?.()) ?? "" };
  } catch (thrown) {
    const { message, hint } = toAppError(thrown);
    return { check, failed: `${message} ${hint}` };
  }
}
