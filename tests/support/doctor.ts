import { expect } from "vitest";
import { runCli } from "./broken-home.ts";
import { plugin, type Rookery } from "./rookery.ts";

interface Finding {
  check: string;
  verdict: "ok" | "skipped" | "warning" | "problem";
  message: string;
  fix?: string;
  isFixable: boolean;
}

interface Report {
  findings: Finding[];
  fixed?: { check: string; did?: string; failed?: string }[];
  bundle?: { path: string };
}

/** One finding that doctor must report exactly once. */
export interface ExpectedFinding {
  check: string;
  verdict: Finding["verdict"];
  message?: RegExp;
  fix?: RegExp;
  isFixable?: boolean;
}

export async function examine(
  rookery: Rookery,
  args: string[] = [],
  from = plugin,
): Promise<{ code: number | null; report: Report }> {
  const { code, stdout, stderr } = await runCli(rookery, ["doctor", "--json", ...args], from);
  expect(stderr).toBe("");
  return { code, report: JSON.parse(stdout) as Report };
}

export function expectFinding(
  { findings }: Report,
  { check, verdict, message = /./, fix, isFixable }: ExpectedFinding,
): void {
  const mine = findings.filter((finding) => finding.check === check);
  const matching = mine.filter((finding) => finding.verdict === verdict && message.test(finding.message));
  expect(matching, `${check} ${verdict} ${message} in ${JSON.stringify(mine)}`).toHaveLength(1);
  if (fix) expect(matching[0]?.fix).toMatch(fix);
  if (isFixable !== undefined) expect(matching[0]?.isFixable).toBe(isFixable);
}

export function listProblems({ findings }: Report): string {
  return JSON.stringify(findings.filter(({ verdict }) => verdict === "problem"));
}
