import { hubEndpoints } from "../../protocol/endpoints/hub.ts";
import type { SharePreview } from "../../protocol/hub.ts";
import { AppError } from "../../shared/errors.ts";
import { callAsPerson } from "../call-as-person.ts";
import type { Command } from "../command.ts";
import { formatCount } from "../format.ts";
import { readChoice, readProject, readText } from "../read-flag.ts";

/** Redaction runs over every note. */
const maxMs = 10 * 60_000;

export const share: Command = {
  summary: "Share the notes of this project through the hub. First shows what would be shared.",
  usage: "[PROJECT] [--key NAME] [--with preferences] [--dry-run] [--yes]",
  examples: ["rookery share", "rookery share orders-api --dry-run", "rookery share --key acme/orders --yes"],
  options: {
    key: { type: "string" },
    with: { type: "string" },
    "dry-run": { type: "boolean" },
    yes: { type: "boolean" },
  },
  optionHelp: {
    key: "the project's identity on the hub, the same on every machine; default: its git remote",
    with: "share your preferences too: as notes of yours, not as rules of others",
    "dry-run": "only show what would be shared",
    yes: "share without asking",
  },
  completes: { "": "projects" },
  words: { min: 0, max: 1 },
  async run(context, { words, flags }) {
    const key = readText(flags.key);
    const kind = readChoice("--with", flags.with, ["preferences"]);
    const body = {
      project: readProject(context.cwd, words[0]) ?? context.cwd,
      ...(key === undefined ? {} : { key }),
      ...(kind === undefined ? {} : { with: [kind] }),
    };
    const call = (dryRun: boolean) =>
      callAsPerson(context, hubEndpoints.shareProject, { body: { ...body, dryRun }, timeoutMs: maxMs });
    const preview = await call(true);
    const isAsking = flags["dry-run"] !== true && flags.yes !== true && !preview.isShared;
    if (!context.isJson) context.print(describe(preview));
    const isAgreed = isAsking && /^y(?:es)?$/i.test((await context.ask?.("Share? [y/N] ")) ?? "");
    if (isAsking && !isAgreed && !context.ask)
      throw new AppError("invalid_argument", "Nothing was shared yet: check the list, then add --yes.");
    const isWanted = flags["dry-run"] !== true && !preview.isShared && (isAgreed || flags.yes === true);
    const result = isWanted ? await call(false) : preview;
    if (context.isJson) context.print(JSON.stringify(result, null, 2));
    else if (isWanted) context.print(`${result.project} is shared. Show it: rookery hub status`);
    return 0;
  },
};

function describe({ project, key, known, notes, staying, hidden, examples, isShared }: SharePreview): string {
  const hub = known
    ? `the hub knows it: ${formatCount(known.members, "member")}, ${formatCount(known.notes, "note")}`
    : "new on the hub";
  if (isShared) return `${project} is shared already as ${key} (${hub}).`;
  return [
    `${project} as ${key} (${hub}).`,
    `${formatCount(notes, "note")} of yours would be shared, and new ones as they are made. ${formatCount(staying, "preference")} and all prompts, summaries and sessions stay here.`,
    `Redaction finds ${formatCount(hidden, "secret")} in them now${hidden > 0 ? " and removes them on the way" : ""}.`,
    ...(examples.length > 0 ? ["Some of them:", ...examples.map((title) => `  - ${title}`)] : []),
  ].join("\n");
}

export const unshare: Command = {
  summary: "Stop sharing this project and remove the notes of others from here.",
  usage: "[PROJECT] [--recall]",
  examples: ["rookery unshare", "rookery unshare orders-api --recall"],
  options: { recall: { type: "boolean" } },
  optionHelp: { recall: "also remove your notes of it from the hub and from the other machines" },
  completes: { "": "projects" },
  words: { min: 0, max: 1 },
  async run(context, { words, flags }) {
    const body = {
      project: readProject(context.cwd, words[0]) ?? context.cwd,
      recall: flags.recall === true,
    };
    const answer = await callAsPerson(context, hubEndpoints.unshareProject, { body, timeoutMs: maxMs });
    const { project, recalled, dropped } = answer;
    const yours = body.recall
      ? `${formatCount(recalled, "note")} of yours recalled`
      : "your notes stay on the hub";
    const told = `${project} is no longer shared: ${yours}, ${formatCount(dropped, "note")} of others removed here.`;
    context.print(context.isJson ? JSON.stringify(answer) : told);
    return 0;
  },
};
