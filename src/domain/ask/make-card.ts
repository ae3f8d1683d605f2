import type { Card } from "./card.ts";
import { findDangerOf } from "./danger.ts";
import type { Asker, Prompt, QuestionKind, SessionRule, Subject } from "./question.ts";

export interface CardQuestion {
  id: string;
  kind: QuestionKind;
  projectName: string;
  agent: string;
  sessionId: string | null;
  subagent: string | null;
  toolName: string | null;
  context: string | null;
  prompts: Prompt[];
  subject: Subject | null;
  sessionRule: SessionRule | null;
  earlier: Card["earlier"];
}

/** A question in the form in which it may leave the machine. */
export function makeCard(question: CardQuestion, ticket: string, claimedBy: string | null): Card {
  const { id, kind, context, prompts, subject, sessionRule, earlier } = question;
  return {
    questionId: id,
    ticket,
    kind,
    headline: makeHeadline(question),
    asker: toAsker(question),
    context,
    prompts,
    subject,
    danger: findDangerOf(subject),
    claimedBy,
    sessionRule,
    earlier,
  };
}

export function toAsker({ projectName, agent, sessionId, subagent }: CardQuestion): Asker {
  return { project: projectName, agent, sessionId, subagent };
}

/** Shown on lock screens: says who asks and for what kind of action, but not the content. */
export function makeHeadline(question: CardQuestion): string {
  const { kind, agent, subagent, projectName, prompts } = question;
  const who = `${agent}${subagent ? `, subagent ${subagent},` : ""} in ${projectName}`;
  if (kind === "choice")
    return `${who} asks you ${prompts.length === 1 ? "something" : `${prompts.length} things`}`;
  if (kind === "plan") return `${who} has a plan for you to approve`;
  return `${who} wants to ${describeWish(question)}`;
}

/** The parts of a question that its title is made of. */
export type TitledQuestion = Pick<CardQuestion, "kind" | "prompts" | "subject" | "toolName">;

/** The question itself on one line, for lists. `toolLabel` names a tool in words. */
export function makeTitle(question: TitledQuestion, toolLabel: (toolName: string) => string): string {
  const { kind, prompts, subject } = question;
  if (kind === "choice") return prompts.map(({ text }) => text).join(" · ");
  const lines = subject?.text.split("\n") ?? [];
  if (kind === "plan") {
    const plain = lines.map((line) => line.replace(/^#+\s*(?:plan\b:?\s*)?/i, "").trim());
    return `Plan: ${plain.find(Boolean) ?? ""}`;
  }
  const first = lines.find((line) => line.trim() !== "") ?? "";
  const action = subject?.action ?? "use";
  const verb = action.charAt(0).toUpperCase() + action.slice(1);
  return `${verb} ${action === "use" ? toolLabel(question.toolName ?? "a tool") : first}`;
}

const wishes = { run: "run a command", write: "write a file", edit: "edit a file" };

function describeWish({ subject, toolName }: CardQuestion): string {
  const action = subject?.action ?? "use";
  return action === "use" ? `use ${toolName ?? "a tool"}` : wishes[action];
}
