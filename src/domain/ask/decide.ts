import type { Answer, Prompt, QuestionKind, SessionRule } from "./question.ts";
import { listLabels, listQuestions } from "./read-request.ts";

/** What the host's permission hook may print. */
export interface Decision {
  behavior: "allow" | "deny";
  message?: string;
  updatedInput?: Record<string, unknown>;
  updatedPermissions?: object[];
}

export interface Decided {
  kind: QuestionKind;
  prompts: readonly Prompt[];
  sessionRule: SessionRule | null;
  /** The tool's input exactly as it came. */
  input: Record<string, unknown>;
}

const withoutReason = "The user does not allow this.";

/**
 * An answer as the host wants it. Undefined if it is no decision: then the hook says nothing and the dialog stays. The
 * answer is one that `fitAnswer` let pass.
 */
export function decide(question: Decided, answer: Answer): Decision | undefined {
  if (answer.type === "deny") return { behavior: "deny", message: answer.reason.trim() || withoutReason };
  if (answer.type === "answers")
    return question.kind === "choice" ? choose(question, answer.answers) : undefined;
  // The host ignores an approval of a plan that does not bring the plan with it.
  if (question.kind === "plan") return { behavior: "allow", updatedInput: question.input };
  if (question.kind === "choice") return undefined;
  if (answer.scope === "once") return { behavior: "allow" };
  return question.sessionRule
    ? { behavior: "allow", updatedPermissions: [toPermission(question.sessionRule)] }
    : undefined;
}

export function formatDecision(decision: Decision): string {
  return JSON.stringify({ hookSpecificOutput: { hookEventName: "PermissionRequest", decision } });
}

function choose({ prompts, input }: Decided, given: readonly string[][]): Decision | undefined {
  const questions = listQuestions(input);
  if (questions.length === 0 || questions.length !== given.length) return undefined;
  const answers = questions.map((question, place): [string, string] => {
    const shown = prompts[place]?.options.map(({ label }) => label) ?? [];
    const labels = listLabels(question);
    // Cards show labels without secrets and invisible characters; the host wants its own.
    const chosen = (given[place] ?? []).map((text) => labels[shown.indexOf(text)] ?? text);
    return [question.question as string, chosen.join(", ")];
  });
  if (answers.some(([, answer]) => answer.trim() === "")) return undefined;
  return { behavior: "allow", updatedInput: { ...input, answers: Object.fromEntries(answers) } };
}

function toPermission({ toolName, ruleContent }: SessionRule): object {
  const rule = ruleContent === null ? { toolName } : { toolName, ruleContent };
  return { type: "addRules", rules: [rule], behavior: "allow", destination: "session" };
}
