import { callAsPerson } from "../../client/call-as-person.ts";
import { callDaemon } from "../../client/request.ts";
import type { TaskView } from "../../protocol/mail.ts";
import { AppError } from "../../shared/errors.ts";
import type { CliContext, Command, CommandInput } from "../command.ts";
import { formatMinute, formatTable } from "../format.ts";
import { readProject } from "../read-flag.ts";

export const tasks: Command = {
  summary: "What agents and people gave each other to do, and how it stands.",
  usage:
    '[--project NAME] | --new "TITLE" [--project NAME] [--to WHO] | ID [--status STATUS] [--result TEXT]',
  examples: [
    "rookery tasks",
    'rookery tasks --new "Rename the endpoint" --to api-jay --project orders-api',
    "rookery tasks 4f2a91 --status canceled",
  ],
  options: {
    project: { type: "string" },
    new: { type: "string" },
    to: { type: "string" },
    status: { type: "string" },
    result: { type: "string" },
  },
  optionHelp: {
    project: "only this one, name or folder; of a new task, where it belongs (default here)",
    new: "give a task with this title",
    to: "whom it is for",
    status: "submitted, working, input_required, completed, failed, canceled or rejected",
    result: "what came of it",
  },
  words: { min: 0, max: 1 },
  async run(context, input) {
    if (typeof input.flags.new === "string") return create(context, input);
    return input.words.length === 1 ? change(context, input) : list(context, input);
  },
};

async function list(context: CliContext, { flags }: CommandInput): Promise<number> {
  const project = readProject(context.cwd, flags.project);
  const query = project === undefined ? "" : `?project=${encodeURIComponent(project)}`;
  const { tasks: all } = await callDaemon<{ tasks: TaskView[] }>(context.address, {
    path: `/api/tasks${query}`,
  });
  if (context.isJson) context.print(JSON.stringify(all, null, 2));
  else if (all.length === 0) context.print('No tasks. Give one: rookery tasks --new "TITLE" --to AGENT');
  else {
    const rows = all.map(({ id, status, owner, project, updatedAt, title }) => [
      id.slice(-6),
      status,
      owner ?? "–",
      project,
      formatMinute(updatedAt),
      title,
    ]);
    context.print(
      formatTable(["Id", "Status", "With", "Project", "Changed", "Title"], rows, context.columns),
    );
  }
  return 0;
}

async function create(context: CliContext, { flags }: CommandInput): Promise<number> {
  const project = readProject(context.cwd, flags.project) ?? context.cwd;
  const body = { title: flags.new, project, ...(flags.to ? { to: flags.to } : {}) };
  return show(
    context,
    await callAsPerson<TaskView>(context.home, { method: "POST", path: "/api/tasks", body }),
  );
}

async function change(context: CliContext, { flags, words }: CommandInput): Promise<number> {
  const { status, result } = flags;
  if (status === undefined && result === undefined)
    throw new AppError("invalid_argument", "Say what changes: --status STATUS or --result TEXT.");
  const body = { ...(status ? { status } : {}), ...(result ? { result } : {}) };
  const path = `/api/tasks/${encodeURIComponent(words[0] ?? "")}`;
  return show(context, await callAsPerson<TaskView>(context.home, { method: "PATCH", path, body }));
}

function show(context: CliContext, task: TaskView): number {
  const { id, title, status, owner } = task;
  const line = `${id.slice(-6)} “${title}” is ${status}${owner ? `, with ${owner}` : ""}.`;
  context.print(context.isJson ? JSON.stringify(task, null, 2) : line);
  return 0;
}
