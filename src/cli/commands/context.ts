import { callEndpoint } from "../../client/request.ts";
import { memoryEndpoints } from "../../protocol/endpoints/memory.ts";
import type { ContextRowView, ContextView } from "../../protocol/memory.ts";
import { AppError } from "../../shared/errors.ts";
import type { Command } from "../command.ts";
import { readProject } from "../read-flag.ts";

export const contextCommand: Command = {
  summary: "Show the context that a session starting here now would get.",
  usage: "[--project NAME] [--explain]",
  examples: ["rookery context", "rookery context --project orders-api", "rookery context --explain"],
  options: { project: { type: "string" }, explain: { type: "boolean" } },
  optionHelp: {
    project: "name or folder; default here",
    explain: "list each row with its section, its score and the factors of the score",
  },
  completes: { project: "projects" },
  async run(context, { flags }) {
    const named = readProject(context.cwd, flags.project);
    const project = named ?? context.cwd;
    const asked = callEndpoint(context.address, memoryEndpoints.getContext, { query: { project } });
    const view = await (named === undefined ? asked.catch(toNothing) : asked);
    const nothing = `No notes yet for ${project}.`;
    const text = flags.explain === true ? view.rows.map(explainRow).join("\n") : view.text;
    context.print(context.isJson ? JSON.stringify(view) : text || nothing);
    return 0;
  },
};

/** `decisions 1.31  Use pnpm instead of npm`, followed by the factors. */
function explainRow({ section, score, text, parts, tokens }: ContextRowView): string {
  const factors = Object.entries(parts).map(([name, factor]) => `${name} ${factor.toFixed(2)}`);
  const why = [...factors, `${tokens} tokens`].join(" · ");
  return `${section} ${score.toFixed(2)}  ${text}\n    ${why}`;
}

/** The current folder need not belong to a known project. */
function toNothing(error: unknown): ContextView {
  if (error instanceof AppError && error.code === "project_not_found")
    return { text: "", tokens: 0, rows: [] };
  throw error;
}
