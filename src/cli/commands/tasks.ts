import { callOverTcp } from "../../client/call-over-tcp.ts";
import { callEndpoint } from "../../client/request.ts";
import { mailEndpoints } from "../../protocol/endpoints/mail.ts";
import type { TaskView } from "../../protocol/mail.ts";
import { AppError } from "../../shared/errors.ts";
import type { CliContext, Command, CommandInput } from "../command.ts";
import { formatMinute, formatTable } from "../format.ts";
import { readProject, readText } from "../read-flag.ts";

export const tasks: Command = {
  summary: "List, create and update the tasks of agents and people.",
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
    project: "name or folder; for a new task, its project (default: here)",
    new: "create a task with this title",
    to: "the assignee",
    status: "submitted, working, input_required, completed, failed, canceled or rejected",
    result: "the outcome, as text",
  },
  words: { min: 0, max: 1 },
  async run(context, input) {
    if (typeof input.flags.new === "string") return create(context, input);
    return input.words.length === 1 ? change(context, input) : list(context, input);
  },
};

async function list(context: CliContext, { flags }: CommandInput): Promise<number> {
  const project = readProject(context.cwd, flags.project);
  const { tasks: all } = await callEndpoint(context.address, mailEndpoints.listTasks, { query: { project } });
  if (context.isJson) context.print(JSON.stringify(all, null, 2));
  else if (all.length === 0) context.print('No tasks. Create one: rookery tasks --new "TITLE" --to AGENT');
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
  const body = { title: readText(flags.new) ?? "", project, to: readText(flags.to) };
  return show(context, await callOverTcp(context.home, mailEndpoints.createTask, { body }));
}

async function change(context: CliContext, { flags, words }: CommandInput): Promise<number> {
  const [status, result] = [readText(flags.status), readText(flags.result)];
  if (status === undefined && result === undefined)
    throw new AppError("invalid_argument", "Missing --status STATUS or --result TEXT.");
  const call = { params: { id: words[0] ?? "" }, body: { status, result } };
  const task = await callOverTcp(context.home, mailEndpoints.changeTask, call);
  const remark = task.known === "here" ? " On this machine only: the hub did not answer." : "";
  return show(context, task, remark);
}

function show(context: CliContext, task: TaskView, remark = ""): number {
  const { id, title, status, owner } = task;
  const line = `${id.slice(-6)} “${title}” is ${status}${owner ? `, with ${owner}` : ""}.${remark}`;
  context.print(context.isJson ? JSON.stringify(task, null, 2) : line);
  return 0;
}
