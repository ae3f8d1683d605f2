import { AppError } from "../../shared/errors.ts";
import type { Command } from "../command.ts";
import { writeBundle } from "../doctor/bundle.ts";
import { checkGroups } from "../doctor/checks.ts";
import { openExamination } from "../doctor/examination.ts";
import type { Finding } from "../doctor/finding.ts";
import { mendAll } from "../doctor/mend.ts";
import { formatFindings, formatMended, formatSummary } from "../doctor/report.ts";
import { runChecks } from "../doctor/run-checks.ts";

const somethingIsWrong = 6;

export const doctor: Command = {
  summary: "Check everything Rookery needs, and say how to mend what is wrong.",
  usage: "[--fix] [--all] [--bundle [FILE]]",
  examples: ["rookery doctor", "rookery doctor --fix", "rookery doctor --bundle report.md"],
  options: { fix: { type: "boolean" }, all: { type: "boolean" }, bundle: { type: "boolean" } },
  optionHelp: {
    fix: "mend what is safe to mend, then look again",
    all: "also show in full what is well",
    bundle: "write a report without secrets or anything you said, to send to whoever helps you",
  },
  words: { min: 0, max: 1 },
  async run(context, { flags, words }) {
    if (words.length > 0 && !flags.bundle)
      throw new AppError("invalid_argument", `Usage: rookery doctor ${doctor.usage}`);
    const isDrawing = context.isTerminal && !context.isJson;
    const say = (text: string): void => (isDrawing ? context.draw(text) : undefined);
    let examination = openExamination(context);
    const examine = (): Promise<Finding[]> => {
      examination = openExamination(context); // What was known before may have been mended.
      return runChecks(checkGroups, examination, (what) => say(`looking at ${what} …`));
    };
    const { findings, mended } = flags.fix
      ? await mendAll(examine, (what) => say(`mending ${what} …`))
      : { findings: await examine(), mended: undefined };
    say("");
    const bundle = flags.bundle ? await writeBundle(examination, findings, words[0]) : undefined;

    if (context.isJson)
      context.print(JSON.stringify({ findings: findings.map(viewFinding), mended, bundle }, null, 2));
    else {
      if (mended) context.print(`${formatMended(mended)}\n`);
      context.print(formatFindings(findings, context, Boolean(flags.all)));
      context.print(`\n${formatSummary(findings)}`);
      if (bundle)
        context.print(
          `\nWritten to ${bundle.path}: ${bundle.contains.join("; ")}.\nRead it before you send it.`,
        );
    }
    return findings.some(({ verdict }) => verdict === "problem") ? somethingIsWrong : 0;
  },
};

function viewFinding({ group, what, verdict, said, fix, mend }: Finding): object {
  return { group, what, verdict, said, ...(fix ? { fix } : {}), isFixable: mend !== undefined };
}
