import type { QuestionView } from "../../protocol/ask.ts";

/** The outcome, addressed to you if you answered here: "You answered: Redis. api-jay continued." */
export function describeEnding(question: QuestionView): string {
  const { state, outcome, answer, answerer, verdict, agent, kind } = question;
  if (!answer || answerer?.place !== "viewer" || verdict === "overruled") return outcome ?? state;
  const next = { confirmed: ` ${agent} continued.`, sent: ` Waiting for ${agent} to continue.` };
  return describeAnswer(answer, kind) + (verdict ? next[verdict] : "");
}

function describeAnswer(answer: NonNullable<QuestionView["answer"]>, kind: QuestionView["kind"]): string {
  if ("answers" in answer)
    return `You answered: ${answer.answers.map((each) => each.join(", ")).join("; ")}.`;
  if ("deny" in answer) return answer.deny ? `You denied it: ${answer.deny}` : "You denied it.";
  if (kind === "plan") return "You approved the plan.";
  return answer.allow === "once" ? "You allowed it once." : "You allowed it for the session.";
}
