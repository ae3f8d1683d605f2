import type { QuestionView } from "../../protocol/ask.ts";
import { formatCount } from "./format.ts";

export interface QuestionGroup {
  /** The id of its first question. */
  id: string;
  /** In the order given; never empty. */
  questions: [QuestionView, ...QuestionView[]];
}

/**
 * Groups identical questions of the same project, so that one answer fits all. Groups are in the order of their first
 * questions. A settled question is not grouped: it shows its own outcome.
 */
export function groupAlike(questions: readonly QuestionView[]): QuestionGroup[] {
  const groups = new Map<string, QuestionGroup>();
  for (const question of questions) {
    const key = isComparable(question) ? contentOf(question) : question.id;
    const group = groups.get(key);
    if (group) group.questions.push(question);
    else groups.set(key, { id: question.id, questions: [question] });
  }
  return [...groups.values()];
}

/** Who asks: "api-jay", "api-jay, 3 times" or "3 agents". */
export function describeAskers({ questions }: QuestionGroup): string {
  const agents = new Set(questions.map(({ agent }) => agent));
  if (agents.size > 1) return formatCount(agents.size, "agent");
  const [{ agent }] = questions;
  return questions.length > 1 ? `${agent}, ${questions.length} times` : agent;
}

const maxCompared = 10_000;

/** A hidden secret may differ, and so may the end of a long text, which is not shown. */
function isComparable({ state, subject }: QuestionView): boolean {
  return state === "open" && (!subject || (subject.hiddenSecrets === 0 && subject.text.length < maxCompared));
}

function contentOf({
  kind,
  project,
  prompts,
  subject,
  context,
  sessionRule,
  claimedBy,
}: QuestionView): string {
  return JSON.stringify([kind, project, prompts, subject, context, sessionRule, claimedBy]);
}
