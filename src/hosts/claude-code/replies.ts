import type { Answer, SessionRule } from "../../domain/ask/question.ts";
import { listLabels, listQuestions, restoreLabels } from "../question-input.ts";
import { type Decision, denyWith, makeHookReplies } from "../hook-json.ts";
import type { DecidedQuestion } from "../host.ts";
import { events } from "./events.ts";
import { shellQuote } from "../../shared/text.ts";

export const replies = makeHookReplies({
  events,
  /** Claude Code cuts injected context at 10,000 characters. */
  contextLimit: 9_800,
  contextEvents: ["session.started", "prompt", "tool.after", "tool.before"],
  decide,
  formatExports: ({ sessionId, agent }) =>
    `export CLAUDE_SESSION_ID=${shellQuote(sessionId)}\nexport ROOKERY_AGENT=${shellQuote(agent)}\n`,
});

/**
 * Undefined if the answer decides nothing: the hook then prints nothing and the dialog stays open. Expects the result
 * of `checkAnswer`.
 */
export function decide(question: DecidedQuestion, answer: Answer): Decision | undefined {
  if (answer.type === "deny") return denyWith(answer.reason);
  if (answer.type === "answers")
    return question.kind === "choice" ? choose(question, answer.answers) : undefined;
  // The host ignores an approval of a plan unless it contains the plan.
  if (question.kind === "plan") return { behavior: "allow", updatedInput: question.input };
  if (question.kind === "choice") return undefined;
  if (answer.scope === "once") return { behavior: "allow" };
  return question.sessionRule
    ? { behavior: "allow", updatedPermissions: [toPermission(question.sessionRule)] }
    : undefined;
}

function choose({ prompts, input }: DecidedQuestion, given: readonly string[][]): Decision | undefined {
  const questions = listQuestions(input);
  if (questions.length === 0 || questions.length !== given.length) return undefined;
  const answers = questions.map((question, place): [string, string] => {
    const chosen = restoreLabels(given[place], listLabels(question), prompts[place]);
    return [question.question, chosen.join(", ")];
  });
  if (answers.some(([, answer]) => answer.trim() === "")) return undefined;
  return { behavior: "allow", updatedInput: { ...input, answers: Object.fromEntries(answers) } };
}

function toPermission({ toolName, ruleContent }: SessionRule): object {
  const rule = ruleContent === null ? { toolName } : { toolName, ruleContent };
  return { type: "addRules", rules: [rule], behavior: "allow", destination: "session" };
}
