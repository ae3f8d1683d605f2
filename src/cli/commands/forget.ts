import { callEndpoint } from "../../client/request.ts";
import { careEndpoints } from "../../protocol/endpoints/care.ts";
import { type ForgetReport, type ForgetRequest, listRemoved } from "../../protocol/care.ts";
import type { HubForgotten } from "../../protocol/hub.ts";
import { AppError } from "../../shared/errors.ts";
import type { CliContext, Command, CommandInput } from "../command.ts";
import { formatCount } from "../format.ts";
import { showSpinner } from "../progress.ts";
import { readDay, readDayEnd, readProject, readText } from "../read-flag.ts";

const maxMs = 30 * 60_000;
const minIdLength = 6;

export const forget: Command = {
  summary: "Remove every trace of notes, words, a file, a project or a period. There is no undo.",
  usage: "ID… | --query WORDS | --file PATH | --project NAME | --since DAY --until DAY  [--dry-run] [--yes]",
  examples: [
    "rookery forget 4f2a9c1e",
    'rookery forget --query "blue lantern" --dry-run',
    "rookery forget --file src/keys.ts --yes",
    "rookery forget --project scratch --since 2026-10-01 --until 2026-10-07 --yes",
  ],
  options: {
    query: { type: "string" },
    file: { type: "string" },
    project: { type: "string" },
    since: { type: "string" },
    until: { type: "string" },
    "dry-run": { type: "boolean" },
    yes: { type: "boolean" },
  },
  optionHelp: {
    query: "everything that contains these exact words",
    file: "everything about a file of this project (or of --project)",
    project: "an entire project, by name or folder; with --query or --file: only there",
    since: "from this day on: 2026-10-01, yesterday, 7d",
    until: "up to the end of this day",
    "dry-run": "show what would be removed, without removing it",
    yes: "required unless ids are given",
  },
  completes: { "": "ids", project: "projects" },
  words: { min: 0, max: 100 },
  async run(context, input) {
    const body = makeRequest(context, input);
    const isWide = input.words.length === 0;
    const isRehearsal = input.flags["dry-run"] === true || (isWide && input.flags.yes !== true);
    const work = callEndpoint(context.address, careEndpoints.forget, {
      body: { ...body, dryRun: isRehearsal },
      timeoutMs: maxMs,
    });
    const report = await showSpinner(
      context,
      isRehearsal ? "Looking for every trace" : "Removing every trace",
      work,
    );
    const isAsking = isRehearsal && input.flags["dry-run"] !== true;
    if (!context.isJson) context.print(formatReport(report));
    else if (!isAsking) context.print(JSON.stringify(report, null, 2));
    if (isAsking && listRemoved(report).length + report.files.length > 0)
      throw new AppError(
        "confirmation_needed",
        `Nothing was removed yet: ${describe(report)} would be removed.`,
      );
    return 0;
  },
};

function makeRequest({ cwd }: CliContext, { flags, words }: CommandInput): Partial<ForgetRequest> {
  const { project, since, until } = flags;
  const [query, file] = [readText(flags.query), readText(flags.file)];
  const isNamed = [query, file, project, since, until].some((flag) => flag !== undefined);
  if (isNamed === words.length > 0)
    throw new AppError(
      "invalid_argument",
      "Missing ids, or one of --query, --file, --project, --since and --until.",
    );
  const short = words.find((word) => word.length < minIdLength);
  if (short !== undefined)
    throw new AppError(
      "invalid_argument",
      `${short} is too short to be an id: use at least its last ${minIdLength} characters.`,
    );
  if (words.length > 0) return { ids: words };
  const where = readProject(cwd, project);
  return {
    query,
    file,
    project: where ?? (file === undefined ? undefined : cwd),
    from: readDay("--since", since),
    to: readDayEnd("--until", until),
  };
}

function formatReport(report: ForgetReport): string {
  const { dryRun, titles, files, remaining, logLines, waiting } = report;
  const lines = [`${dryRun ? "Would forget" : "Forgotten"}: ${describe(report)}.`];
  lines.push(...titles.map((title) => `  - ${title}`));
  const more = report.removed.notes - titles.length;
  if (titles.length > 0 && more > 0) lines.push(`  … and ${formatCount(more, "more note")}`);
  if (logLines > 0) lines.push(`${formatCount(logLines, "line")} removed from logs.`);
  if (files.length > 0) lines.push(`${dryRun ? "Found in" : "Deleted"}: ${files.join(", ")}`);
  if (waiting > 0) lines.push(`${formatCount(waiting, "open question")} will be removed once settled.`);
  if (report.hub) lines.push(describeHub(report.hub));
  if (remaining.length > 0)
    lines.push(
      `The words are still in ${remaining.join(", ")}: in settings, in an open question, or in the name of a project, an agent or a user (rookery forget --project NAME).`,
    );
  return lines.join("\n");
}

/** The progress of a deletion: on this machine, on the hub, on the other machines. */
function describeHub({ removed, waiting, machines }: HubForgotten): string {
  const later =
    waiting > 0 ? `; ${formatCount(waiting, "note")} will be removed when the hub can be reached` : "";
  if (removed === 0) return `Removed here${later}.`;
  const { done, total, missing } = machines;
  const rest = missing.length > 0 ? ` (not yet: ${missing.join(", ")})` : "";
  return `Removed here and on the hub; ${done} of ${total} machines have erased it${rest}${later}.`;
}

function describe(report: ForgetReport): string {
  return listRemoved(report).join(", ") || "nothing";
}
