import type { CliContext } from "../command.ts";
import { wrapLines, formatCount } from "../format.ts";
import { type Finding, type Verdict } from "./check-result.ts";
import type { FixOutcome } from "./fix-findings.ts";

const marks: Record<Verdict, string> = { ok: "ok  ", skipped: "–   ", warning: "note", problem: "FAIL" };
const colours: Record<Verdict, number> = { ok: 32, skipped: 2, warning: 33, problem: 31 };
const nameWidth = 16;

/** One line per group for the passed checks, and every other finding in full; with `isFull`, everything in full. */
export function formatFindings(
  findings: readonly Finding[],
  context: Pick<CliContext, "isTerminal" | "environment" | "columns">,
  isFull: boolean,
): string {
  const { isTerminal, environment, columns } = context;
  const isPlain = !isTerminal || Boolean(environment.NO_COLOR) || environment.TERM === "dumb";
  const width = Math.max(60, columns);
  const paint = (code: number, text: string): string => (isPlain ? text : `\u001b[${code}m${text}\u001b[0m`);

  const formatLine = (verdict: Verdict, name: string, message: string, fix?: string): string => {
    const indent = " ".repeat(marks.ok.length + 2 + nameWidth);
    const padded = name.padEnd(nameWidth - 1);
    const text = wrapLines(message, width, indent, indent).slice(indent.length);
    const lines = [`${paint(colours[verdict], marks[verdict])}  ${padded} ${text}`];
    if (fix) lines.push(wrapLines(fix, width, `${indent}→ `, `${indent}  `));
    return lines.join("\n");
  };

  const groups = Map.groupBy(findings, ({ group }) => group);
  return [...groups]
    .flatMap(([group, members]) => {
      const named = (wanted: Verdict): string =>
        members.flatMap(({ verdict, check }) => (verdict === wanted ? check : [])).join(", ");
      const short = isFull ? [] : (["ok", "skipped"] as const).filter((verdict) => named(verdict) !== "");
      const shown = members.filter(({ verdict }) => isFull || verdict === "warning" || verdict === "problem");
      return [
        ...(isFull ? [paint(1, group)] : []),
        ...short.map((verdict) =>
          formatLine(verdict, group, named(verdict) + (verdict === "skipped" ? ": not checked" : "")),
        ),
        ...shown.map(({ verdict, check, message, fix }) => formatLine(verdict, check, message, fix)),
      ];
    })
    .join("\n");
}

export function formatSummary(findings: readonly Finding[]): string {
  const of = (wanted: Verdict): Finding[] => findings.filter(({ verdict }) => verdict === wanted);
  const [problems, notes] = [of("problem"), of("warning")];
  const checks = formatCount(findings.length - of("skipped").length, "check");
  if (problems.length + notes.length === 0) return `${checks}: no problems.`;
  const fixable = [...problems, ...notes].filter(({ applyFix }) => applyFix).length;
  return [
    `${checks}: ${formatCount(problems.length, "problem")}, ${formatCount(notes.length, "note")}.`,
    ...(fixable > 0 ? [`\`rookery doctor --fix\` fixes ${fixable} of them.`] : []),
  ].join(" ");
}

export function formatFixed(fixed: readonly FixOutcome[]): string {
  if (fixed.length === 0) return "--fix found nothing to fix.";
  return fixed
    .map(({ check, did, failed }) => (did ? `fixed   ${check}: ${did}` : `failed  ${check}: ${failed}`))
    .join("\n");
}
