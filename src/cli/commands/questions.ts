import { callEndpoint } from "../../client/request.ts";
import { askEndpoints } from "../../protocol/endpoints/ask.ts";
import type { QuestionView } from "../../protocol/ask.ts";
import type { Command } from "../command.ts";
import { formatMinute, formatTable } from "../format.ts";

export const questions: Command = {
  summary: "List your agents' questions, or show one.",
  usage: "[ID] [--all]",
  examples: ["rookery questions", "rookery questions 4f2a9c1e", "rookery questions --all"],
  options: { all: { type: "boolean" } },
  optionHelp: { all: "include settled questions" },
  completes: { "": "questions" },
  words: { min: 0, max: 1 },
  async run(context, { flags, words }) {
    if (words[0] !== undefined) {
      const call = { params: { id: words[0] } };
      const question = await callEndpoint(context.address, askEndpoints.getQuestion, call);
      context.print(context.isJson ? JSON.stringify(question, null, 2) : formatQuestion(question));
      return 0;
    }
    const query = flags.all ? {} : { state: "open" as const };
    const { questions: found } = await callEndpoint(context.address, askEndpoints.listQuestions, { query });
    if (context.isJson) context.print(JSON.stringify(found, null, 2));
    else if (found.length === 0) context.print(flags.all ? "No questions yet." : "No open questions.");
    else {
      const rows = found.map((q) => [
        q.id.slice(-8),
        formatMinute(q.createdAt),
        q.agent,
        q.title,
        q.outcome ?? "open",
      ]);
      context.print(formatTable(["Id", "Asked", "Agent", "What", "State"], rows, context.columns));
      context.print("\nShow one: rookery questions ID");
    }
    return 0;
  },
};

/** A question in full, and the command to answer it. */
export function formatQuestion(q: QuestionView): string {
  const id = q.id.slice(-8);
  const lines = [`${q.headline}  [${id}]`];
  if (q.context) lines.push(q.context);
  for (const [place, { text, options, isMulti }] of q.prompts.entries()) {
    lines.push(
      "",
      `${q.prompts.length > 1 ? `${place + 1}) ` : ""}${text}${isMulti ? " (choose one or more)" : ""}`,
    );
    for (const [number, { label, description }] of options.entries())
      lines.push(`  ${number + 1}. ${label}${description ? ` – ${description}` : ""}`);
  }
  if (q.subject) {
    lines.push("", q.subject.text);
    const { hiddenSecrets } = q.subject;
    if (hiddenSecrets > 0) lines.push(`(${hiddenSecrets} secret${hiddenSecrets > 1 ? "s" : ""} hidden)`);
  }
  if (q.danger) lines.push("", `Careful: this ${q.danger}.`);
  if (q.claimedBy) lines.push("", `Claimed by ${q.claimedBy}.`);
  if (q.earlier) lines.push("", `Last time you answered: ${q.earlier.answer}`);
  lines.push("", q.outcome ?? explainAnswering(q, id));
  return lines.join("\n");
}

function explainAnswering({ kind, sessionRule }: QuestionView, id: string): string {
  if (kind === "choice") return `Answer: rookery answer ${id} NUMBER|"your own words"`;
  const session = sessionRule ? ` | --allow-session (${sessionRule})` : "";
  return `Answer: rookery answer ${id} --allow${session} | --deny "reason"`;
}
