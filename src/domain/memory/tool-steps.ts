import type { Step } from "./turn-record.ts";

/** Tools that tell nothing about the work: housekeeping of the host, and our own. */
const skipped = new Set([
  "TodoWrite",
  "ListMcpResources",
  "ReadMcpResource",
  "SlashCommand",
  "Skill",
  "ToolSearch",
  "TaskList",
  "TaskCreate",
  "TaskUpdate",
]);

export function isSkippedTool(name: string): boolean {
  return skipped.has(name) || /^mcp__(?:plugin_)?rookery/.test(name);
}

export interface ToolUse {
  eventId: string;
  tool: string;
  input: Record<string, unknown>;
  response: unknown;
  error: string | undefined;
}

/** A tool use as steps of a turn: a question to the user is its answers. */
export function toSteps(use: ToolUse): Step[] {
  if (isSkippedTool(use.tool)) return [];
  if (use.tool === "AskUserQuestion") return toAnswers(use);
  const { eventId, tool, input, error } = use;
  return [
    {
      kind: "tool",
      tool,
      input,
      output: error ?? responseText(use.response),
      failed: error !== undefined,
      eventId,
    },
  ];
}

function toAnswers({ eventId, input, response }: ToolUse): Step[] {
  const answers =
    (response as { answers?: Record<string, unknown> } | null)?.answers ??
    (input.answers as Record<string, unknown> | undefined) ??
    {};
  const questions = Array.isArray(input.questions)
    ? (input.questions as { question?: unknown; options?: { label?: unknown }[] }[])
    : [];
  return questions.flatMap(({ question, options = [] }): Step[] => {
    const answer = typeof question === "string" ? answers[question] : undefined;
    if (typeof question !== "string" || answer === undefined) return [];
    return [
      {
        kind: "answer",
        question,
        answer: typeof answer === "string" ? answer : JSON.stringify(answer),
        options: options.map(({ label }) => String(label)),
        eventId,
      },
    ];
  });
}

/** What a tool said, as text, whatever shape the host gave it. */
function responseText(response: unknown): string {
  if (typeof response === "string") return response;
  if (typeof response !== "object" || response === null) return "";
  const { stdout, stderr, content, file, text, result } = response as Record<string, unknown>;
  if (typeof stdout === "string")
    return [stdout, typeof stderr === "string" ? stderr : ""].filter(Boolean).join("\n");
  if (Array.isArray(content)) return content.map(responseText).filter(Boolean).join("\n");
  for (const candidate of [content, text, result, (file as { content?: unknown } | undefined)?.content])
    if (typeof candidate === "string") return candidate;
  return "";
}
