import { AppError } from "../../shared/errors.ts";
import type { Command } from "../command.ts";
import { writeBundle } from "../doctor/bundle.ts";
import { checkGroups } from "../doctor/checks.ts";
import { openDoctorFacts } from "../doctor/doctor-facts.ts";
import type { Finding } from "../doctor/check-result.ts";
import { fixFindings } from "../doctor/fix-findings.ts";
import { formatFindings, formatFixed, formatSummary } from "../doctor/report.ts";
import { runChecks } from "../doctor/checks.ts";

const exitWithProblems = 6;

export const doctor: Command = {
  summary: "Check everything Rookery needs, and show how to fix problems.",
  usage: "[--fix] [--all] [--bundle [FILE]]",
  examples: ["rookery doctor", "rookery doctor --fix", "rookery doctor --bundle report.md"],
  options: { fix: { type: "boolean" }, all: { type: "boolean" }, bundle: { type: "boolean" } },
  optionHelp: {
    fix: "fix what is safe to fix, then check again",
    all: "also show passed checks in full",
    bundle: "write a report to attach to a bug report; without secrets, prompts or notes",
  },
  words: { min: 0, max: 1 },
  async run(context, { flags, words }) {
    if (words.length > 0 && !flags.bundle)
      throw new AppError("invalid_argument", `Usage: rookery doctor ${doctor.usage}`);
    const isDrawing = context.isTerminal && !context.isJson;
    const draw = (text: string): void => (isDrawing ? context.drawProgress(text) : undefined);
    let facts = openDoctorFacts(context);
    const examine = (): Promise<Finding[]> => {
      facts = openDoctorFacts(context); // A fix may have changed the facts.
      return runChecks(checkGroups, facts, (check) => draw(`checking ${check} …`));
    };
    const { findings, fixed } = flags.fix
      ? await fixFindings(examine, (check) => draw(`fixing ${check} …`))
      : { findings: await examine(), fixed: undefined };
    draw("");
    const bundle = flags.bundle ? await writeBundle(facts, findings, words[0]) : undefined;

    if (context.isJson)
      context.print(JSON.stringify({ findings: findings.map(viewFinding), fixed, bundle }, null, 2));
    else {
      if (fixed) context.print(`${formatFixed(fixed)}\n`);
      context.print(formatFindings(findings, context, Boolean(flags.all)));
      context.print(`\n${formatSummary(findings)}`);
      if (bundle)
        context.print(
          `\nWritten to ${bundle.path}: ${bundle.contains.join("; ")}.\nRead it before you send it.`,
        );
    }
    return findings.some(({ verdict }) => verdict === "problem") ? exitWithProblems : 0;
  },
};

function viewFinding({ group, check, verdict, message, fix, applyFix }: Finding): object {
  return { group, check, verdict, message, ...(fix ? { fix } : {}), isFixable: applyFix !== undefined };
}
