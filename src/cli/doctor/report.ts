import type { CliContext } from "../command.ts";
import { fillLines } from "../format.ts";
import { count, type Finding, type Verdict } from "./finding.ts";
import type { Mended } from "./mend.ts";

const marks: Record<Verdict, string> = { ok: "ok  ", skipped: "–   ", warning: "note", problem: "BAD " };
const colours: Record<Verdict, number> = { ok: 32, skipped: 2, warning: 33, problem: 31 };
const nameWidth = 16;

/** A line for what is well in a group, and the rest in full; with `isWhole`, everything in full. */
export function formatFindings(
  findings: readonly Finding[],
  context: Pick<CliContext, "isTerminal" | "environment" | "columns">,
  isWhole: boolean,
): string {
  const { isTerminal, environment, columns } = context;
  const isPlain = !isTerminal || Boolean(environment.NO_COLOR) || environment.TERM === "dumb";
  const width = Math.max(60, columns);
  const paint = (code: number, text: string): string => (isPlain ? text : `\u001b[${code}m${text}\u001b[0m`);

  const formatLine = (verdict: Verdict, name: string, said: string, fix?: string): string => {
    const indent = " ".repeat(marks.ok.length + 2 + nameWidth);
    const padded = name.padEnd(nameWidth - 1);
    const text = fillLines(said, width, indent, indent).slice(indent.length);
    const lines = [`${paint(colours[verdict], marks[verdict])}  ${padded} ${text}`];
    if (fix) lines.push(fillLines(fix, width, `${indent}→ `, `${indent}  `));
    return lines.join("\n");
  };

  const groups = Map.groupBy(findings, ({ group }) => group);
  return [...groups]
    .flatMap(([group, members]) => {
      const named = (wanted: Verdict): string =>
        members.flatMap(({ verdict, what }) => (verdict === wanted ? what : [])).join(", ");
      const short = isWhole ? [] : (["ok", "skipped"] as const).filter((verdict) => named(verdict) !== "");
      const shown = members.filter(
        ({ verdict }) => isWhole || verdict === "warning" || verdict === "problem",
      );
      return [
        ...(isWhole ? [paint(1, group)] : []),
        ...short.map((verdict) =>
          formatLine(verdict, group, named(verdict) + (verdict === "skipped" ? ": not looked at" : "")),
        ),
        ...shown.map(({ verdict, what, said, fix }) => formatLine(verdict, what, said, fix)),
      ];
    })
    .join("\n");
}

export function formatSummary(findings: readonly Finding[]): string {
  const of = (wanted: Verdict): Finding[] => findings.filter(({ verdict }) => verdict === wanted);
  const [problems, notes] = [of("problem"), of("warning")];
  const looked = `${count(findings.length - of("skipped").length, "thing")} looked at`;
  if (problems.length + notes.length === 0) return `All is well: ${looked}.`;
  const mendable = [...problems, ...notes].filter(({ mend }) => mend).length;
  return [
    `${count(problems.length, "problem")}, ${count(notes.length, "note")}; ${looked}.`,
    ...(mendable > 0 ? [`\`rookery doctor --fix\` mends ${mendable} of them.`] : []),
  ].join(" ");
}

export function formatMended(mended: readonly Mended[]): string {
  if (mended.length === 0) return "Nothing here is for --fix to mend.";
  return mended
    .map(({ what, did, failed }) => (did ? `mended  ${what}: ${did}` : `failed  ${what}: ${failed}`))
    .join("\n");
}
