import { toAppError } from "../../shared/errors.ts";
import type { Finding } from "./finding.ts";

/** What became of one thing that was to be mended. */
export interface Mended {
  what: string;
  did?: string;
  failed?: string;
}

/** Mending one thing may bring another to light: a daemon that runs again shows what its hooks do. */
const mostRounds = 3;

/**
 * Mends what can be mended, then looks again, until nothing new turns up. Each thing is tried once; the order is that of
 * the checks, in which what others need comes first.
 */
export async function mendAll(
  examine: () => Promise<Finding[]>,
  onMend: (what: string) => void = () => {},
): Promise<{ mended: Mended[]; findings: Finding[] }> {
  const mended: Mended[] = [];
  let findings = await examine();
  for (let round = 0; round < mostRounds; round++) {
    const next = findings.filter(({ what, mend }) => mend && !mended.some((done) => done.what === what));
    if (next.length === 0) break;
    for (const finding of next) {
      onMend(finding.what);
      mended.push(await mendOne(finding));
    }
    findings = await examine();
  }
  return { mended, findings };
}

async function mendOne({ what, mend }: Finding): Promise<Mended> {
  try {
    return { what, did: (await mend?.()) ?? "" };
  } catch (thrown) {
    const { message, hint } = toAppError(thrown);
    return { what, failed: `${message} ${hint}` };
  }
}
